"""A query on two executors, with a task that fails and is tried again: `python executors.py FOLDER`."""

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import paddlewheel as pw
import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame
from streams import AGGREGATES, EVENTS, Feed, assert_same, events, expected, replay, rows_of, session

SPEC = pw.Spec(
    keys=["k"],
    time="ts",
    levels={"1 second": "2 minutes", "1 minute": "10 minutes"},
    aggregates=AGGREGATES,
    windows={"tumbling": pw.tumbling("10 seconds"), "sliding": pw.sliding("1 minute", "20 seconds")},
)


def main(folder: Path) -> None:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = session(
        "local-cluster[2,1,1024]",
        **{
            "spark.task.maxFailures": "4",
            "spark.executor.memory": "1g",
            "spark.python.worker.reuse": "false",
        },
    )
    rng = random.Random(42)
    feed = Feed(spark, folder / "in", EVENTS, delay=90)
    marker = folder / "failed"

    def fail_once(parts: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """After its rows, so that windows have been given out and state has been committed by then."""
        yield from parts
        if not marker.exists():
            marker.touch()
            raise RuntimeError("a task that fails once")

    def failing() -> DataFrame:
        out = pw.aggregate(feed.stream(), SPEC)
        return out.mapInArrow(fail_once, out.schema)

    batches = [events(rng, now, 40, ["a", "b", "c", "d", None]) for now in (0, 40, 700, 720)]
    got = replay(feed, batches, {"wheel": failing}, folder)
    assert marker.exists()
    assert_same(rows_of(got["wheel"]), expected(feed, SPEC).collect(), SPEC)
    spark.stop()
    print("same")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
