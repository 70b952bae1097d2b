"""`aggregate` hands the spec to the JVM, and turns its refusals into Python. Stand-ins play the JVM."""

import json
from types import SimpleNamespace
from typing import Any

import paddlewheel as pw
import pytest
from py4j.java_gateway import JavaPackage  # type: ignore[import-untyped]
from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark.errors.exceptions.captured import CapturedException
from pyspark.sql import DataFrame

SPEC = pw.Spec(
    keys=["station"], time="at", levels={"1 second": None}, aggregates={"n": "count(*)"}, windows={}
)


class Thrown:
    """A JVM exception, seen from Python."""

    _target_id = "o1"
    _gateway_client = None

    def __init__(
        self, name: str, message: str | None = None, faults: list[dict[str, str]] | None = None
    ) -> None:
        self.name, self.message, self.faults = name, message, faults

    def getClass(self) -> SimpleNamespace:  # noqa: N802
        return SimpleNamespace(getName=lambda: self.name)

    def getMessage(self) -> str | None:  # noqa: N802
        return self.message

    def faultsJson(self) -> str:  # noqa: N802
        return json.dumps(self.faults)


class JvmError(Py4JJavaError):  # type: ignore[misc]
    """As Py4J raises it, but its text needs no JVM."""

    def __str__(self) -> str:
        return "An error occurred in the JVM"


class SparkError(CapturedException):
    """As PySpark raises those of Java's exceptions that it has classes for, but made without a JVM."""

    def __init__(self, origin: Any) -> None:
        self._origin = origin

    def __str__(self) -> str:
        return "An error PySpark knows"


class Entry:
    """Paddlewheel's entry point: answers, or throws."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.asked: tuple[Any, str] | None = None

    def aggregate(self, jdf: Any, spec: str) -> str:
        self.asked = (jdf, spec)
        if self.error:
            raise self.error
        return "aggregated"


def frame(entry: Any) -> DataFrame:
    jvm = SimpleNamespace(**{"io.paddlewheel.spark.Paddlewheel": entry})
    session: Any = SimpleNamespace(_sc=None, _jvm=jvm)
    return DataFrame("rows", session)


def throwing(thrown: Thrown, known_to_spark: bool) -> DataFrame:
    return frame(Entry(SparkError(thrown) if known_to_spark else JvmError("", thrown)))


def test_the_rows_and_the_spec_go_to_the_jvm() -> None:
    entry = Entry()
    df = frame(entry)
    aggregated = pw.aggregate(df, SPEC)
    assert isinstance(aggregated, DataFrame)
    assert aggregated._jdf == "aggregated"
    assert aggregated.sparkSession is df.sparkSession
    assert entry.asked == ("rows", SPEC.to_json())


@pytest.mark.parametrize("known_to_spark", [False, True])
def test_a_refusal_names_every_fault(known_to_spark: bool) -> None:
    told = [
        {"field": "time", "condition": "NO_COLUMN", "message": "there is no column at"},
        {"field": "levels.1 second", "condition": "FAN_OUT", "message": "too many slots"},
    ]
    df = throwing(Thrown("io.paddlewheel.spark.spec.SpecRefused", "refused", told), known_to_spark)
    with pytest.raises(pw.SpecError) as refused:
        pw.aggregate(df, SPEC)
    assert refused.value.faults == tuple(pw.Fault(**fault) for fault in told)
    assert str(refused.value).splitlines()[1:] == [
        "  time: there is no column at",
        "  levels.1 second: too many slots",
    ]
    assert refused.value.__suppress_context__
    assert refused.value.__cause__ is None


@pytest.mark.parametrize("known_to_spark", [False, True])
@pytest.mark.parametrize(
    ("message", "said"),
    [("no such checkpoint", "no such checkpoint"), (None, "io.paddlewheel.spark.Lost")],
)
def test_other_errors_of_ours_keep_their_message(
    message: str | None, said: str, known_to_spark: bool
) -> None:
    with pytest.raises(pw.PaddlewheelError) as error:
        pw.aggregate(throwing(Thrown("io.paddlewheel.spark.Lost", message), known_to_spark), SPEC)
    assert type(error.value) is pw.PaddlewheelError
    assert str(error.value) == said


@pytest.mark.parametrize(("known_to_spark", "kind"), [(False, JvmError), (True, SparkError)])
@pytest.mark.parametrize("name", ["java.lang.OutOfMemoryError", "io.paddlewheels.Other"])
def test_errors_of_others_pass_as_they_are(name: str, known_to_spark: bool, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        pw.aggregate(throwing(Thrown(name), known_to_spark), SPEC)


def test_a_session_without_the_jar_is_told_the_remedy() -> None:
    df = frame(JavaPackage("io.paddlewheel.spark.Paddlewheel", None))
    with pytest.raises(pw.ConfigurationError, match=r"pw\.configure\(SparkSession\.builder\)"):
        pw.aggregate(df, SPEC)


@pytest.mark.parametrize("given", [None, "rows", [1]])
def test_what_is_no_frame_is_a_type_error(given: Any) -> None:
    with pytest.raises(TypeError, match=r"takes a DataFrame.*Write: pw\.aggregate\(df, spec\)"):
        pw.aggregate(given, SPEC)


def test_a_frame_of_spark_connect_is_a_type_error() -> None:
    df = type("DataFrame", (), {"__module__": "pyspark.sql.connect.dataframe"})()
    with pytest.raises(TypeError, match="classic sessions only"):
        pw.aggregate(df, SPEC)


@pytest.mark.parametrize("given", [SPEC.to_json(), None])
def test_what_is_no_spec_is_a_type_error(given: Any) -> None:
    with pytest.raises(TypeError, match=r"pw\.Spec\.from_json"):
        pw.aggregate(frame(Entry()), given)
