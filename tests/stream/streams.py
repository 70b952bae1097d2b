"""What every test of this folder does: lay a stream of files, run a query over it, say what must come out.

What must come out is computed by Spark itself, in one of two ways. `stock` is the streaming query one would
write without Paddlewheel. `expected` is a batch GROUP BY over the same rows, each with the watermark it was
held to, so that it knows which rows were late for which window; `test_windows` checks it against `stock`.
"""

import math
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import reduce
from pathlib import Path
from typing import Any

import paddlewheel as pw
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
from paddlewheel.windows import Cumulative, Session, Sliding, Tumbling, Window
from pyspark.sql import Column, DataFrame, Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.types import StructType

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.session.timeZone": "UTC",
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
    # Most time goes into code that runs a few times only, so compiling it well does not pay.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def session(master: str = "local[2]", **settings: str) -> SparkSession:
    builder = pw.configure(SparkSession.builder.master(master))
    for key, value in (SETTINGS | settings).items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


NOON = datetime(2026, 3, 7, 12)
BATCH = "_batch"
LATE = "_late"


def at(seconds: float) -> datetime:
    """So many seconds after noon."""
    return NOON + timedelta(seconds=seconds)


def micros(instant: datetime) -> int:
    return (instant.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def types_of(schema: str) -> StructType:
    types = StructType.fromDDL(schema)
    assert isinstance(types, StructType)
    return types


@dataclass
class Feed:
    """Files of rows, one for each batch of a stream; the first timestamp in the schema is the event time."""

    spark: SparkSession
    folder: Path
    schema: str
    delay: int = 20  # seconds that the watermark is behind
    batches: list[list[tuple[Any, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self.types = types_of(self.schema)
        self.place = next(
            i for i, f in enumerate(self.types) if f.dataType.typeName().startswith("timestamp")
        )
        self.time = self.types[self.place].name

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Lays the next batch before the stream."""
        number = len(self.batches)
        self.batches.append(list(rows))
        schema = to_arrow_schema(self.types, timezone="UTC").append(pa.field(BATCH, pa.int32()))
        plain = [dict(zip(schema.names, (*row, number), strict=True)) for row in self.batches[-1]]
        path = self.folder / f"{number:05}.parquet"
        hidden = self.folder / f"_{path.name}"
        pq.write_table(pa.Table.from_pylist(plain, schema), hidden)
        os.utime(hidden, (1_700_000_000 + number, 1_700_000_000 + number))
        hidden.rename(path)

    def stream(self, files: int = 1) -> DataFrame:
        read = self.spark.readStream.schema(self.types).option("maxFilesPerTrigger", files)
        return read.parquet(str(self.folder)).withWatermark(self.time, f"{self.delay} seconds")

    def table(self, upto: int | None = None) -> DataFrame:
        """The rows so far, as no stream."""
        read = self.spark.read.schema(f"{self.schema}, {BATCH} int")
        rows = read.parquet(str(self.folder))
        return rows if upto is None else rows.where(F.col(BATCH) < upto)

    def watermarks(self, restarts: bool) -> list[int]:
        """What the rows of each batch are held to, in microseconds, and at last where the watermark ends up.

        With a restart after every batch, windows have been closed by the time that the next one comes. In one
        run there is no time for that, and Spark holds rows to the watermark of the batch before the last.
        """
        reached = [0]
        for rows in self.batches:
            times = [micros(row[self.place]) for row in rows if row[self.place] is not None]
            newest = max(times, default=0) // 1000 * 1000 - self.delay * 1_000_000
            reached.append(max(reached[-1], newest))
        return reached if restarts else [0, *reached[:-2], reached[-1]]


Collected = list[list[Row]]


def run(
    df: DataFrame,
    checkpoint: Path,
    mode: str = "append",
    sink: Callable[[DataFrame, int], None] | None = None,
) -> tuple[Collected, StreamingQuery]:
    """Runs a query over all there is to read, and collects what each batch gives."""
    batches: Collected = []

    def collect(batch: DataFrame, _: int) -> None:
        batches.append(batch.collect())

    writer = df.writeStream.outputMode(mode).option("checkpointLocation", str(checkpoint))
    query = writer.foreachBatch(sink or collect).trigger(availableNow=True).start()
    query.awaitTermination()
    return batches, query


def run_to_files(df: DataFrame, checkpoint: Path, out: Path) -> StreamingQuery:
    """Runs a query over all there is to read, into Spark's own sink of files: exactly once."""
    writer = df.writeStream.option("checkpointLocation", str(checkpoint)).format("parquet")
    query = writer.trigger(availableNow=True).start(str(out))
    query.awaitTermination()
    return query


def rows_of(batches: Collected) -> list[Row]:
    return [row for batch in batches for row in batch]


def replay(
    feed: Feed,
    batches: Iterable[Iterable[tuple[Any, ...]]],
    queries: Mapping[str, Callable[[], DataFrame]],
    folder: Path,
    mode: str = "append",
) -> dict[str, Collected]:
    """Runs queries over batches, all of them started anew for each."""
    collected: dict[str, Collected] = {name: [] for name in queries}
    for batch in batches:
        feed.add(batch)
        for name, query in queries.items():
            collected[name] += run(query(), folder / f"checkpoint-{name}", mode)[0]
    return collected


# --- what must come out ---------------------------------------------------------------------------------


def stock(df: DataFrame, spec: pw.Spec, name: str) -> DataFrame:
    """What a user would write for one window of a spec without Paddlewheel."""
    window = spec.windows[name]
    if isinstance(window, Session):
        column = F.session_window(spec.time, window.gap)
    elif isinstance(window, Sliding):
        column = F.window(spec.time, window.range, window.slide)
    else:
        assert isinstance(window, Tumbling)
        column = F.window(spec.time, window.size)
    return _ordered(df.groupBy(*spec.keys, column.alias("window")).agg(*_aggregates(spec)), spec, name)


def stock_union(df: DataFrame, spec: pw.Spec) -> DataFrame:
    """One query with an aggregate for every window of a spec."""
    return reduce(DataFrame.union, [stock(df, spec, name) for name in spec.windows])


def expected(
    feed: Feed,
    spec: pw.Spec,
    *,
    restarts: bool = True,
    complete: bool = False,
    table: DataFrame | None = None,
) -> DataFrame:
    """All that a run over the feed must emit in append mode.

    With `complete`, as if no row were late and all windows had ended; sessions are known only so.
    """
    rows = feed.table() if table is None else table
    marks = feed.watermarks(restarts)
    if not complete:
        held = F.element_at(F.array(*[F.lit(mark) for mark in marks]), F.col(BATCH) + 1)
        rows = rows.withColumn(LATE, held)
    found = []
    for name, window in spec.windows.items():
        windowed = rows.where(F.col(spec.time).isNotNull()).withColumn("window", _instances(spec, window))
        if not isinstance(window, Session):
            windowed = windowed.withColumn("window", F.explode("window"))
        if not complete:
            assert not isinstance(window, Session)
            end = F.unix_micros("window.end")
            windowed = windowed.where((end > F.col(LATE)) & (end <= marks[-1]))
        found.append(_ordered(windowed.groupBy(*spec.keys, "window").agg(*_aggregates(spec)), spec, name))
    return reduce(DataFrame.union, found)


def _instances(spec: pw.Spec, window: Window) -> Column:
    """The windows that a row is in, by plain arithmetic: an array of (start, end)."""
    time = F.col(spec.time)
    if isinstance(window, Session):
        return F.session_window(time, window.gap)
    if isinstance(window, Sliding):
        length, slide = seconds(window.range) * 10**6, seconds(window.slide) * 10**6
        starts = f"sequence(floor((us - {length}) / {slide}) * {slide} + {slide}, us, {slide})"
        ends = f"start + {length}"
    elif isinstance(window, Cumulative):
        length, step = seconds(window.size) * 10**6, seconds(window.step) * 10**6
        first = f"floor(us / {length}) * {length}"
        # Here "start" counts the steps, and is put right below.
        starts = f"sequence(floor((us - {first}) / {step}) + 1, ceil({length} / {step}))"
        ends = f"{first} + least({length}, start * {step})"
    else:
        assert isinstance(window, Tumbling)
        length = seconds(window.size) * 10**6
        starts, ends = f"array(floor(us / {length}) * {length})", f"start + {length}"
    start = first if isinstance(window, Cumulative) else "start"
    bounds = f"named_struct('start', timestamp_micros({start}), 'end', timestamp_micros({ends}))"
    each = f"transform({starts}, start -> {bounds})"
    return F.expr(f"flatten(transform(array(unix_micros({spec.time})), us -> {each}))")


def _aggregates(spec: pw.Spec) -> list[Column]:
    return [F.expr(sql).alias(name) for name, sql in spec.aggregates.items()]


def _ordered(df: DataFrame, spec: pw.Spec, name: str) -> DataFrame:
    """The columns of Paddlewheel's output."""
    named = [F.lit(name).alias("window_name")] if len(spec.windows) > 1 else []
    window = F.struct(F.col("window.start").alias("start"), F.col("window.end").alias("end")).alias("window")
    return df.select(*spec.keys, *named, window, *spec.aggregates)


def seconds(duration: str) -> int:
    amount, unit = duration.split()
    units = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
    return int(amount) * units[unit.removesuffix("s")]


# --- comparing ------------------------------------------------------------------------------------------


def assert_same(got: Iterable[Row], want: Iterable[Row], spec: pw.Spec, some: bool = True) -> None:
    """The same rows, in any order: one for each key and window; floats up to the order of summation."""
    names = [*spec.keys, *(["window_name"] if len(spec.windows) > 1 else []), "window"]
    found, wanted = _by_identity(got, names), _by_identity(want, names)
    assert wanted or not some, "a test over no windows shows nothing"
    missing = sorted(wanted.keys() - found.keys())
    extra = sorted(found.keys() - wanted.keys())
    told = f"{len(found)} rows, {len(wanted)} wanted; missing {missing[:5]}, not wanted {extra[:5]}"
    assert not missing, told
    assert not extra, told
    differing = [
        (key, name, found[key][name], wanted[key][name])
        for key in wanted
        for name in wanted[key]
        if not close(found[key][name], wanted[key][name])
    ]
    assert not differing, f"{len(differing)} values differ, as (key, column, got, want): {differing[:8]}"


def _by_identity(rows: Iterable[Row], names: Sequence[str]) -> dict[str, dict[str, Any]]:
    plain = [{name: _plain(value) for name, value in row.asDict().items()} for row in rows]
    repeated = Counter(repr([row[name] for name in names]) for row in plain)
    twice = [key for key, times in repeated.items() if times > 1]
    assert not twice, f"given out more than once: {twice[:5]}"
    return {
        repr([row[name] for name in names]): {name: row[name] for name in row if name not in names}
        for row in plain
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Row | tuple | list):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return bytes(value) if isinstance(value, bytearray) else value


def close(got: Any, want: Any) -> bool:
    if isinstance(want, float) and isinstance(got, float):
        return (math.isnan(got) and math.isnan(want)) or math.isclose(got, want, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(close, got, want))
    return type(got) is type(want) and bool(got == want)


# --- random rows ----------------------------------------------------------------------------------------

EVENTS = "ts timestamp, k string, i bigint, v double"
NOT_FINITE = [math.nan, math.inf, -math.inf]
AGGREGATES = {
    "rows": "count(*)",
    "known": "count(v)",
    "total": "sum(i)",
    "sum": "sum(v)",
    "mean": "avg(v)",
    "low": "min(v)",
    "high": "max(i)",
    "spread": "stddev(i)",
}


def value(rng: random.Random) -> float | None:
    """Mostly an ordinary number of either sign."""
    odd: list[float | None] = [None, None, 0.0, -0.0, *NOT_FINITE]
    return rng.choice(odd) if rng.random() < 0.15 else rng.uniform(-100, 100)


def events(
    rng: random.Random,
    now: float,
    count: int,
    keys: Sequence[str | None] = ("a", "b", None),
    spread: float = 60,
) -> list[tuple[Any, ...]]:
    """Rows of the last `spread` seconds and a few of the next, in no order; some have no time at all."""
    return [
        (
            None if rng.random() < 0.02 else at(now + rng.uniform(-spread, spread / 5)),
            rng.choice(keys),
            None if rng.random() < 0.1 else rng.randint(-(10**9), 10**9),
            value(rng),
        )
        for _ in range(count)
    ]


def moments(rng: random.Random, batches: int) -> list[float]:
    """When batches come: some soon after each other, some after a long while."""
    now, found = 0.0, []
    for _ in range(batches):
        now += rng.choice([3, 15, 15, 60, 200, 4000]) + rng.random()
        found.append(now)
    return found
