"""Wheels among the other operators, sinks and triggers of Spark, and what can be seen of them."""

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paddlewheel as pw
import pytest
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.streaming.query import StreamingQuery
from streams import (
    EVENTS,
    Feed,
    assert_same,
    at,
    events,
    expected,
    rows_of,
    run,
    run_to_files,
    stock,
    stock_union,
)

FEW = {"rows": "count(*)", "total": "sum(i)"}
TUMBLING = {"tumbling": pw.tumbling("10 seconds")}


def spec(**changed: Any) -> pw.Spec:
    usual: dict[str, Any] = {
        "keys": ["k"],
        "time": "ts",
        "levels": {"1 second": "10 minutes", "1 minute": None},
        "aggregates": FEW,
        "windows": TUMBLING,
    }
    return pw.Spec(**(usual | changed))


def feed_of(spark: SparkSession, folder: Path, seed: int, name: str = "in", batches: int = 4) -> Feed:
    rng = random.Random(seed)
    feed = Feed(spark, folder / name, EVENTS)
    for number in range(batches):
        feed.add(events(rng, 70 * number, 25))
    return feed


def operators(query: StreamingQuery) -> list[str]:
    return [state.operatorName for state in query.recentProgress[-1].stateOperators]


def plain(rows: list[Row]) -> list[str]:
    return sorted(map(repr, rows))


# --- further operators ------------------------------------------------------------------------------------


def further(spark: SparkSession) -> dict[str, Callable[[DataFrame], DataFrame]]:
    """What may follow an aggregate, whoever computed it."""
    names = spark.createDataFrame([("a", "Alpha"), ("b", "Beta")], "k string, name string")
    time = F.window_time("window")
    return {
        "filter": lambda df: df.where("rows > 1 AND k IS NOT NULL").select("k", "window.start", "rows"),
        "join with a table": lambda df: df.join(names, "k", "left").select("name", "window", "total"),
        "a second aggregate": lambda df: df.groupBy(F.window(time, "1 minute")).agg(
            F.sum("rows").alias("rows"), F.count("*").alias("windows")
        ),
        "deduplication": lambda df: df.select(time.alias("t")).dropDuplicatesWithinWatermark(["t"]),
    }


@pytest.mark.parametrize("name", ["filter", "join with a table", "a second aggregate", "deduplication"])
def test_further_operators(spark: SparkSession, folder: Path, name: str) -> None:
    feed = feed_of(spark, folder, 51)
    wanted = spec()
    found = {}
    for side, df in {
        "wheel": pw.aggregate(feed.stream(), wanted),
        "stock": stock_of_one(feed, wanted),
    }.items():
        found[side] = rows_of(run(further(spark)[name](df), folder / side)[0])
    assert found["stock"]
    assert plain(found["wheel"]) == plain(found["stock"])


def stock_of_one(feed: Feed, wanted: pw.Spec) -> DataFrame:
    """With Spark's own window column, which `window_time` needs."""
    aggregates = [F.expr(sql).alias(name) for name, sql in wanted.aggregates.items()]
    return feed.stream().groupBy("k", F.window("ts", "10 seconds").alias("window")).agg(*aggregates)


def test_two_wheels_beside_each_other(spark: SparkSession, folder: Path) -> None:
    """In one query, over two sources with watermarks of their own: the slower one counts."""
    fast, slow = feed_of(spark, folder, 52, "fast"), feed_of(spark, folder, 53, "slow")
    slow.delay = 100
    short, long = spec(), spec(windows={"long": pw.sliding("1 minute", "15 seconds")})

    def union(one: DataFrame, two: DataFrame) -> DataFrame:
        return one.withColumn("of", F.lit("fast")).union(two.withColumn("of", F.lit("slow")))

    got, query = run(
        union(pw.aggregate(fast.stream(), short), pw.aggregate(slow.stream(), long)), folder / "wheel"
    )
    want, _ = run(
        union(stock(fast.stream(), short, "tumbling"), stock(slow.stream(), long, "long")), folder / "stock"
    )
    assert rows_of(want)
    assert plain(rows_of(got)) == plain(rows_of(want))
    assert operators(query) == ["wheelAggregate"] * 2


def test_one_wheel_over_two_sources(spark: SparkSession, folder: Path) -> None:
    fast, slow = feed_of(spark, folder, 54, "fast"), feed_of(spark, folder, 55, "slow")
    slow.delay = 60
    wanted = spec(windows=TUMBLING | {"long": pw.sliding("1 minute", "15 seconds")})
    both = fast.stream().union(slow.stream())
    got, _ = run(pw.aggregate(both, wanted), folder / "wheel")
    want, _ = run(stock_union(both, wanted), folder / "stock")
    assert_same(rows_of(got), rows_of(want), wanted)


def test_a_wheel_over_a_wheel(spark: SparkSession, folder: Path) -> None:
    feed = feed_of(spark, folder, 56, batches=5)
    minutes = spec(
        time="t",
        aggregates={"rows": "sum(rows)", "busiest": "max(total)"},
        windows={"m": pw.tumbling("1 minute")},
    )
    inner = pw.aggregate(feed.stream(), spec()).withColumn("t", F.window_time("window")).drop("window")
    got, query = run(pw.aggregate(inner, minutes), folder / "wheel")
    aggregates = [F.expr(sql).alias(name) for name, sql in minutes.aggregates.items()]
    by_minute = stock_of_one(feed, spec()).withColumn("t", F.window_time("window"))
    want, _ = run(
        by_minute.groupBy("k", F.window("t", "1 minute").alias("window")).agg(*aggregates), folder / "stock"
    )
    assert_same(rows_of(got), rows_of(want), minutes)
    assert operators(query) == ["wheelAggregate"] * 2


def test_stock_operators_keep_their_state_in_this_provider(spark: SparkSession, folder: Path) -> None:
    """A join of streams, deduplication and an aggregate, next to a wheel: as under Spark's own provider."""
    feed = feed_of(spark, folder, 57)

    def query() -> DataFrame:
        left = feed.stream().select(F.col("ts").alias("t1"), F.col("k").alias("k1"), F.col("i").alias("i1"))
        right = feed.stream()
        near = F.expr("k1 = k AND i1 = i AND t1 BETWEEN ts - INTERVAL 5 SECONDS AND ts + INTERVAL 5 SECONDS")
        unique = left.join(right, near).dropDuplicates(["k", "i", "ts"])
        return unique.groupBy("k", F.window("ts", "10 seconds").alias("window")).agg(
            F.sum("i").alias("total")
        )

    provider = "spark.sql.streaming.stateStore.providerClass"
    ours = spark.conf.get(provider)
    assert ours is not None
    got, _ = run(query(), folder / "ours")
    spark.conf.set(provider, "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
    try:
        want, _ = run(query(), folder / "theirs")
    finally:
        spark.conf.set(provider, ours)
    assert rows_of(want)
    assert plain(rows_of(got)) == plain(rows_of(want))


# --- sinks and triggers -----------------------------------------------------------------------------------


def test_sinks_and_triggers(spark: SparkSession, folder: Path) -> None:
    feed = feed_of(spark, folder, 58, batches=1)
    feed.add([(at(500), "z", 1, 1.0)])
    wanted = spec()
    all_files = len(feed.batches)

    def query() -> DataFrame:
        return pw.aggregate(feed.stream(files=all_files), wanted)

    def writer(name: str) -> Any:
        return query().writeStream.option("checkpointLocation", str(folder / name))

    memory = (
        writer("memory")
        .format("memory")
        .queryName("emitted")
        .trigger(processingTime="100 milliseconds")
        .start()
    )
    memory.processAllAvailable()
    memory.stop()
    run_to_files(query(), folder / "files", folder / "out")
    console = writer("console").format("console").trigger(availableNow=True).start()
    console.awaitTermination()
    assert console.exception() is None

    # "once" is one batch, so the windows that it ends come out with the next.
    once: list[Row] = []
    for _ in range(2):
        started = (
            writer("once").foreachBatch(lambda batch, _: once.extend(batch.collect())).trigger(once=True)
        )
        started.start().awaitTermination()
        feed.add([(at(499), "z", 1, 1.0)])

    first = feed.table(upto=all_files)
    want = (
        expected(feed, wanted, complete=True, table=first)
        .where(F.col("window.end") <= F.lit(at(480)))
        .collect()
    )
    assert_same(spark.table("emitted").collect(), want, wanted)
    assert_same(spark.read.parquet(str(folder / "out")).collect(), want, wanted)
    assert_same(once, want, wanted)


# --- to be seen -------------------------------------------------------------------------------------------

METRICS = {
    *("wheelSlotsSealed", "wheelRotationsWritten", "wheelWindowsEmitted"),
    *("wheelCacheHits", "wheelCacheMisses", "wheelLiveKeys"),
}


def test_progress_and_plan(spark: SparkSession, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    feed = Feed(spark, folder / "in", EVENTS, delay=0)
    feed.add([(at(1), "a", 1, 1.0), (at(2), "b", 2, 1.0), (at(100), "a", 3, 1.0)])
    got, _ = run(pw.aggregate(feed.stream(), spec()), folder / "checkpoint")
    feed.add([(at(3), "a", 1, 1.0), (at(200), "a", 1, 1.0)])
    more, query = run(pw.aggregate(feed.stream(), spec()), folder / "checkpoint")
    states = [progress.stateOperators[0] for progress in query.recentProgress]
    assert {state.operatorName for state in states} == {"wheelAggregate"}
    assert sum(state.numRowsDroppedByWatermark for state in states) == 1
    assert states[-1].numRowsTotal > 0
    assert sum(state.numRowsUpdated for state in states) > 0
    assert states[-1].customMetrics.keys() >= METRICS
    emitted = sum(state.customMetrics["wheelWindowsEmitted"] for state in states)
    assert emitted == len(rows_of(more)) > 0
    assert rows_of(got)

    pw.aggregate(feed.stream(), spec()).explain()
    pw.aggregate(feed.table(), spec()).explain()
    assert len(re.findall(r"WheelAggregate .*keys=\[k\].*windows=\[tumbling\]", shown(capfd))) >= 1
    query.explain()
    assert "WheelAggregate" in shown(capfd)


def shown(capfd: pytest.CaptureFixture[str]) -> str:
    return capfd.readouterr().out


def test_state_stops_growing(spark: SparkSession, folder: Path) -> None:
    """Every level has a retention, and the stream is steady."""
    wanted = spec(levels={"1 second": "1 minute", "1 minute": "10 minutes"})
    feed = Feed(spark, folder / "in", EVENTS)
    for number in range(16):
        feed.add((at(number * 200 + second), k, second, 1.0) for second in range(0, 200, 9) for k in "abc")
    got, query = run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint")
    totals = [progress.stateOperators[0].numRowsTotal for progress in query.recentProgress]
    assert sum(progress.stateOperators[0].numRowsRemoved for progress in query.recentProgress) > 0
    assert max(totals[-5:]) <= max(totals[5:11]), totals
    assert_same(rows_of(got), expected(feed, wanted, restarts=False).collect(), wanted)


def test_the_columns_of_the_output(spark: SparkSession, folder: Path) -> None:
    feed = feed_of(spark, folder, 59, batches=1)
    one = pw.aggregate(feed.stream(), spec())
    assert one.columns == ["k", "window", "rows", "total"]
    several = pw.aggregate(feed.stream(), spec(windows=TUMBLING | {"visit": pw.session("5 seconds")}))
    assert several.columns == ["k", "window_name", "window", "rows", "total"]
    assert several.isStreaming
