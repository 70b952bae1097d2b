"""One airport's year in one picture, from the rows of the stream: days and weeks above, hours below."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from report import local_time

AIRPORTS = {"EWR": "Newark", "JFK": "John F. Kennedy", "LGA": "La Guardia"}
YEAR = [date(2013, 1, 1) + timedelta(days=day) for day in range(365)]
DAWN, MIDNIGHT = 5, 24  # hours of the day; before dawn hardly a flight is scheduled
DARKEST = 90  # the minutes from which on an hour has the darkest colour

BAR, LINE, TEXT, FAINT = "#b9cfe4", "#16324f", "#333333", "#8a8a8a"

# The mean delay of a window, in minutes, by the time it starts in New York.
Means = dict[datetime, float]


def draw(rows: DataFrame, origin: str, file: Path) -> None:
    figure = Figure(figsize=(13, 7.6), dpi=130, layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[1.25, 1])
    draw_title(above, f"Departure delays at {AIRPORTS[origin]} ({origin}) in 2013")
    draw_days(above, airport_means(rows, origin, "day"))
    draw_weeks(above, airport_means(rows, origin, "week"))
    draw_hours(figure, below, airport_means(rows, origin, "hour"))
    name_months(below)
    for axes in (above, below):
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0, labelcolor=TEXT)
    above.legend(loc="upper right", frameon=False, ncols=2)
    figure.savefig(file)


def airport_means(rows: DataFrame, origin: str, window_name: str) -> Means:
    """The rows are by airline; the mean of an airport weighs theirs by the flights that left."""
    left = sf.expr("flights - cancelled")
    means = (
        rows.where((sf.col("origin") == origin) & (sf.col("window_name") == window_name) & (left > 0))
        .groupBy(local_time("start").alias("start"))
        .agg((sf.sum(sf.col("mean") * left) / sf.sum(left)).alias("mean"))
        .orderBy("start")
    )
    return {row["start"]: row["mean"] for row in means.collect()}


def draw_title(axes: Axes, title: str) -> None:
    axes.set_title(title, loc="left", pad=32, fontsize=17, fontweight="bold", color=TEXT)
    subtitle = "Mean delay in minutes of the flights that left, by the time they were scheduled, in New York"
    axes.text(0, 1.05, subtitle, transform=axes.transAxes, color=TEXT)


def draw_days(axes: Axes, days: Means) -> None:
    """Of the days, which begin at every hour, those from midnight to midnight."""
    days = {start: mean for start, mean in days.items() if start.hour == 0 and start.date() in YEAR}
    axes.bar(middles(days, timedelta(days=1)), list(days.values()), width=0.85, color=BAR, label="1 day")
    for start in sorted(days, key=lambda start: days[start])[-5:]:
        name = f"{start.day} {start:%b}"
        at = np.datetime64(start + timedelta(hours=12))
        axes.annotate(name, (at, days[start]), (0, 3), textcoords="offset points", ha="center", color=TEXT)
    axes.axhline(0, color=FAINT, linewidth=0.8)
    axes.grid(axis="y", color="#e6e6e6")
    axes.set_axisbelow(True)
    axes.margins(y=0.1)
    axes.set_ylabel("mean delay")


def draw_weeks(axes: Axes, weeks: Means) -> None:
    weeks = {start: mean for start, mean in weeks.items() if start.date() in YEAR}
    times = middles(weeks, timedelta(days=7))
    axes.plot(times, list(weeks.values()), color=LINE, linewidth=2, label="7 days, drawn at their middle")


def draw_hours(figure: Figure, axes: Axes, hours: Means) -> None:
    """A column for each day, a row for each hour of it."""
    grid = np.array(
        [
            [hours.get(datetime(day.year, day.month, day.day, hour), np.nan) for day in YEAR]
            for hour in range(DAWN, MIDNIGHT)
        ]
    )
    days = np.array([*YEAR, YEAR[-1] + timedelta(days=1)], dtype="datetime64[s]")
    mesh = axes.pcolormesh(days, np.arange(DAWN, MIDNIGHT + 1), grid, cmap="YlOrRd", vmin=0, vmax=DARKEST)
    scale = figure.colorbar(mesh, ax=axes, extend="both", pad=0.01, aspect=14, ticks=[0, 30, 60, 90])
    scale.set_label("mean delay by hour")
    ticks = range(6, MIDNIGHT + 1, 3)
    axes.set_yticks(ticks, [f"{hour:02}:00" for hour in ticks])
    axes.set_ylabel("hour of the day")
    axes.set_xlabel("White: no flight left in that hour", loc="right", color=FAINT)


def name_months(axes: Axes) -> None:
    months = [day for day in YEAR if day.day == 15]
    axes.set_xticks(np.array(months, dtype="datetime64[s]"), [f"{month:%B}" for month in months])


def middles(starts: Iterable[datetime], length: timedelta) -> NDArray[np.datetime64]:
    return np.array([start + length / 2 for start in starts], dtype="datetime64[s]")
