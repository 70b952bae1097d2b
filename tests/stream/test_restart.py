"""Going on from a checkpoint: after a stop, a change of spec, a failure, a kill."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import paddlewheel as pw
import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, Row, SparkSession
from streams import AGGREGATES, EVENTS, Feed, assert_same, events, expected, rows_of, run, run_to_files
from turning import SPEC, turning

HERE = Path(__file__).parent
PUNCTUAL = 90  # seconds of delay by which none of `events` is late


def spec(**changed: Any) -> pw.Spec:
    usual: dict[str, Any] = {
        "keys": ["k"],
        "time": "ts",
        "levels": {"1 second": "2 hours", "1 minute": "1 day", "1 hour": None},
        "aggregates": AGGREGATES,
        "windows": {"tumbling": pw.tumbling("10 seconds"), "sliding": pw.sliding("1 minute", "7 seconds")},
    }
    return pw.Spec(**(usual | changed))


def feed_of(spark: SparkSession, folder: Path, batches: int, seed: int = 31) -> Feed:
    rng = random.Random(seed)
    feed = Feed(spark, folder / "in", EVENTS, delay=PUNCTUAL)
    for number in range(batches):
        feed.add(events(rng, 50 * number, 20))
    return feed


# --- another spec -----------------------------------------------------------------------------------------


def test_windows_come_and_go(spark: SparkSession, folder: Path) -> None:
    """A window that is added gives what ends from then on, out of what is kept; the others are as before."""
    first = spec()
    second = spec(
        windows={"sliding": first.windows["sliding"], "added": pw.sliding("2 minutes", "30 seconds")},
        levels={"1 second": "3 hours", "1 minute": "2 days", "1 hour": None},
    )
    feed = feed_of(spark, folder, 0)
    rng = random.Random(32)
    got = []
    third = spec(levels=second.levels)
    for number, wanted in enumerate([first, first, second, second, third]):
        feed.add(events(rng, 100 * number, 20))
        rows = rows_of(run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint")[0])
        reached = feed.watermarks(restarts=True)
        known = [
            row
            for row in expected(feed, wanted).collect()
            if reached[-2] < row.window.end.timestamp() * 10**6 <= reached[-1]
        ]
        assert_same(rows, known, wanted, some=number > 0)
        got += rows
    assert {row.window_name for row in got} == {"tumbling", "sliding", "added"}


def test_what_may_not_change_is_named(spark: SparkSession, folder: Path) -> None:
    usual = spec(keys=["k", "i"], levels={"1 second": "2 hours", "1 minute": "1 day"})
    changed = {
        "keys": spec(keys=["i", "k"], levels=usual.levels),
        "aggregates.total": spec(
            keys=usual.keys, levels=usual.levels, aggregates=AGGREGATES | {"total": "sum(i + 1)"}
        ),
        "aggregates.more": spec(
            keys=usual.keys, levels=usual.levels, aggregates=AGGREGATES | {"more": "count(*)"}
        ),
        "levels": spec(keys=usual.keys, levels={"1 second": "2 hours", "30 seconds": "1 day"}),
        "levels.1 minute": spec(keys=usual.keys, levels={"1 second": "2 hours", "1 minute": "3 hours"}),
        "time_zone": spec(keys=usual.keys, levels=usual.levels, time_zone="Asia/Tokyo"),
    }
    feed = feed_of(spark, folder, 1)
    got = run(pw.aggregate(feed.stream(), usual), folder / "checkpoint")[0]
    feed.add(events(random.Random(33), 300, 20))
    for field, wanted in changed.items():
        with pytest.raises(StreamingQueryException) as refused:
            run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint")
        assert f"{field}: [" in str(refused.value)
    got += run(pw.aggregate(feed.stream(), usual), folder / "checkpoint")[0]
    assert_same(rows_of(got), expected(feed, usual).collect(), usual)


def test_the_checkpoint_keeps_its_number_of_partitions(spark: SparkSession, folder: Path) -> None:
    wanted = spec()
    feed = feed_of(spark, folder, 1)
    got = run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint")[0]
    spark.conf.set("spark.sql.shuffle.partitions", "3")
    try:
        feed.add(events(random.Random(34), 300, 20))
        more, query = run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint")
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", "2")
    assert {p.stateOperators[0].numShufflePartitions for p in query.recentProgress} == {2}
    assert_same(rows_of(got + more), expected(feed, wanted).collect(), wanted)


# --- failures ---------------------------------------------------------------------------------------------


def test_batches_whose_commit_was_lost(spark: SparkSession, folder: Path) -> None:
    """They run again, over the state of the batch before, and the sink drops what it has."""
    wanted = spec()
    feed = feed_of(spark, folder, 0)
    rng = random.Random(35)
    for number in range(4):
        feed.add(events(rng, 60 * number, 20))
        run_to_files(pw.aggregate(feed.stream(), wanted), folder / "checkpoint", folder / "out")
        commits = sorted((folder / "checkpoint" / "commits").glob("[0-9]*"), key=lambda path: int(path.name))
        for lost in commits[-1:]:
            lost.unlink()
            (lost.parent / f".{lost.name}.crc").unlink(missing_ok=True)
    run_to_files(pw.aggregate(feed.stream(), wanted), folder / "checkpoint", folder / "out")
    got = spark.read.parquet(str(folder / "out")).collect()
    assert_same(got, expected(feed, wanted).collect(), wanted)


@pytest.mark.parametrize("after", [True, False], ids=["after the batch was computed", "before"])
def test_a_sink_that_fails_in_the_middle(spark: SparkSession, folder: Path, after: bool) -> None:
    wanted = spec()
    feed = feed_of(spark, folder, 5)
    collected: dict[int, list[Row]] = {}
    failures = [2, 4]

    def sink(batch: DataFrame, number: int) -> None:
        fails = failures[:1] == [number]
        if fails:
            failures.pop(0)
        if fails and not after:
            raise RuntimeError("the sink is full")
        collected[number] = batch.collect()
        if fails:
            raise RuntimeError("the sink is full")

    for _ in range(2):
        with pytest.raises(StreamingQueryException, match="the sink is full"):
            run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint", sink=sink)
    run(pw.aggregate(feed.stream(), wanted), folder / "checkpoint", sink=sink)
    assert_same(rows_of(list(collected.values())), expected(feed, wanted, restarts=False).collect(), wanted)


def test_killed_twenty_times(spark: SparkSession, folder: Path) -> None:
    """Whenever that is: while it plans, reads, computes, commits the state, the sink or the batch.

    Starting a JVM is what takes long, so there are two queries at a time, each killed ten times.
    """
    seed = time.time_ns()
    print(f"seed {seed}")  # shown when the test fails
    feeds = [feed_of(spark, folder / name, 0) for name in ("one", "two")]
    with ThreadPoolExecutor() as lanes:
        for lane in [lanes.submit(kill_ten_times, feed, seed + n) for n, feed in enumerate(feeds)]:
            lane.result()
    for feed in feeds:
        here = feed.folder.parent
        run_to_files(turning(spark, here, PUNCTUAL), here / "checkpoint", here / "out")
        got = spark.read.parquet(str(here / "out")).collect()
        assert_same(got, expected(feed, SPEC).collect(), SPEC)


def count(commits: Path) -> int:
    return len(list(commits.glob("[0-9]*")))


def _more(commits: Path, before: int) -> bool:
    return count(commits) > before


def kill_ten_times(feed: Feed, seed: int) -> None:
    """By turns some time after the start, and soon after a batch was committed."""
    rng = random.Random(seed)
    here = feed.folder.parent
    ready, log, commits = here / "ready", here / "log", here / "checkpoint" / "commits"
    for number in range(10):
        for part in range(2):
            feed.add(events(rng, 60 * (2 * number + part), 15))
        command = [sys.executable, str(HERE / "turning.py"), str(here), str(PUNCTUAL)]
        with log.open("w") as out:
            child = subprocess.Popen(command, stdout=out, stderr=out, start_new_session=True)
        before = count(commits)

        def wait_for(done: Callable[[], bool], child: subprocess.Popen[bytes] = child) -> None:
            deadline = time.monotonic() + 90
            while not done():
                assert child.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                time.sleep(0.02)

        try:
            wait_for(ready.exists)
            if number % 2:
                time.sleep(rng.uniform(0.5, 5))
            else:
                wait_for(partial(_more, commits, before))
                time.sleep(rng.uniform(0, 1.5))
            assert child.poll() is None, log.read_text()
        finally:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        ready.unlink()
