"""Measures wheels under Structured Streaming against stock Spark, in one run, on the same input.

    streaming.py [configuration ...]

Each configuration is a set of windows and a number of keys. Wheels, stock Spark with RocksDB and stock Spark
with the HDFS-backed store take turns on the same generated stream; the rows they emit are compared by count
and checksum. A run is a fixed number of batches, in two sizes: Spark's fixed cost of a batch is the same in
both, so the difference is what the further events cost. Figures go to benchmarks/results/streaming.json.
"""

import argparse
import json
import os
import platform
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import paddlewheel as pw
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sf

ROOT = Path(__file__).resolve().parent.parent
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
PROVIDERS = {
    "wheel": "io.paddlewheel.spark.state.WheelStateStoreProvider",
    "rocksdb": "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
    "hdfs": "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider",
}
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
    rate: float  # events for each second of event time
    small: int  # events of a batch
    large: int
    target: float
    steep: int  # events of a large batch for the slope of wheels, where `large` costs them next to nothing
    repeats: int = 1
    sides: tuple[str, ...] = ("wheel", "rocksdb", "hdfs")
    batches: int = 4  # measured ones; the first of a run is not

    def spec(self) -> pw.Spec:
        windows = {
            name: pw.tumbling(size) if size == slide else pw.sliding(size, slide)
            for name, (size, slide) in self.windows.items()
        }
        return pw.Spec(keys=["k"], time="ts", levels=self.levels, aggregates=AGGREGATES, windows=windows)


def configurations() -> Iterator[Configuration]:
    """The large batches of each span a minute of event time, or as long as their windows take to fill."""
    minutes: dict[str, str | None] = {"1 minute": "1 day", "1 hour": None}
    thirds: dict[str, str | None] = {"20 seconds": "1 day", "1 minute": "10 days", "1 hour": None}
    seconds: dict[str, str | None] = {"1 second": "1 day", "1 minute": "10 days", "1 hour": None}
    steps: dict[str, str | None] = {"1 minute": "2 days", "10 minutes": "10 days", "1 hour": None}
    three = {"1h": ("1 hour", "1 minute"), "12h": ("12 hours", "10 minutes"), "24h": ("24 hours", "1 hour")}
    tumbling, thirds_of, slow, hour = (
        {"w": span}
        for span in (
            ("60 seconds", "60 seconds"),
            ("60 seconds", "20 seconds"),
            ("60 seconds", "1 second"),
            ("1 hour", "1 second"),
        )
    )
    for keys in (100, 10_000, 100_000):
        every = ("wheel", "rocksdb", "hdfs") if keys == 10_000 else ("wheel", "rocksdb")
        both = ("wheel", "rocksdb")
        yield Configuration(
            "60 s tumbling", keys, tumbling, minutes, 20_000, 400_000, 2_000_000, 1.0, 2_000_000, 2, every
        )
        yield Configuration(
            "60 s / 20 s", keys, thirds_of, thirds, 10_000, 200_000, 1_000_000, 2.0, 1_000_000, 2, every
        )
        # Few keys have few windows to keep, so stock Spark can bear more events of them.
        many = 20 if keys == 100 else 1
        steep, steeper = (400_000, 200_000) if keys == 100 else (60_000, 30_000)
        yield Configuration(
            "60 s / 1 s", keys, slow, seconds, 200 * many, 4_000 * many, 12_000 * many, 10.0, steep, 1, both
        )
        yield Configuration(
            "three windows", keys, three, steps, 5 * many, 1_500 * many, 4_500 * many, 5.0, steeper, 1, both
        )
    # Stock Spark takes most of a minute to plan each batch of this one, whatever is in it.
    yield Configuration(
        "1 h / 1 s", 10_000, hour, seconds, 3, 60, 240, 100.0, 4_000, 1, ("wheel", "rocksdb"), batches=1
    )


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
        sf.expr(f"timestamp_micros({micros})").alias("ts"),
        sf.expr(f"pmod(xxhash64(value, 1), {configuration.keys})").alias("k"),
        sf.expr("pmod(xxhash64(value, 2), 2001) - 1000").alias("v"),
    ).withWatermark("ts", "10 seconds")


def stock(stream: DataFrame, span: Span) -> DataFrame:
    size, slide = span
    window = sf.window("ts", size) if size == slide else sf.window("ts", size, slide)
    return stream.groupBy("k", window).agg(*[sf.expr(sql).alias(name) for name, sql in AGGREGATES.items()])


def checked(frame: DataFrame) -> DataFrame:
    """Counts what comes out, and adds up a hash of it that does not depend on the order of rows."""
    digest = sf.xxhash64("k", sf.col("window.start"), sf.col("window.end"), *AGGREGATES)
    return frame.observe(
        "out", sf.count(sf.lit(1)).alias("rows"), sf.sum(digest.cast("decimal(38,0)")).alias("sum")
    )


def held_mb(spark: SparkSession) -> float:
    """What the heap holds when garbage is gone."""
    jvm: Any = spark._jvm
    jvm.java.lang.System.gc()
    heap = jvm.java.lang.management.ManagementFactory.getMemoryMXBean().getHeapMemoryUsage()
    return float(heap.getUsed()) / 2**20


def run(spark: SparkSession, side: str, frame: DataFrame, batches: int) -> Run:
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
        frame = pw.aggregate(events(spark, configuration, batch), configuration.spec())
        return run(spark, side, frame, configuration.batches)
    total = Run()
    for span in configuration.windows.values():
        total += run(spark, side, stock(events(spark, configuration, batch), span), configuration.batches)
    return total


@dataclass(frozen=True)
class Outcome:
    """One side: the medians of its runs, small, large and steep, and the last large run."""

    small: float
    large: float
    slope: float  # microseconds for each further event
    last: Run


def measure(spark: SparkSession, configuration: Configuration) -> dict[str, Outcome]:
    runs: dict[tuple[str, int], list[Run]] = {}

    def take(side: str, batch: int) -> None:
        runs.setdefault((side, batch), []).append(one(spark, side, configuration, batch))

    for side in configuration.sides:
        if configuration.batches > 1:
            one(spark, side, configuration, configuration.small)  # to warm up
    for _ in range(configuration.repeats):
        for side in configuration.sides:
            take(side, configuration.small)
            take(side, configuration.large)
        if configuration.steep != configuration.large:
            take("wheel", configuration.steep)
    for batch in (configuration.small, configuration.large):
        seen = {(run.rows, run.checksum) for side in configuration.sides for run in runs[side, batch]}
        if len(seen) != 1:
            raise RuntimeError(f"{configuration.name}: the sides gave out different rows: {seen}")
    return {side: outcome(configuration, side, runs) for side in configuration.sides}


def outcome(configuration: Configuration, side: str, runs: dict[tuple[str, int], list[Run]]) -> Outcome:
    steep = configuration.steep if side == "wheel" else configuration.large
    seconds = {
        batch: statistics.median(run.seconds for run in runs[side, batch]) for s, batch in runs if s == side
    }
    further = (steep - configuration.small) * configuration.batches
    slope = (seconds[steep] - seconds[configuration.small]) / further * 1e6
    return Outcome(
        seconds[configuration.small], seconds[configuration.large], slope, runs[side, configuration.large][-1]
    )


def commits(spark: SparkSession, side: str, keys: int, changing: int) -> tuple[float, float]:
    """Milliseconds and changelog KiB of a batch in which so many of the keys change; medians of five."""
    spark.conf.set(PROVIDER, PROVIDERS[side])
    spark.conf.set("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled", "true")
    folder = Path(tempfile.mkdtemp(prefix="paddlewheel-bench-"))
    try:
        for batch in range(7):
            rows = keys if batch == 0 else changing
            (
                spark.range(rows)
                .selectExpr(
                    f"timestamp_seconds({START + 2 * batch}) AS ts", "id AS k", f"id * {batch + 1} AS v"
                )
                .coalesce(1)
                .write.parquet(str(folder / "in" / f"{batch}"))
            )
        stream = (
            spark.readStream.schema("ts timestamp, k bigint, v bigint")
            .option("maxFilesPerTrigger", 1)
            .option("recursiveFileLookup", "true")
            .parquet(str(folder / "in"))
            .withWatermark("ts", "10 seconds")
        )
        spec = pw.Spec(
            keys=["k"],
            time="ts",
            levels={"1 minute": "1 day", "1 hour": None},
            aggregates=AGGREGATES,
            windows={"w": pw.tumbling("60 seconds")},
        )
        frame = pw.aggregate(stream, spec) if side == "wheel" else stock(stream, ("60 seconds", "60 seconds"))
        query = (
            frame.writeStream.format("noop")
            .option("checkpointLocation", str(folder / "ck"))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        steady = [p for p in query.recentProgress if 2 <= p["batchId"] <= 6]
        taken = [sum(op["commitTimeMs"] for op in p["stateOperators"]) for p in steady]
        logs = [
            sum(f.stat().st_size for f in (folder / "ck").rglob(f"{p['batchId'] + 1}.changelog"))
            for p in steady
        ]
        return statistics.median(taken), statistics.median(logs) / 1024
    finally:
        spark.conf.unset("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled")
        shutil.rmtree(folder, ignore_errors=True)


def figure(
    name: str, ours: float | None, peer: float | None, unit: str, target: str | None = None, note: str = ""
) -> dict[str, Any]:
    ratio = ours / peer if peer and ours is not None else None
    met = None
    if target is not None and ratio is not None:
        bound = float(target[3:])
        met = ratio >= bound if target.startswith(">=") else ratio <= bound
    made = {
        "name": name,
        "ours": ours,
        "peer": peer,
        "unit": unit,
        "ratio": ratio,
        "target": target,
        "met": met,
    }
    return made | ({"note": note} if note else {})


def figures(configuration: Configuration, outcomes: dict[str, Outcome]) -> Iterator[dict[str, Any]]:
    """Rates, so that more is better: the targets are how many times stock's."""
    wheel = outcomes["wheel"]
    name = f"{configuration.name}, {configuration.keys:,} keys"
    for side, peer in outcomes.items():
        if side == "wheel":
            continue
        aim = f">= {configuration.target}" if side == "rocksdb" else None
        total = configuration.large * configuration.batches / 1000
        note = f"{wheel.last.rows:,} windows given out, the same on both sides"
        slopes = (1000 / wheel.slope, 1000 / peer.slope) if min(wheel.slope, peer.slope) > 0 else None
        if slopes:
            yield figure(f"{name}, further events, against {side}", *slopes, "k events/s", aim, note)
        else:
            note = f"not measured: the large run was not slower than the small one; {note}"
            yield figure(f"{name}, further events, against {side}", None, None, "k events/s", aim, note)
        yield figure(f"{name}, in all, against {side}", total / wheel.large, total / peer.large, "k events/s")
        yield figure(
            f"{name}, memory held, against {side}", wheel.last.state_mb, max(peer.last.state_mb, 0.1), "MiB"
        )
        yield figure(
            f"{name}, checkpoint, against {side}", wheel.last.checkpoint_mb, peer.last.checkpoint_mb, "MiB"
        )


def commit_figures(spark: SparkSession) -> Iterator[dict[str, Any]]:
    commits(spark, "wheel", 1_000, 100)  # to warm up
    commits(spark, "rocksdb", 1_000, 100)
    few, many = commits(spark, "wheel", 1_000, 100), commits(spark, "wheel", 100_000, 100)
    stock_many = commits(spark, "rocksdb", 100_000, 100)
    tenfold = commits(spark, "wheel", 100_000, 1_000)
    note = "a batch that changes 100 keys of 100,000; the peer is the same of 1,000"
    yield figure(
        "commit, 100 of 100,000 keys change, against 100 of 1,000", many[0], few[0], "ms", None, note
    )
    note = "proportional to what changes, not to what there is"
    yield figure(
        "changelog, 100 of 100,000 keys change, against 100 of 1,000", many[1], few[1], "KiB", "<= 1.1", note
    )
    note = "ten times the changes, in the same state"
    yield figure(
        "changelog, 1,000 of 100,000 keys change, against 100", tenfold[1], many[1], "KiB", "<= 10.0", note
    )
    yield figure("commit, 100 of 100,000 keys change, against rocksdb", many[0], stock_many[0], "ms")
    yield figure("changelog, 100 of 100,000 keys change, against rocksdb", many[1], stock_many[1], "KiB")


def machine() -> dict[str, Any]:
    cpu = next(
        (
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if "model name" in line
        ),
        platform.processor(),
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = f"{os.getloadavg()[0]:.1f}"
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "memory_gib": round(memory),
        "load": load,
        "os": f"{platform.system()} {platform.release()}",
        "spark": "4.3.0",
    }


@contextmanager
def session() -> Iterator[SparkSession]:
    builder = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "6g")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
    )
    spark = pw.configure(builder).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        spark.stop()


def write(found: list[dict[str, Any]], on: dict[str, Any], part: bool) -> Path:
    head = {
        "name": "streaming",
        "title": "Streaming against stock Spark",
        "command": "make bench PART=streaming",
        "machine": on,
        "when": date.today().isoformat(),
    }
    lines = ",\n    ".join(json.dumps(figure, ensure_ascii=False) for figure in found)
    file = ROOT / ("target/streaming.json" if part else "benchmarks/results/streaming.json")
    file.write_text(
        f'{json.dumps(head, ensure_ascii=False)[:-1]},\n  "figures": [\n    {lines}]}}\n', encoding="utf-8"
    )
    return file


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "only", nargs="*", help="run only what contains one of these in its name; the result goes to target/"
    )
    only = parser.parse_args().only
    found: list[dict[str, Any]] = []
    with session() as spark:
        on = machine()
        if not only or "commit" in only:
            found += commit_figures(spark)
        for configuration in configurations():
            name = f"{configuration.name}, {configuration.keys:,} keys"
            if only and not any(part in name for part in only):
                continue
            for made in figures(configuration, measure(spark, configuration)):
                ratio = f"{made['ratio']:.3g}" if made["ratio"] else "–"
                print(f"{made['name']}: {made['ours'] or 0:.4g} {made['unit']}, ratio {ratio}", flush=True)
                found.append(made)
            write(found, on, bool(only))  # a run that is cut short leaves what it has
    print(write(found, on, bool(only)))


if __name__ == "__main__":
    main()
