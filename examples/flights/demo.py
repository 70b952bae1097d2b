"""A year of flights out of New York, replayed as a stream: delays by hour, day and week, from one state.

Run by `make demo`. What it leaves is in examples/out.
"""

import shutil
import sys
import time
from datetime import timedelta
from pathlib import Path

import paddlewheel as pw
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery

import check
import picture
import report
from replay import SCHEMA, Replay, replay

OUT = Path(__file__).resolve().parent.parent / "out"

DELAYS = pw.Spec(
    keys=["origin", "carrier"],
    time="scheduled",
    levels={"1 hour": "30 days", "1 day": None},
    aggregates={
        "flights": "count(*)",
        "cancelled": "count_if(dep_delay IS NULL)",
        "mean": "avg(dep_delay)",
        "stddev": "stddev(dep_delay)",
        "p95": "percentile_approx(dep_delay, 0.95)",
        "worst": "max(dep_delay)",
    },
    windows={
        "hour": pw.tumbling("1 hour"),
        "day": pw.sliding("1 day", "1 hour"),
        "week": pw.sliding("7 days", "1 day"),
    },
)


def main() -> int:
    began = time.monotonic()
    shutil.rmtree(OUT, ignore_errors=True)
    spark = start_spark()
    print(f"Paddlewheel {pw.__version__} on Spark {spark.version}\n")

    flights = replay(OUT / "flights", every=timedelta(days=14))
    report.print_replay(flights)
    watermark = report.follow(start_query(spark, flights))

    rows = spark.read.parquet(str(OUT / "rows"))
    report.print_worst(rows)

    expected = check.by_batch(spark.read.schema(SCHEMA).parquet(str(flights.folder)), DELAYS)
    agree = check.compare(rows, expected.where(check.ended_by(watermark)), DELAYS)

    drawn = OUT / "flights.png"
    picture.draw(rows, "EWR", drawn)
    print(f"The year of Newark is drawn in {drawn}")
    print(f"Done in {time.monotonic() - began:.0f} s")
    spark.stop()
    return 0 if agree else 1


def start_spark() -> SparkSession:
    builder = (
        SparkSession.builder.master("local[2]")
        .appName("flights")
        .config("spark.driver.memory", "2g")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.sql.session.timeZone", "UTC")
        # Spark would sort, not hash, from 128 groups on where an aggregate is a percentile.
        .config("spark.sql.objectHashAggregate.sortBased.fallbackThreshold", 1_000_000)
        .config("spark.ui.enabled", False)
        .config("spark.ui.showConsoleProgress", False)
    )
    return pw.configure(builder).getOrCreate()


def start_query(spark: SparkSession, flights: Replay) -> StreamingQuery:
    return (
        pw.aggregate(read_stream(spark, flights), DELAYS)
        .writeStream.outputMode("append")
        .option("checkpointLocation", str(OUT / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(OUT / "rows"), format="parquet")
    )


def read_stream(spark: SparkSession, flights: Replay) -> DataFrame:
    """The flights as they are reported, a file in each batch; none comes more than a day out of order."""
    return (
        spark.readStream.schema(SCHEMA)
        .option("maxFilesPerTrigger", 1)
        .parquet(str(flights.folder))
        .withWatermark("scheduled", "1 day")
    )


if __name__ == "__main__":
    sys.exit(main())
