"""The one room for what PySpark and Py4J keep to themselves; the rest of the package does not touch it."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from py4j.java_gateway import JavaPackage  # type: ignore[import-untyped]
from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
from pyspark import SparkContext
from pyspark.errors.exceptions.captured import CapturedException
from pyspark.find_spark_home import _find_spark_home
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.classic.dataframe import DataFrame as ClassicDataFrame

from paddlewheel.errors import Fault, PaddlewheelError, SpecError

ENTRY = "io.paddlewheel.spark.Paddlewheel"
REFUSED = "io.paddlewheel.spark.spec.SpecRefused"


def running() -> Any | None:
    """The JVM of this process if it has one: it outlives its sessions, and so does its class path."""
    if SparkContext._jvm is None and "PYSPARK_GATEWAY_PORT" in os.environ:
        SparkContext._ensure_initialized()  # spark-submit has started the JVM before Python
    return SparkContext._jvm


def entry_point(jvm: Any) -> Any | None:
    """Paddlewheel's entry point, or None where the jar is not on the class path."""
    found = getattr(jvm, ENTRY)
    return None if isinstance(found, JavaPackage) else found  # Py4J takes what is no class for a package


def jvm_of(df: DataFrame) -> Any:
    return df.sparkSession._jvm


def is_classic(df: object) -> bool:
    return isinstance(df, ClassicDataFrame)


def unwrap(df: DataFrame) -> Any:
    return df._jdf


def wrap(jdf: Any, session: SparkSession) -> DataFrame:
    return DataFrame(jdf, session)


def spark_home() -> Path:
    return Path(_find_spark_home())


def options(builder: SparkSession.Builder) -> dict[str, str]:
    """What has been set on a builder so far."""
    return {key: str(value) for key, value in builder._options.items() if value is not None}


@contextmanager
def errors_as_python() -> Iterator[None]:
    """Raises what the JVM half throws as Paddlewheel's own exceptions; all others pass as they are."""
    try:
        yield
    except (Py4JJavaError, CapturedException) as error:
        # PySpark has classes of its own for some of Java's; the exception itself is then their origin.
        thrown: Any = error.java_exception if isinstance(error, Py4JJavaError) else error._origin
        name = "" if thrown is None else str(thrown.getClass().getName())
        if name == REFUSED:
            raise SpecError(Fault(**fault) for fault in json.loads(thrown.faultsJson())) from None
        if name.startswith("io.paddlewheel."):
            raise PaddlewheelError(thrown.getMessage() or name) from error
        raise
