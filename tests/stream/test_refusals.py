"""A spec that does not fit its stream is refused, with every fault at once."""

from pathlib import Path
from typing import Any

import paddlewheel as pw
import pytest
from pyspark.sql import SparkSession
from streams import EVENTS, Feed

GOOD: dict[str, Any] = {
    "keys": ["k"],
    "time": "ts",
    "levels": {"1 second": "1 hour", "1 minute": None},
    "aggregates": {"rows": "count(*)"},
    "windows": {"tumbling": pw.tumbling("10 seconds")},
}


@pytest.fixture
def feed(spark: SparkSession, folder: Path) -> Feed:
    return Feed(spark, folder / "in", f"{EVENTS}, m map<string, int>")


def test_every_fault_at_once(feed: Feed) -> None:
    bad = pw.Spec(
        keys=["kk", "m"],
        time="ts",
        levels={"1 second": "1 hour", "7 seconds": None, "1 hour": "1 minute"},
        aggregates={
            "distinct": "count(DISTINCT v)",
            "first": "first(v)",
            "last": "last_value(v)",
            "any": "any_value(v)",
            "joined": "listagg(k, ',')",
            "plain": "v + 1",
            "random": "sum(rand())",
            "now": "max(current_timestamp())",
            "nested": "sum(max(v))",
            "over": "sum(v) OVER (PARTITION BY k)",
            "unknown": "sum(nothing)",
            "syntax": "sum(",
            "typed": "sum(m)",
        },
        windows={
            "fraction": pw.tumbling("1500 milliseconds"),
            "slide": pw.sliding("10 seconds", "20 seconds"),
            "words": pw.session("a while"),
        },
        allowed_lateness="soon",
        emission="sometimes",  # type: ignore[arg-type]
    )
    with pytest.raises(pw.SpecError) as refused:
        pw.aggregate(feed.stream(), bad)
    fields = {fault.field for fault in refused.value.faults}
    wanted = {"keys[0]", "keys[1]", "levels", "allowed_lateness", "emission"}
    wanted |= {f"aggregates.{name}" for name in bad.aggregates}
    wanted |= {"windows.slide", "windows.words"}
    assert wanted - fields == set()
    for fault in refused.value.faults:
        assert fault.condition
        assert str(fault) in str(refused.value)


@pytest.mark.parametrize(
    ("changed", "field", "condition"),
    [
        ({"time": "when"}, "time", "COLUMN_UNKNOWN"),
        ({"time": "k"}, "time", "TIME_NOT_A_TIMESTAMP"),
        ({"windows": {"w": pw.tumbling("1500 milliseconds")}}, "windows.w", None),
        ({"levels": {"1 second": "1 minute"}, "windows": {"w": pw.tumbling("1 hour")}}, "windows.w", None),
        ({"levels": {"1 second": None, "1 hour": None}}, "levels", "FAN_OUT_TOO_WIDE"),
        ({"time_zone": "Mars/Olympus"}, "time_zone", "ZONE_UNKNOWN"),
        ({"aggregates": {"k": "count(*)"}}, "aggregates.k", "NAME_REPEATED"),
        ({"aggregates": {"window": "count(*)"}}, "aggregates.window", "NAME_RESERVED"),
        ({"aggregates": {}}, "aggregates", "AGGREGATES_EMPTY"),
        ({"windows": {}}, "windows", "WINDOWS_EMPTY"),
    ],
)
def test_one_fault(feed: Feed, changed: dict[str, Any], field: str, condition: str | None) -> None:
    with pytest.raises(pw.SpecError) as refused:
        pw.aggregate(feed.stream(), pw.Spec(**(GOOD | changed)))
    assert [fault.field for fault in refused.value.faults] == [field]
    assert condition in (None, refused.value.faults[0].condition)


def test_a_stream_needs_a_watermark_on_its_time(spark: SparkSession, feed: Feed) -> None:
    bare = spark.readStream.schema(EVENTS).parquet(str(feed.folder))
    with pytest.raises(pw.SpecError, match="withWatermark") as refused:
        pw.aggregate(bare, pw.Spec(**GOOD))
    assert [fault.condition for fault in refused.value.faults] == ["WATERMARK_MISSING"]
    assert pw.aggregate(feed.stream(), pw.Spec(**GOOD)).isStreaming
