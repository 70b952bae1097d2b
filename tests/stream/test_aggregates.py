"""Every aggregate of Spark that slots can hold gives what Spark gives."""

import random
import re
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import paddlewheel as pw
import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import SparkSession
from streams import Feed, assert_same, at, expected, replay, rows_of, run, value

# Sketches and bitmaps to be merged: each an aggregate itself, of a few numbers.
SKETCHES = {
    "hll": "hll_sketch_agg(id)",
    "theta": "theta_sketch_agg(id)",
    "tuple_d": "tuple_sketch_agg_double(id, id / 2D)",
    "tuple_i": "tuple_sketch_agg_integer(id, int(id))",
    "kll_l": "kll_sketch_agg_bigint(id)",
    "kll_f": "kll_sketch_agg_float(float(id))",
    "kll_d": "kll_sketch_agg_double(double(id))",
    "bits": "bitmap_construct_agg(bitmap_bit_position(id))",
}
COLUMNS = (
    "ts timestamp, k string, b boolean, t tinyint, h smallint, i int, l bigint, f float, d double, "
    "x double, y double, m decimal(10,2), g decimal(38,6), s string, raw binary, day date, moment timestamp, "
    "local timestamp_ntz, st struct<a: int, b: string>, arr array<int>, huge bigint, "
    + ", ".join(f"{name} binary" for name in SKETCHES)
)

NUMBERS = ["t", "h", "i", "l", "f", "d", "m", "g"]
ORDERED = [*NUMBERS, "b", "s", "raw", "day", "moment", "local", "st", "arr"]
INTERVALS = {"day_time": "make_dt_interval(0, 0, 0, i % 1000)", "year_month": "make_ym_interval(0, t)"}

PLAIN: dict[str, str] = (
    {"rows": "count(*)", "several": "count(i, l)"}
    | {f"count_{c}": f"count({c})" for c in ORDERED}
    | {f"sum_{c}": f"sum({c})" for c in NUMBERS}
    | {f"avg_{c}": f"avg({c})" for c in NUMBERS}
    | {f"min_{c}": f"min({c})" for c in ORDERED}
    | {f"max_{c}": f"max({c})" for c in ORDERED}
    | {
        f"{f}_{n}": f"string({f}({sql}))"
        for n, sql in INTERVALS.items()
        for f in ("sum", "avg", "min", "max")
    }
    | {f"{f}_{c}": f"{f}({c})" for c in ("t", "h", "i", "l") for f in ("bit_and", "bit_or", "bit_xor")}
    | {f: f"{f}(b)" for f in ("bool_and", "bool_or", "every", "some", "any")}
    | {
        f: f"{f}(x)"
        for f in (
            *("stddev", "std", "stddev_pop", "stddev_samp", "variance", "var_pop", "var_samp"),
            *("skewness", "kurtosis", "mean", "try_avg", "try_sum"),
        )
    }
    | {
        f: f"{f}(y, x)"
        for f in (
            *("corr", "covar_pop", "covar_samp", "regr_avgx", "regr_avgy", "regr_count", "regr_intercept"),
            *("regr_r2", "regr_slope", "regr_sxx", "regr_sxy", "regr_syy"),
        )
    }
    | {
        "sd_odd": "stddev(d)",
        "try_huge": "try_sum(huge)",
        "try_avg_g": "try_avg(g)",
        "min_by": "min_by(s, x)",
        "max_by": "max_by(st, x)",
        "filtered": "sum(l) FILTER (WHERE b)",
        "filtered_none": "max(s) FILTER (WHERE i > 1000000)",
        "geometric": "exp(avg(ln(abs(x) + 1)))",
        "several_in_one": "(max(l) - min(l)) / count(*) + coalesce(sum(i), 0)",
        "around": "named_struct('n', count(*), 'text', concat('<', max(s), '>'))",
        "constant": "sum(1) + 1",
    }
)
OBJECTS: dict[str, str] = {
    "list": "array_sort(collect_list(l))",
    "union": "array_sort(collect_union(arr))",
    "percentile": "percentile(x, array(0.1, 0.5, 0.9))",
    "weighted": "percentile(x, 0.3, 2)",
    "median": "median(x)",
    "cont": "percentile_cont(0.25) WITHIN GROUP (ORDER BY x)",
    "disc": "percentile_disc(0.25) WITHIN GROUP (ORDER BY x)",
    "approx": "percentile_approx(x, 0.5)",
    "approx_all": "approx_percentile(l, array(0.0, 0.5, 1.0), 1000)",
    "distinct": "approx_count_distinct(l)",
    "distinct_s": "approx_count_distinct(s, 0.01)",
    "mode": "mode() WITHIN GROUP (ORDER BY s)",
    "mode_first": "mode(s, true)",
    "histogram": "histogram_numeric(x, 200)",
    "count_min": "count_min_sketch(l, 0.1D, 0.9D, 7)",
    "hll_of": "hll_sketch_estimate(hll_sketch_agg(l))",
    "hll_union": "hll_sketch_estimate(hll_union_agg(hll))",
    "kll_l_of": "kll_sketch_get_quantile_bigint(kll_sketch_agg_bigint(l), 0.5)",
    "kll_f_of": "kll_sketch_get_quantile_float(kll_sketch_agg_float(float(x)), 0.5)",
    "kll_d_of": "kll_sketch_get_quantile_double(kll_sketch_agg_double(x), 0.5)",
    "kll_l_merge": "kll_sketch_get_n_bigint(kll_merge_agg_bigint(kll_l))",
    "kll_f_merge": "kll_sketch_get_n_float(kll_merge_agg_float(kll_f))",
    "kll_d_merge": "kll_sketch_get_n_double(kll_merge_agg_double(kll_d))",
    "top": "array_sort(approx_top_k(s, 20))",
    "top_of": "array_sort(approx_top_k_estimate(approx_top_k_accumulate(s), 20))",
}
TEXTS: dict[str, str] = {
    "agg": "array_sort(array_agg(s))",
    "set": "array_sort(collect_set(s))",
    "joined": "listagg(s, ',') WITHIN GROUP (ORDER BY s)",
    "joined_too": "string_agg(s) WITHIN GROUP (ORDER BY s DESC)",
    "sorted_set": "size(collect_set(st)) + count(*)",
}
BITMAPS: dict[str, str] = {
    "bitmap": "bitmap_count(bitmap_construct_agg(bitmap_bit_position(abs(i))))",
    "bitmap_or": "bitmap_count(bitmap_or_agg(bits))",
    "bitmap_and": "bitmap_count(bitmap_and_agg(bits))",
}
SKETCHED: dict[str, str] = {
    "theta_of": "theta_sketch_estimate(theta_sketch_agg(l))",
    "theta_union": "theta_sketch_estimate(theta_union_agg(theta))",
    "theta_intersection": "theta_sketch_estimate(theta_intersection_agg(theta))",
    "tuple_d_of": "tuple_sketch_estimate_double(tuple_sketch_agg_double(l, x))",
    "tuple_d_union": "tuple_sketch_estimate_double(tuple_union_agg_double(tuple_d))",
    "tuple_d_intersection": "tuple_sketch_estimate_double(tuple_intersection_agg_double(tuple_d))",
    "tuple_i_of": "tuple_sketch_estimate_integer(tuple_sketch_agg_integer(l, i))",
    "tuple_i_union": "tuple_sketch_estimate_integer(tuple_union_agg_integer(tuple_i))",
    "tuple_i_intersection": "tuple_sketch_estimate_integer(tuple_intersection_agg_integer(tuple_i))",
}
# Refused, with the reason (see test_refusals), or only for grouping sets and metric views.
NOT_HERE = {
    *("first", "first_value", "last", "last_value", "any_value"),
    *("grouping", "grouping_id", "measure"),
    # Merges states that are columns of the type which approx_top_k_accumulate gives.
    "approx_top_k_combine",
}


def rows(rng: random.Random, now: float, sketches: list[Any]) -> list[tuple[Any, ...]]:
    def row() -> tuple[Any, ...]:
        when = at(now + rng.uniform(-100, 10))
        cells = [
            rng.random() < 0.7,
            rng.randint(-3, 3),
            rng.randint(-300, 300),
            rng.randint(-3000, 3000),
            rng.randint(-(10**12), 10**12),
            value(rng),
            value(rng),
            rng.uniform(-50, 50),
            rng.uniform(-50, 50),
            Decimal(rng.randint(-(10**6), 10**6)).scaleb(-2),
            Decimal(rng.randint(-(10**25), 10**25)).scaleb(-6),
            rng.choice("abcdefg") * rng.randint(0, 2),
            rng.randbytes(rng.randint(0, 3)),
            when.date() - timedelta(days=rng.randint(0, 9)),
            when + timedelta(microseconds=rng.randint(-(10**12), 10**12)),
            when - timedelta(microseconds=rng.randint(-(10**12), 10**12)),
            {"a": rng.randint(0, 3), "b": rng.choice(["x", "y", None])},
            [rng.randint(0, 3) for _ in range(rng.randint(0, 3))],
            2**62,
            *rng.choice(sketches),
        ]
        return (when, rng.choice("ab"), *(None if rng.random() < 0.1 else cell for cell in cells))

    return [row() for _ in range(40)]


def compare(spark: SparkSession, folder: Path, aggregates: dict[str, str]) -> None:
    rng = random.Random(11)
    listed = ", ".join(f"{sql} AS {name}" for name, sql in SKETCHES.items())
    made = spark.sql(f"SELECT {listed} FROM range(40) GROUP BY id % 5")
    sketches = [tuple(bytes(cell) for cell in row) for row in made.collect()]
    spec = pw.Spec(
        keys=["k"],
        time="ts",
        levels={"1 second": "1 hour", "1 minute": None},
        aggregates=aggregates,
        windows={"tumbling": pw.tumbling("1 minute"), "sliding": pw.sliding("90 seconds", "40 seconds")},
    )
    feed = Feed(spark, folder / "in", COLUMNS)
    batches = [rows(rng, now, sketches) for now in (0, 60, 400)]
    got = replay(feed, batches, {"wheel": lambda: pw.aggregate(feed.stream(), spec)}, folder)
    assert_same(rows_of(got["wheel"]), expected(feed, spec).collect(), spec)


@pytest.mark.parametrize("aggregates", [PLAIN, OBJECTS], ids=["plain", "objects"])
def test_every_aggregate(spark: SparkSession, folder: Path, aggregates: dict[str, str]) -> None:
    compare(spark, folder, aggregates)


def test_collections_of_texts(spark: SparkSession, folder: Path) -> None:
    compare(spark, folder, TEXTS)


def test_bitmaps(spark: SparkSession, folder: Path) -> None:
    compare(spark, folder, BITMAPS)


def test_theta_and_tuple_sketches(spark: SparkSession, folder: Path) -> None:
    compare(spark, folder, SKETCHED)


def test_an_aggregate_given_twice(spark: SparkSession, folder: Path) -> None:
    """Spark computes a common expression once, and names it twice."""
    compare(spark, folder, {"a": "count_if(b)", "b": "count_if(b)"})


def test_none_is_left_out(spark: SparkSession) -> None:
    registry: Any = spark._jsparkSession.sessionState().functionRegistry()
    jvm: Any = spark._jvm
    listed = jvm.scala.jdk.javaapi.CollectionConverters.asJava(registry.listFunction())
    found = [registry.lookupFunction(name).get() for name in listed]
    there = {info.getName() for info in found if info.getGroup() == "agg_funcs"}
    tried = set(
        re.findall(
            r"\w+(?=\()",
            " ".join(
                [*PLAIN.values(), *OBJECTS.values(), *SKETCHED.values(), *TEXTS.values(), *BITMAPS.values()]
            ),
        )
    )
    assert there - tried - NOT_HERE - {"count_if"} == set()


@pytest.mark.parametrize("ansi", [True, False])
def test_sums_beyond_a_long(spark: SparkSession, folder: Path, ansi: bool) -> None:
    """Under ANSI that is an error, even where no slot overflows by itself; without, it wraps."""
    spec = pw.Spec(
        keys=["k"],
        time="ts",
        levels={"1 second": None},
        aggregates={"total": "sum(i)"},
        windows={"tumbling": pw.tumbling("1 minute")},
    )
    feed = Feed(spark, folder / "in", "ts timestamp, k string, i bigint")
    feed.add([(at(1), "a", 2**62), (at(2), "a", 2**62), (at(3), "a", 5), (at(200), "a", 0)])
    spark.conf.set("spark.sql.ansi.enabled", str(ansi))
    try:
        if ansi:
            with pytest.raises(StreamingQueryException, match="ARITHMETIC_OVERFLOW"):
                run(pw.aggregate(feed.stream(), spec), folder / "checkpoint")
        else:
            got, _ = run(pw.aggregate(feed.stream(), spec), folder / "checkpoint")
            assert_same(rows_of(got), expected(feed, spec).collect(), spec)
    finally:
        spark.conf.unset("spark.sql.ansi.enabled")
