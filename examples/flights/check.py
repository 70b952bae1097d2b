"""Whether the stream gave the rows that Spark computes from all the flights at once."""

from datetime import datetime
from functools import reduce
from operator import and_

import paddlewheel as pw
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf

NAMES = ["window_name", "window"]


def by_batch(flights: DataFrame, spec: pw.Spec) -> DataFrame:
    """The rows of `spec` by Spark alone: one GROUP BY for each window, over all rows."""
    aggregates = [sf.expr(sql).alias(name) for name, sql in spec.aggregates.items()]
    return reduce(
        DataFrame.unionByName,
        (
            flights.groupBy(*spec.keys, sf.window(spec.time, *window.durations().values()).alias("window"))
            .agg(*aggregates)
            .withColumn("window_name", sf.lit(name))
            for name, window in spec.windows.items()
        ),
    )


def ended_by(watermark: datetime) -> Column:
    """The windows that a stream has given when it ends at a watermark; the rest are still open."""
    return sf.col("window.end") <= sf.lit(f"{watermark}").cast("timestamp")


def compare(streamed: DataFrame, expected: DataFrame, spec: pw.Spec) -> bool:
    """Prints how many rows were compared, and those that differ. True if there are none."""
    both = streamed.withColumn("streamed", sf.lit(True)).unionByName(
        expected.withColumn("streamed", sf.lit(False))
    )
    once = (sf.count_if("streamed") == 1) & (sf.count_if(~sf.col("streamed")) == 1)
    same = reduce(and_, (agrees(name) for name in spec.aggregates))
    compared = both.groupBy(*spec.keys, *NAMES).agg((once & same).alias("agree")).cache()

    differing = compared.where("NOT agree")
    differ = differing.count()
    print(f"{compared.count():,} rows compared with Spark's own batch computation, {differ:,} differ")
    if differ:
        differing.join(both, [*spec.keys, *NAMES]).orderBy(*spec.keys, *NAMES, "streamed").show(
            truncate=False
        )
    compared.unpersist()
    return differ == 0


def agrees(name: str) -> Column:
    """Whether both values of an aggregate are the same, or null. The last bits of doubles may differ."""
    least, most = sf.min(name), sf.max(name)
    close = most - least <= 1e-9 * sf.greatest(sf.lit(1.0), sf.abs(most))
    return sf.when(sf.count(name) == 0, True).otherwise((sf.count(name) == 2) & close)
