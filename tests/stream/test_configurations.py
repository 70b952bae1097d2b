"""The same rows under every setting of the state store, and on executors of their own."""

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import paddlewheel as pw
import pytest
from pyspark.sql import SparkSession
from streams import AGGREGATES, EVENTS, Feed, assert_same, events, expected, replay, rows_of

STORE = "spark.sql.streaming.stateStore"
CHANGELOG = f"{STORE}.rocksdb.changelogCheckpointing.enabled"
FORMAT = f"{STORE}.checkpointFormatVersion"

# Nothing expires, so that no range of rows is deleted.
KEPT: dict[str, str | None] = {"1 second": None, "1 minute": None}
EXPIRING: dict[str, str | None] = {"1 second": "2 minutes", "1 minute": "10 minutes"}


def spec(levels: dict[str, str | None]) -> pw.Spec:
    return pw.Spec(
        keys=["k"],
        time="ts",
        levels=levels,
        aggregates=AGGREGATES,
        windows={"tumbling": pw.tumbling("10 seconds"), "sliding": pw.sliding("1 minute", "20 seconds")},
    )


@pytest.mark.parametrize(
    ("levels", "settings"),
    [
        pytest.param(KEPT, {CHANGELOG: "true"}, id="changelog"),
        pytest.param(KEPT, {CHANGELOG: "true", FORMAT: "2"}, id="changelog, format 2"),
        pytest.param(EXPIRING, {FORMAT: "2"}, id="format 2"),
        pytest.param(EXPIRING, {CHANGELOG: "true"}, id="changelog and retention"),
        pytest.param(EXPIRING, {f"{STORE}.wheel.cacheKeys": "2"}, id="few keys in memory"),
        pytest.param(EXPIRING, {f"{STORE}.unloadOnCommit": "true"}, id="unloaded after each batch"),
        pytest.param(
            EXPIRING, {"spark.sql.streaming.statefulOperator.allowMultiple": "false"}, id="one operator"
        ),
    ],
)
def test_settings(
    spark: SparkSession, folder: Path, levels: dict[str, str | None], settings: dict[str, str]
) -> None:
    rng = random.Random(41)
    wanted = spec(levels)
    feed = Feed(spark, folder / "in", EVENTS, delay=90)
    keys = [None, *(f"key {n}" for n in range(50))]
    for key, setting in settings.items():
        spark.conf.set(key, setting)
    try:
        # None of the rows is late: by which watermark they would be depends on allowMultiple.
        batches: list[Any] = [events(rng, now, 60, keys) for now in (0, 40, 700)]
        got = replay(feed, batches, {"wheel": lambda: pw.aggregate(feed.stream(), wanted)}, folder)
        for now in (720, 760, 1500):
            feed.add(events(rng, now, 60, keys))
        more = replay(feed, [[]], {"wheel": lambda: pw.aggregate(feed.stream(), wanted)}, folder)
    finally:
        for key in settings:
            spark.conf.unset(key)
    assert_same(rows_of(got["wheel"] + more["wheel"]), expected(feed, wanted).collect(), wanted)


def test_executors_of_their_own(folder: Path) -> None:
    """Two executors, a task that fails once, another session: in a process of its own, see there."""
    command = [sys.executable, str(Path(__file__).parent / "executors.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=150, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-5000:]
    assert done.stdout.splitlines()[-1] == "same"
