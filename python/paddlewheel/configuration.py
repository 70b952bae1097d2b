"""Setting Spark up for Paddlewheel."""

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pyspark
from pyspark.sql import SparkSession
from pyspark.util import is_remote_only

from paddlewheel import jvm, submit
from paddlewheel.errors import ConfigurationError

JARS = "spark.jars"
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
WHEEL_PROVIDER = "io.paddlewheel.spark.state.WheelStateStoreProvider"

PACKAGE = Path(__file__).parent


def configure(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Appends Paddlewheel's jar to the builder and sets the state store provider; returns the same builder.

    Call it before `getOrCreate`. What has been set already is kept, on the builder and outside the program:
    jars are appended to, and a state store provider other than Paddlewheel's is an error. Calling it again
    changes nothing. Where PYSPARK_SUBMIT_ARGS lists jars, the jar is appended there too, for that list wins.
    """
    _check_classic(builder)
    jar = find_jar()
    _check_version(jar)
    _check_running(jar)

    options = jvm.options(builder)
    places = {
        "the builder": options,
        submit.VARIABLE: submit.submitted(),
        "Spark's file of defaults": submit.defaults(),
    }
    _check_provider(places)
    jars = next((settings[JARS] for settings in places.values() if settings.get(JARS)), "")
    submit.append_submitted_jars(lambda submitted: append_jar(submitted, jar))
    return builder.config(JARS, append_jar(jars, jar)).config(PROVIDER, WHEEL_PROVIDER)


def find_jar() -> Path:
    """The jar inside the package."""
    folder = PACKAGE / "jars"
    jars = sorted(folder.glob("*.jar"))
    if not jars:
        raise ConfigurationError(
            f"Paddlewheel needs its jar in {folder}, but there is none. "
            "In a checkout, run: make build. Elsewhere, reinstall the wheel of paddlewheel"
        )
    if len(jars) > 1:
        raise ConfigurationError(
            f"Paddlewheel needs one jar in {folder}, but there are {', '.join(jar.name for jar in jars)}. "
            "Delete them; then, in a checkout, run: make build. Elsewhere, reinstall the wheel of paddlewheel"
        )
    return jars[0]


def append_jar(jars: str, jar: Path) -> str:
    """The list `jars` with `jar` in it once. Where it names a copy of `jar`, that copy stays the one."""
    names = [name.strip() for name in jars.split(",") if name.strip()]
    for name in names:
        file = PurePosixPath(name).name
        if file == jar.name:
            return ",".join(names)
        if file.startswith("paddlewheel-spark_"):
            raise ConfigurationError(
                f"{JARS} names {name}, but this is the Python package of {jar.name}. "
                "Take that jar out of the list (the package brings its own), or install its package"
            )
    return ",".join([*names, str(jar)])


def _check_classic(builder: object) -> None:
    if type(builder).__module__.startswith("pyspark.sql.connect"):
        connect: str | None = "the builder is one of Spark Connect"
    elif not isinstance(builder, SparkSession.Builder):
        raise TypeError(
            f"configure takes a builder, but was given a {type(builder).__name__}. "
            "Write: spark = pw.configure(SparkSession.builder).getOrCreate()"
        )
    else:
        connect = _asks_for_connect(jvm.options(builder))
    if connect:
        raise ConfigurationError(
            f"Paddlewheel runs in classic sessions only, not over Spark Connect, but {connect}. "
            'Use a classic session: SparkSession.builder.master("local[*]"), or the master of your cluster'
        )


def _asks_for_connect(options: Mapping[str, str]) -> str | None:
    """Why this builder would give a session of Spark Connect, if it would."""
    if is_remote_only():
        return "the PySpark installed is pyspark-client"
    if "spark.remote" in options:
        return f"the builder sets spark.remote to {options['spark.remote']}"
    for variable in ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED"):
        if variable in os.environ:
            return f"the environment sets {variable} to {os.environ[variable]}"
    # PySpark asks the builder first, then the environment.
    if "spark.api.mode" in options:
        asked = options["spark.api.mode"].lower() == "connect"
        return "the builder sets spark.api.mode to connect" if asked else None
    asked = os.environ.get("SPARK_API_MODE", "").lower() == "connect"
    return "the environment sets SPARK_API_MODE to connect" if asked else None


def _check_version(jar: Path) -> None:
    with zipfile.ZipFile(jar) as opened:
        built = submit.properties(opened.read("io/paddlewheel/spark/version.properties").decode())["spark"]
    minor = ".".join(built.split(".")[:2])
    if pyspark.__version__.split(".")[:2] != minor.split("."):
        raise ConfigurationError(
            f"This Paddlewheel is for Spark {minor}, but PySpark is {pyspark.__version__}. "
            f'Run: pip install "pyspark=={minor}.*"'
        )


def _check_running(jar: Path) -> None:
    """A JVM takes jars when it starts, and never again."""
    running = jvm.running()
    if running is None or jvm.entry_point(running) is not None:
        return
    if "PYSPARK_GATEWAY_PORT" in os.environ:
        remedy = f"Give spark-submit the jar: --jars {jar}"
    else:
        remedy = (
            "Call spark.stop(), restart the Python process (in a notebook: the kernel), "
            "and call configure before getOrCreate"
        )
    raise ConfigurationError(f"Spark is running already, and without Paddlewheel's jar. {remedy}")


def _check_provider(places: Mapping[str, Mapping[str, str]]) -> None:
    for place, settings in places.items():
        found = settings.get(PROVIDER, WHEEL_PROVIDER)
        if found != WHEEL_PROVIDER:
            raise ConfigurationError(
                f"{PROVIDER} must be {WHEEL_PROVIDER}, but {place} sets it to {found}. "
                "Take that setting out: operators without wheels keep their RocksDB state in this provider"
            )
