"""Measures wheels under Structured Streaming against stock Spark, in one run, on the same input.

    streaming.py [--quick] [configuration ...]

Each configuration is a set of windows and a number of keys. Wheels, stock Spark with RocksDB and stock Spark with the
HDFS-backed store take turns on the same generated stream; the rows they emit are compared by count and checksum. A run is
a fixed number of batches, in two sizes: Spark's fixed cost of a batch is the same in both, so the difference of the two
is what the further events cost. Figures go to benchmarks/results/streaming.json.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import paddlewheel as pw
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

ROOT = Path(__file__).resolve().parent.parent
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
PROVIDERS = {
    "wheel": "io.paddlewheel.spark.state.WheelStateStoreProvider",
    "rocksdb": "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    "hdfs": "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider",
}
BATCHES = 4  # measured ones; the first of a run is not
AGGREGATES = {"n": "count(*)", "total": "sum(v)", "most": "max(v)", "mean": "avg(v)"}
START = 1_767_225_600  # 2026-01-01, in seconds

Span = tuple[str, str]


@dataclass(frozen=True)
class Configuration:
    """Windows over a stream of so many events a second, in batches of two sizes."""

    name: str
    keys: int
    windows: dict[str, Span]
    levels: dict[str, str | None]
    rate: int  # events for each second of event time
    small: int  # events of a batch
    large: int
    target: float | None
    repeats: int = 3
    sides: tuple[str, ...] = ("wheel", "rocksdb", "hdfs")

    def spec(self) -> pw.Spec:
        windows = {
            name: pw.tumbling(size) if size == slide else pw.sliding(size, slide)
            for name, (size, slide) in self.windows.items()
        }
        return pw.Spec(keys=["k"], time="ts", levels=self.levels, aggregates=AGGREGATES, windows=windows)


@dataclass
class Run:
    """What one side did: seconds of the measured batches, and what it gave out."""

    seconds: float = 0.0
    rows: int = 0
    checksum: int = 0
    checkpoint_mb: float = 0.0
    state_mb: float = 0.0
    commit_ms: list[float] = field(default_factory=list)

    def __add__(self, other: "Run") -> "Run":
        return Run(
            self.seconds + other.seconds,
            self.rows + other.rows,
            self.checksum + other.checksum,
            self.checkpoint_mb + other.checkpoint_mb,
            self.state_mb + other.state_mb,
            self.commit_ms + other.commit_ms,
        )


def events(spark: SparkSession, configuration: Configuration, batch: int) -> DataFrame:
    """The stream: `rate` events a second, up to five seconds out of order, keys and values by hash."""
    source = (
        spark.readStream.format("rate-micro-batch")
        .option("rowsPerBatch", batch)
        .option("numPartitions", 2)
        .option("startTimestamp", 0)
        .load()
    )
    micros = f"{START}000000 + value * 1000000 div {configuration.rate} - pmod(xxhash64(value), 5000000)"
    return source.select(
        F.expr(f"timestamp_micros({micros})").alias("ts"),
        F.expr(f"pmod(xxhash64(value, 1), {configuration.keys})").alias("k"),
        F.expr("pmod(xxhash64(value, 2), 2001) - 1000").alias("v"),
    ).withWatermark("ts", "10 seconds")


def stock(stream: DataFrame, span: Span) -> DataFrame:
    size, slide = span
    window = F.window("ts", size) if size == slide else F.window("ts", size, slide)
    return stream.groupBy("k", window).agg(*[F.expr(sql).alias(name) for name, sql in AGGREGATES.items()])


def checked(frame: DataFrame) -> DataFrame:
    """Counts what comes out, and adds up a hash of it that does not depend on the order of rows."""
    digest = F.xxhash64("k", F.col("window.start"), F.col("window.end"), *AGGREGATES)
    return frame.observe("out", F.count(F.lit(1)).alias("rows"), F.sum(digest.cast("decimal(38,0)")).alias("sum"))


def held_mb(spark: SparkSession) -> float:
    """What the heap holds when garbage is gone."""
    jvm: Any = spark._jvm
    jvm.java.lang.System.gc()
    heap = jvm.java.lang.management.ManagementFactory.getMemoryMXBean().getHeapMemoryUsage()
    return float(heap.getUsed()) / 2**20


def run(spark: SparkSession, side: str, frame: DataFrame, batches: int = BATCHES) -> Run:
    spark.conf.set(PROVIDER, PROVIDERS[side])
    folder = Path(tempfile.mkdtemp(prefix="paddlewheel-bench-"))
    before = held_mb(spark)
    query = (
        checked(frame)
        .writeStream.format("noop")
        .outputMode("append")
        .option("checkpointLocation", str(folder))
        .start()
    )
    try:
        while (progress := query.lastProgress) is None or progress["batchId"] < batches:
            if query.exception() is not None:
                raise RuntimeError(f"{side}: {query.exception()}")
            time.sleep(0.05)
        done = [p for p in query.recentProgress if p["batchId"] <= batches]
        measured = [p for p in done if p["batchId"] > 0]
        out = [p["observedMetrics"]["out"] for p in done]
        native = sum(op["memoryUsedBytes"] for op in progress["stateOperators"]) if side != "hdfs" else 0
        return Run(
            seconds=sum(p["durationMs"]["triggerExecution"] for p in measured) / 1000,
            rows=sum(row["rows"] for row in out),
            checksum=sum(int(row["sum"] or 0) for row in out),
            state_mb=max(0.0, held_mb(spark) - before) + native / 2**20,
            checkpoint_mb=sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 2**20,
            commit_ms=[op["commitTimeMs"] for p in measured for op in p["stateOperators"]],
        )
    finally:
        query.stop()
        shutil.rmtree(folder, ignore_errors=True)


def one(spark: SparkSession, side: str, configuration: Configuration, batch: int) -> Run:
    """All windows of a configuration: wheels in one query, stock Spark in one for each."""
    if side == "wheel":
        return run(spark, side, pw.aggregate(events(spark, configuration, batch), configuration.spec()))
    total = Run()
    for span in configuration.windows.values():
        total += run(spark, side, stock(events(spark, configuration, batch), span))
    return total


@dataclass(frozen=True)
class Outcome:
    """The medians of one side: seconds of the small and the large runs, and the last large run."""

    small: float
    large: float
    last: Run
    events: int

    @property
    def slope(self) -> float:
        """Microseconds for each further event."""
        return (self.large - self.small) / self.events * 1e6


def measure(spark: SparkSession, configuration: Configuration) -> dict[str, Outcome]:
    small: dict[str, list[Run]] = {side: [] for side in configuration.sides}
    large: dict[str, list[Run]] = {side: [] for side in configuration.sides}
    for side in configuration.sides:
        one(spark, side, configuration, configuration.small)  # to warm up
    for _ in range(configuration.repeats):
        for side in configuration.sides:
            small[side].append(one(spark, side, configuration, configuration.small))
            large[side].append(one(spark, side, configuration, configuration.large))
    for sizes in (small, large):
        seen = {(run.rows, run.checksum) for runs in sizes.values() for run in runs}
        if len(seen) != 1:
            raise RuntimeError(f"{configuration.name}: the sides gave out different rows: {seen}")
    further = (configuration.large - configuration.small) * BATCHES
    return {
        side: Outcome(
            statistics.median(run.seconds for run in small[side]),
            statistics.median(run.seconds for run in large[side]),
            large[side][-1],
            further,
        )
        for side in configuration.sides
    }


def figure(name: str, ours: float, peer: float | None, unit: str, target: str | None = None, note: str = "") -> dict[str, Any]:
    ratio = ours / peer if peer else None
    met = None if target is None or ratio is None else ratio >= float(target.removeprefix(">= "))
    made = {"name": name, "ours": ours, "peer": peer, "unit": unit, "ratio": ratio, "target": target, "met": met}
    return made | ({"note": note} if note else {})
