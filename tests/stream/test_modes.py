"""Output modes, emission and lateness, and the same spec on what is no stream."""

import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import paddlewheel as pw
import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import Row, SparkSession
from streams import (
    AGGREGATES,
    EVENTS,
    Collected,
    Feed,
    assert_same,
    close,
    events,
    expected,
    replay,
    rows_of,
    run,
)
from streams import stock as stock_of


def spec(**changed: Any) -> pw.Spec:
    usual: dict[str, Any] = {
        "keys": ["k"],
        "time": "ts",
        "levels": {"1 second": "2 hours", "1 minute": None},
        "aggregates": AGGREGATES,
        "windows": {"tumbling": pw.tumbling("10 seconds"), "sliding": pw.sliding("1 minute", "20 seconds")},
    }
    return pw.Spec(**(usual | changed))


def last_of_each(batches: Collected) -> list[Row]:
    """The rows that a table which is updated by key and window ends up with."""
    found = {(row.k, row.window_name, row.window): row for batch in batches for row in batch}
    return list(found.values())


def touched(batches: Collected, name: str) -> list[set[Any]]:
    """The windows that each batch with rows gave out."""
    found = [{(row.k, row.window) for row in batch if row.window_name == name} for batch in batches]
    return [keys for keys in found if keys]


def test_update_mode_is_that_of_stock_streaming(spark: SparkSession, folder: Path) -> None:
    rng = random.Random(21)
    wanted = spec()
    feed = Feed(spark, folder / "in", EVENTS)
    queries = {name: (lambda name=name: stock_of(feed.stream(), wanted, name)) for name in wanted.windows}
    batches = [events(rng, now, 25) for now in (0, 10, 45, 300)]
    got = replay(
        feed, batches, queries | {"wheel": lambda: pw.aggregate(feed.stream(), wanted)}, folder, "update"
    )
    assert_same(last_of_each(got["wheel"]), last_of_each(got["tumbling"] + got["sliding"]), wanted)
    for name in wanted.windows:
        assert touched(got["wheel"], name) == touched(got[name], name)


@pytest.mark.parametrize("updates", [True, False])
def test_allowed_lateness(spark: SparkSession, folder: Path, updates: bool) -> None:
    """Late rows go into the history; update mode gives their windows out again, append mode does not."""
    rng = random.Random(22)
    wanted = spec(
        allowed_lateness="1 hour", aggregates={"rows": "count(*)", "total": "sum(i)", "low": "min(v)"}
    )
    feed = Feed(spark, folder / "in", EVENTS, delay=5)
    batches = [events(rng, now, 25) for now in (0, 200, 100, 400, 10, 0)]
    query = {"wheel": lambda: pw.aggregate(feed.stream(), wanted)}
    got = replay(feed, batches, query, folder, "update" if updates else "append")["wheel"]
    if updates:
        assert_same(last_of_each(got), expected(feed, wanted, complete=True).collect(), wanted)
    else:
        strict = spec(aggregates=wanted.aggregates)
        names = {(row.k, row.window_name, row.window) for row in expected(feed, strict).collect()}
        assert {(row.k, row.window_name, row.window) for row in rows_of(got)} == names


def test_rows_too_late_even_for_the_history(spark: SparkSession, folder: Path) -> None:
    rng = random.Random(23)
    wanted = spec(allowed_lateness="1 minute")
    feed = Feed(spark, folder / "in", EVENTS, delay=0)
    batches = [[row for row in events(rng, now, 20) if row[0]] for now in (0, 5000)]
    query = {"wheel": lambda: pw.aggregate(feed.stream(), wanted)}
    got = replay(feed, batches, query, folder, "update")["wheel"]
    feed.add(row for row in events(rng, 100, 20) if row[0])
    late, query_run = run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint-wheel", "update")
    assert rows_of(late) == []
    assert sum(p.stateOperators[0].numRowsDroppedByWatermark for p in query_run.recentProgress) > 0
    table = feed.table(upto=2)
    assert_same(last_of_each(got), expected(feed, wanted, complete=True, table=table).collect(), wanted)


def test_emission(spark: SparkSession, folder: Path) -> None:
    """`latest` and `changed` are choices among the rows of `every`."""
    rng = random.Random(24)
    few = {"rows": "count(*)", "high": "max(i)"}
    windows = {"tumbling": pw.tumbling("5 seconds"), "sliding": pw.sliding("1 minute", "5 seconds")}
    specs = {
        emission: spec(emission=emission, aggregates=few, windows=windows)
        for emission in ("every", "latest", "changed")
    }
    feed = Feed(spark, folder / "in", EVENTS)
    queries = {name: (lambda s=s: pw.aggregate(feed.stream(), s)) for name, s in specs.items()}
    got = replay(feed, [events(rng, now, 12) for now in (0, 60, 100, 700)], queries, folder)

    newest: dict[Any, Row] = {}
    for number, batch in enumerate(got["every"]):
        for row in batch:
            key = (number, row.k, row.window_name)
            newest[key] = max(row, newest.get(key, row), key=lambda row: row.window.start)
    assert_same(rows_of(got["latest"]), newest.values(), specs["latest"])

    every = {(row.k, row.window_name, row.window.start): row for row in rows_of(got["every"])}
    changed = []
    for (k, name, start), row in every.items():
        before = every.get((k, name, start - timedelta(seconds=5)))
        if before is None or not all(close(row[column], before[column]) for column in few):
            changed.append(row)
    assert_same(rows_of(got["changed"]), changed, specs["changed"])
    assert 0 < len(changed) < len(every)


@pytest.mark.parametrize(
    ("mode", "changed", "told"),
    [
        ("complete", {}, "Complete mode would give out every window ever seen"),
        ("update", {"windows": {"visit": pw.session("5 seconds")}}, "Update mode is not for session windows"),
        ("update", {"emission": "changed"}, "it has no emission 'changed'"),
    ],
)
def test_refused_modes(
    spark: SparkSession, folder: Path, mode: str, changed: dict[str, Any], told: str
) -> None:
    feed = Feed(spark, folder / "in", EVENTS)
    feed.add(events(random.Random(1), 0, 3))
    with pytest.raises(StreamingQueryException, match=told):
        run(pw.aggregate(feed.stream(), spec(**changed)), folder / "checkpoint", mode)


def test_a_batch_gives_all_windows(spark: SparkSession, folder: Path) -> None:
    rng = random.Random(25)
    wanted = spec(
        keys=["k", "i"],
        aggregates={"rows": "count(*)", "sum": "sum(v)", "low": "min(v)", "spread": "stddev(v)"},
        windows={
            "tumbling": pw.tumbling("10 seconds"),
            "ragged": pw.sliding("50 seconds", "7 seconds"),
            "session": pw.session("5 seconds"),
            "cumulative": pw.cumulative("1 minute", "10 seconds"),
        },
    )
    feed = Feed(spark, folder / "in", EVENTS)
    for now in (0, 30, 10**7):
        feed.add((t, k, (i or 0) % 3, v) for t, k, i, v in events(rng, now, 40))
    got = pw.aggregate(feed.table(), wanted)
    assert not got.isStreaming
    assert_same(got.collect(), expected(feed, wanted, complete=True).collect(), wanted)


def test_a_batch_without_rows_or_keys(spark: SparkSession, folder: Path) -> None:
    feed = Feed(spark, folder / "in", EVENTS)
    feed.add(events(random.Random(26), 0, 20))
    wanted = spec(keys=[])
    assert pw.aggregate(feed.table().limit(0), wanted).collect() == []
    got = pw.aggregate(feed.table(), wanted).collect()
    assert_same(got, expected(feed, wanted, complete=True).collect(), wanted)
