"""A query in a process of its own, so that it can be killed: `python turning.py FOLDER`."""

import sys
from pathlib import Path

import paddlewheel as pw
from pyspark.sql import DataFrame, SparkSession
from streams import EVENTS, run_to_files, session

SPEC = pw.Spec(
    keys=["k"],
    time="ts",
    levels={"1 second": "10 minutes", "1 minute": "2 hours", "1 hour": None},
    aggregates={"rows": "count(*)", "total": "sum(i)", "mean": "avg(v)", "texts": "max(string(i))"},
    windows={
        "tumbling": pw.tumbling("10 seconds"),
        "sliding": pw.sliding("1 minute", "7 seconds"),
        "cumulative": pw.cumulative("1 hour", "10 minutes"),
    },
)


def turning(spark: SparkSession, folder: Path, delay: int) -> DataFrame:
    read = spark.readStream.schema(EVENTS).option("maxFilesPerTrigger", 1).parquet(str(folder / "in"))
    return pw.aggregate(read.withWatermark("ts", f"{delay} seconds"), SPEC)


if __name__ == "__main__":
    here, delay = Path(sys.argv[1]), int(sys.argv[2])
    spark = session()
    (here / "ready").touch()
    while True:
        run_to_files(turning(spark, here, delay), here / "checkpoint", here / "out")
