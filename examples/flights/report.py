"""What the demo prints while it runs."""

from collections.abc import Iterator
from datetime import UTC, datetime

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.streaming.listener import StreamingQueryProgress
from pyspark.sql.streaming.query import StreamingQuery

from replay import Replay

NEW_YORK = "America/New_York"

# In the table of the worst windows: how many flights must have left in one.
ENOUGH = {"hour": 5, "day": 30, "week": 150}


def print_replay(replay: Replay) -> None:
    print(f"{replay.flights:,} flights in {replay.files} files, in the order in which they left;")
    print(f"{replay.overtaken:,} of them come after a flight that was scheduled later.\n")


def follow(query: StreamingQuery) -> datetime:
    """Prints a line for each batch until the query ends; returns the watermark it ended with."""
    print("batch   watermark (UTC)   rows in  windows out  state rows  seconds")
    watermark = datetime.fromtimestamp(0, UTC)
    for batch in batches(query):
        watermark = datetime.fromisoformat(batch.eventTime["watermark"])
        wheels = batch.stateOperators[0]
        print(
            f"{batch.batchId:5}",
            f"{watermark:%Y-%m-%d %H:%M}" if watermark.timestamp() else f"{'none yet':16}",
            f"{batch.numInputRows:8,}",
            f"{wheels.customMetrics['wheelWindowsEmitted']:11,}",
            f"{wheels.numRowsTotal:10,}",
            f"{batch.batchDuration / 1000:7.1f}",
            sep="  ",
            flush=True,
        )
    return watermark


def batches(query: StreamingQuery) -> Iterator[StreamingQueryProgress]:
    """The progress of each batch, within a second of its end."""
    seen = -1
    ended: bool | None = False
    while not ended:
        ended = query.awaitTermination(1)
        for batch in query.recentProgress:
            if batch.batchId > seen:
                seen = batch.batchId
                yield batch


def print_worst(rows: DataFrame) -> None:
    counts = {row["window_name"]: row["count"] for row in rows.groupBy("window_name").count().collect()}
    by_window = ", ".join(f"{counts[name]:,} by {name}" for name in ENOUGH)
    print(f"\n{sum(counts.values()):,} windows from one state: {by_window}.")
    print("The worst of an airline at each airport, by the mean delay in minutes; times are New York's:\n")
    worst(rows).show(truncate=False)


def worst(rows: DataFrame) -> DataFrame:
    """For each window and airport the row with the highest mean."""
    enough = " OR ".join(
        f"window_name = '{name}' AND flights - cancelled >= {count}" for name, count in ENOUGH.items()
    )
    rows = (
        rows.where(enough).groupBy("window_name", "origin").agg(sf.expr("max_by(struct(*), mean) AS worst"))
    )
    return (
        rows.select("worst.*")
        .orderBy(sf.expr("window.end - window.start"), "origin")
        .select(
            sf.col("window_name").alias("window"),
            "origin",
            "carrier",
            *(sf.date_format(local_time(edge), "d MMM HH:mm").alias(edge) for edge in ("start", "end")),
            "flights",
            "cancelled",
            *(sf.round(name, 1).alias(name) for name in ("mean", "stddev")),
            "p95",
            "worst",
        )
    )


def local_time(edge: str) -> Column:
    """Where a window starts or ends, on the clocks of New York. The session is in UTC, as the flights are."""
    return sf.from_utc_timestamp(f"window.{edge}", NEW_YORK).cast("timestamp_ntz")
