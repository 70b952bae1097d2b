"""Append mode: the rows that Spark itself gives, whatever comes in."""

import random
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import paddlewheel as pw
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from streams import (
    AGGREGATES,
    EVENTS,
    NOON,
    Feed,
    assert_same,
    at,
    events,
    expected,
    moments,
    replay,
    rows_of,
    run,
    run_to_files,
    stock_union,
    value,
)

LEVELS = {"1 second": "2 hours", "1 minute": "1 day", "1 hour": None}

few = settings(
    max_examples=2,
    phases=[Phase.generate],
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
seeds = st.integers(0, 2**32)


def spec(**changed: Any) -> pw.Spec:
    usual: dict[str, Any] = {
        "keys": ["k"],
        "time": "ts",
        "levels": LEVELS,
        "aggregates": AGGREGATES,
        "windows": {"tumbling": pw.tumbling("10 seconds")},
    }
    return pw.Spec(**(usual | changed))


def fresh(folder: Path) -> Path:
    """A folder of its own for each example of a property."""
    return folder / str(len(list(folder.iterdir())))


# --- disorder, late rows, restarts ----------------------------------------------------------------------


@few
@given(seed=seeds)
def test_the_rows_of_stock_streaming(spark: SparkSession, folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    wanted = spec(
        windows={
            "tumbling": pw.tumbling("10 seconds"),
            "sliding": pw.sliding("60 seconds", "7 seconds"),
            "session": pw.session("5 seconds"),
        }
    )
    here = fresh(folder)
    feed = Feed(spark, here / "in", EVENTS)
    got = replay(
        feed,
        [events(rng, now, rng.randint(1, 40)) for now in moments(rng, 4)],
        {
            "wheel": lambda: pw.aggregate(feed.stream(), wanted),
            "stock": lambda: stock_union(feed.stream(), wanted),
        },
        here,
    )
    assert_same(rows_of(got["wheel"]), rows_of(got["stock"]), wanted)

    # The batch computation that the other tests compare with is held to the same.
    known = spec(windows={name: w for name, w in wanted.windows.items() if name != "session"})
    stock = [row for row in rows_of(got["stock"]) if row.window_name != "session"]
    assert_same(expected(feed, known).collect(), stock, known)


@few
@given(seed=seeds)
def test_restarts_between_all_batches(spark: SparkSession, folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    wanted = spec(
        windows={
            "tumbling": pw.tumbling("10 seconds"),
            "whole": pw.sliding("1 minute", "20 seconds"),
            "ragged": pw.sliding("50 seconds", "7 seconds"),
            "long": pw.sliding("1 hour", "1 minute"),
            "cumulative": pw.cumulative("1 minute", "10 seconds"),
            "uneven": pw.cumulative("1 minute", "25 seconds"),
        }
    )
    here = fresh(folder)
    feed = Feed(spark, here / "in", EVENTS, delay=rng.choice([0, 5, 90]))
    batches = [events(rng, now, rng.randint(0, 40)) for now in moments(rng, 6)]
    got = replay(feed, batches, {"wheel": lambda: pw.aggregate(feed.stream(), wanted)}, here)
    assert_same(rows_of(got["wheel"]), expected(feed, wanted).collect(), wanted)


def test_many_batches_in_one_run(spark: SparkSession, folder: Path) -> None:
    rng = random.Random(3)
    wanted = spec(
        windows={
            "tumbling": pw.tumbling("5 seconds"),
            "sliding": pw.sliding("40 seconds", "3 seconds"),
            "cumulative": pw.cumulative("1 hour", "15 minutes"),
        }
    )
    feed = Feed(spark, folder / "in", EVENTS)
    for now in moments(rng, 15):
        feed.add(events(rng, now, rng.randint(0, 30)))
    got, _ = run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint")
    assert_same(rows_of(got), expected(feed, wanted, restarts=False).collect(), wanted)


# --- keys -----------------------------------------------------------------------------------------------

KEYS: dict[str, tuple[str, list[Any]]] = {
    "text": ("string", ["", "a", "å", "a" * 300, None]),
    "tiny": ("tinyint", [-128, 0, 127, None]),
    "whole": ("int", [-(2**31), 0, 7, None]),
    "big": ("bigint", [-(2**63), 0, 2**63 - 1, None]),
    "single": ("float", [0.0, -0.0, float("nan"), 1.5, float("-inf"), None]),
    "double": ("double", [0.0, -0.0, float("nan"), 1.5, float("inf"), None]),
    "money": ("decimal(10,2)", [Decimal("-1.50"), Decimal("0.00"), Decimal("99999999.99"), None]),
    "wide": ("decimal(38,4)", [Decimal("-12345678901234567890123456789.0001"), Decimal("0.0000"), None]),
    "day": ("date", [date(1, 1, 1), date(1969, 12, 31), date(2026, 3, 7), None]),
    "moment": ("timestamp", [datetime(1960, 1, 1, 0, 0, 0, 1), NOON, None]),
    "local": ("timestamp_ntz", [datetime(1960, 1, 1, 0, 0, 0, 1), NOON, None]),
    "flag": ("boolean", [True, False, None]),
    "bytes": ("binary", [b"", b"\0", b"\0\xff", None]),
    "pair": ("struct<a: int, b: string>", [{"a": 1, "b": None}, {"a": None, "b": "x"}, None]),
    "list": ("array<int>", [[], [1, None], [1, 2], None]),
}


@pytest.mark.parametrize(
    "together",
    [
        ["text"],
        ["double"],
        ["whole", "single"],
        ["tiny", "big", "money", "wide"],
        ["day", "moment", "local"],
        ["flag", "bytes"],
        ["pair", "list"],
    ],
    ids=",".join,
)
def test_keys_of_every_type(spark: SparkSession, folder: Path, together: list[str]) -> None:
    rng = random.Random(repr(together))
    schema = "ts timestamp, i bigint, " + ", ".join(f"{name} {KEYS[name][0]}" for name in together)
    feed = Feed(spark, folder / "in", schema, delay=10)
    for now in (0, 30):
        feed.add(
            (at(now + rng.uniform(-15, 0)), rng.randint(-99, 99), *(rng.choice(KEYS[k][1]) for k in together))
            for _ in range(25)
        )
    wanted = spec(
        keys=together,
        aggregates={"rows": "count(*)", "total": "sum(i)"},
        windows={"tumbling": pw.tumbling("10 seconds"), "sliding": pw.sliding("20 seconds", "5 seconds")},
    )
    got, _ = run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint")
    assert_same(rows_of(got), expected(feed, wanted, restarts=False).collect(), wanted)


def test_no_keys_into_foreach_batch(spark: SparkSession, folder: Path) -> None:
    wanted = spec(keys=[], aggregates={"rows": "count(*)"})
    feed = Feed(spark, folder / "in", EVENTS)
    feed.add([(at(0), "a", 1, 1.0), (at(100), "a", 1, 1.0)])
    got, _ = run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint")
    assert_same(rows_of(got), expected(feed, wanted).collect(), wanted)


def test_no_keys_at_all(spark: SparkSession, folder: Path) -> None:
    rng = random.Random(5)
    wanted = spec(
        keys=[],
        windows={"tumbling": pw.tumbling("10 seconds"), "ragged": pw.sliding("50 seconds", "7 seconds")},
    )
    feed = Feed(spark, folder / "in", EVENTS)
    for now in (0, 40, 300):
        feed.add(events(rng, now, 20))
        run_to_files(pw.aggregate(feed.stream(), wanted), folder / "checkpoint", folder / "out")
    got = spark.read.parquet(str(folder / "out"))
    assert_same(got.collect(), expected(feed, wanted).collect(), wanted)


# --- time -----------------------------------------------------------------------------------------------


def test_empty_batches_and_idle_years(spark: SparkSession, folder: Path) -> None:
    """Also, the first watermark is far beyond the first window: one batch has rows hours apart."""
    rng = random.Random(6)
    year = 366 * 86400.0
    wanted = spec(
        windows={
            "tumbling": pw.tumbling("10 seconds"),
            "hour": pw.sliding("1 hour", "20 minutes"),
            "cumulative": pw.cumulative("1 day", "6 hours"),
        }
    )
    feed = Feed(spark, folder / "in", EVENTS)
    first = [*events(rng, 0, 20), *events(rng, 9 * 3600, 3)]
    batches = [[], first, [], events(rng, year, 20), [], events(rng, year + 5, 20), events(rng, 3 * year, 9)]
    got = replay(feed, batches, {"wheel": lambda: pw.aggregate(feed.stream(), wanted)}, folder)
    assert_same(rows_of(got["wheel"]), expected(feed, wanted).collect(), wanted)


def test_a_base_coarser_than_seconds(spark: SparkSession, folder: Path) -> None:
    rng = random.Random(7)
    wanted = spec(
        levels={"15 minutes": "2 days", "3 hours": "30 days", "1 day": None},
        windows={
            "half": pw.tumbling("30 minutes"),
            "ragged": pw.sliding("150 minutes", "45 minutes"),
            "day": pw.tumbling("1 day"),
        },
    )
    feed = Feed(spark, folder / "in", EVENTS, delay=3600)
    for hours in (0, 2, 3, 30, 31, 200):
        feed.add(events(rng, hours * 3600, 20, spread=2 * 3600))
    got, _ = run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint")
    assert_same(rows_of(got), expected(feed, wanted, restarts=False).collect(), wanted)


def test_windows_outlive_what_retention_lets_go(spark: SparkSession, folder: Path) -> None:
    """Every level lets go of slots, and rows that are late for one window still count for a longer one."""
    rng = random.Random(8)
    wanted = spec(
        levels={"1 second": "2 minutes", "1 minute": "3 hours", "1 hour": "2 days"},
        windows={
            "tumbling": pw.tumbling("10 seconds"),
            "hour": pw.sliding("1 hour", "5 minutes"),
            "day": pw.sliding("1 day", "1 hour"),
        },
    )
    feed = Feed(spark, folder / "in", EVENTS, delay=30)
    now = 0.0
    for batch in range(14):
        feed.add(events(rng, now, 15, spread=200))
        now += 37 if batch % 4 else 8 * 3600
    got, query = run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint")
    assert_same(rows_of(got), expected(feed, wanted, restarts=False).collect(), wanted)
    assert sum(progress.stateOperators[0].numRowsRemoved for progress in query.recentProgress) > 0


@pytest.mark.parametrize("change", [datetime(2026, 3, 29, 1), datetime(2026, 10, 25, 1)])
def test_days_of_a_zone_with_daylight_saving(spark: SparkSession, folder: Path, change: datetime) -> None:
    rng = random.Random(9)
    zone = "Europe/Stockholm"
    feed = Feed(spark, folder / "in", EVENTS)
    batches = [
        [
            (
                change + timedelta(hours=rng.uniform(-36, 36), days=later),
                rng.choice("ab"),
                rng.randint(-9, 9),
                value(rng),
            )
            for _ in range(60)
        ]
        for later in (0, 1, 9)
    ]
    feed.delay = 5 * 86400
    wanted = spec(
        levels={"15 minutes": "30 days", "1 hour": "30 days", "1 day": None},
        windows={"day": pw.tumbling("1 day"), "hour": pw.tumbling("1 hour")},
        time_zone=zone,
    )
    spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        got = replay(feed, batches, {"wheel": lambda: pw.aggregate(feed.stream(), wanted)}, folder)

        def truncated(unit: str) -> DataFrame:
            start = F.date_trunc(unit, "ts")
            end = start + F.expr(f"INTERVAL '1' {unit}")
            by = feed.table().groupBy("k", F.struct(start.alias("start"), end.alias("end")).alias("window"))
            rows = by.agg(*[F.expr(sql).alias(name) for name, sql in AGGREGATES.items()])
            return rows.withColumn("window_name", F.lit(unit))

        ended = F.unix_micros("window.end") <= feed.watermarks(restarts=True)[-1]
        want = truncated("day").unionByName(truncated("hour")).where(ended).collect()
    finally:
        spark.conf.set("spark.sql.session.timeZone", "UTC")
    lengths = {row.window.end - row.window.start for row in want if row.window_name == "day"}
    assert len(lengths) == 2, "the day of the change is an hour shorter or longer"
    assert_same(rows_of(got["wheel"]), want, wanted)


def test_local_time_in_a_batch(spark: SparkSession, folder: Path) -> None:
    rng = random.Random(10)
    wanted = spec(
        windows={"tumbling": pw.tumbling("10 seconds"), "sliding": pw.sliding("60 seconds", "7 seconds")}
    )
    feed = Feed(spark, folder / "in", EVENTS.replace("timestamp", "timestamp_ntz"))
    feed.add(events(rng, 0, 50))
    rows = feed.table()
    got = pw.aggregate(rows, wanted)
    assert got.schema["window"].dataType.simpleString() == "struct<start:timestamp_ntz,end:timestamp_ntz>"
    assert_same(got.collect(), stock_union(rows, wanted).collect(), wanted)
