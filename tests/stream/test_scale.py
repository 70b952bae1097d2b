"""Many keys."""

import time
from pathlib import Path

import paddlewheel as pw
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812
from streams import NOON, run_to_files

KEYS = 50_000
SPEC = pw.Spec(
    keys=["k"],
    time="ts",
    levels={"1 second": "1 hour", "1 minute": None},
    aggregates={"rows": "count(*)", "total": "sum(v)", "high": "max(v)"},
    windows={"tumbling": pw.tumbling("30 seconds"), "sliding": pw.sliding("1 minute", "20 seconds")},
)


def test_fifty_thousand_keys(spark: SparkSession, folder: Path) -> None:
    start = f"TIMESTAMP '{NOON}'"
    for batch in range(3):
        rows = spark.range(0, KEYS * 4 // 3, 1, 1).select(
            F.expr(
                f"{start} + make_dt_interval(0, 0, 0, {batch} * 40 + pmod(hash(id, {batch}), 40000) / 1000)"
            ).alias("ts"),
            F.expr(f"pmod(hash(id, 7 + {batch}), {KEYS})").alias("k"),
            F.expr(f"CASE WHEN pmod(hash(id), 10) > 0 THEN xxhash64(id, {batch}) % 1000000 END").alias("v"),
        )
        rows.write.mode("append").parquet(str(folder / "in"))
        time.sleep(0.01)  # files are read by age
    schema = "ts timestamp, k int, v bigint"
    stream = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(str(folder / "in"))
    run_to_files(
        pw.aggregate(stream.withWatermark("ts", "10 seconds"), SPEC), folder / "checkpoint", folder / "out"
    )

    got = spark.read.parquet(str(folder / "out"))
    table = spark.read.parquet(str(folder / "in"))
    ended = F.expr("window.end <= (SELECT max(ts) - INTERVAL 10 SECONDS FROM input)")
    table.createOrReplaceTempView("input")
    aggregates = [F.expr(sql).alias(name) for name, sql in SPEC.aggregates.items()]
    want = None
    for name, window in {
        "tumbling": F.window("ts", "30 seconds"),
        "sliding": F.window("ts", "1 minute", "20 seconds"),
    }.items():
        rows = table.groupBy("k", window.alias("window")).agg(*aggregates).where(ended)
        rows = rows.select("k", F.lit(name).alias("window_name"), "window", *SPEC.aggregates)
        want = rows if want is None else want.union(rows)
    assert want is not None
    want = want.cache()
    try:
        assert want.select("k").distinct().count() > KEYS * 0.8
        assert got.exceptAll(want).count() == 0
        assert want.exceptAll(got).count() == 0
    finally:
        want.unpersist()
