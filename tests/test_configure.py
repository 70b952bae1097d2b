"""`configure` adds to what the user has set, takes nothing away, and refuses with a remedy what cannot work.

No Spark is started: builders are plain, and where a JVM is asked, a stand-in answers.
"""

import os
import shlex
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import paddlewheel as pw
import pyspark
import pytest
from paddlewheel import configuration, jvm
from py4j.java_gateway import JavaPackage  # type: ignore[import-untyped]
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession

JAR = "paddlewheel-spark_2.13-1.2.3.jar"
PROVIDER = "spark.sql.streaming.stateStore.providerClass"
OURS = "io.paddlewheel.spark.state.WheelStateStoreProvider"
HDFS = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"


def write_jar(jar: Path, spark: str = "4.3.0") -> None:
    jar.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(jar, "w") as opened:
        opened.writestr("io/paddlewheel/spark/version.properties", f"paddlewheel=1.2.3\nspark={spark}\n")


@pytest.fixture(autouse=True)
def jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package with a jar, in a process that has started no Spark and been told nothing about one."""
    for variable in list(os.environ):
        if variable.startswith(("SPARK_", "PYSPARK_")) or variable == "MASTER":
            monkeypatch.delenv(variable)
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path / "conf"))
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "")  # so that it is put back if configure changes it
    monkeypatch.setattr(SparkContext, "_jvm", None)
    monkeypatch.setattr(configuration, "PACKAGE", tmp_path / "package")
    write_jar(tmp_path / "package/jars" / JAR)
    return str(tmp_path / "package/jars" / JAR)


def settings(builder: SparkSession.Builder) -> dict[str, str]:
    return jvm.options(builder)


def write_defaults(text: str) -> None:
    folder = Path(os.environ["SPARK_CONF_DIR"])
    folder.mkdir()
    (folder / "spark-defaults.conf").write_text(text)


def refused(builder: Any) -> str:
    with pytest.raises(pw.ConfigurationError) as error:
        pw.configure(builder)
    return str(error.value)


def running_jvm(entry: Any) -> SimpleNamespace:
    return SimpleNamespace(**{"io.paddlewheel.spark.Paddlewheel": entry})


def test_the_jar_and_the_provider_are_set(jar: str) -> None:
    builder = SparkSession.builder.appName("mine")
    assert pw.configure(builder) is builder
    assert settings(builder) == {"spark.app.name": "mine", "spark.jars": jar, PROVIDER: OURS}
    assert os.environ["PYSPARK_SUBMIT_ARGS"] == ""


@pytest.mark.parametrize("given", ["a.jar,b.jar", " a.jar , ,b.jar"])
def test_jars_are_appended_to_and_only_once(jar: str, given: str) -> None:
    builder = SparkSession.builder.config("spark.jars", given)
    for _ in range(2):
        pw.configure(builder)
        assert settings(builder)["spark.jars"] == f"a.jar,b.jar,{jar}"


def test_a_conf_object_is_a_builder_setting_too(jar: str) -> None:
    builder = SparkSession.builder.config(conf=SparkConf(False).set("spark.jars", "a.jar"))
    assert settings(pw.configure(builder))["spark.jars"] == f"a.jar,{jar}"


def test_a_copy_of_the_jar_elsewhere_is_enough() -> None:
    builder = SparkSession.builder.config("spark.jars", f"hdfs://cluster/jars/{JAR}")
    assert settings(pw.configure(builder))["spark.jars"] == f"hdfs://cluster/jars/{JAR}"


def test_a_jar_of_another_paddlewheel_is_refused() -> None:
    told = refused(SparkSession.builder.config("spark.jars", "/old/paddlewheel-spark_2.13-1.0.0.jar"))
    assert "names /old/paddlewheel-spark_2.13-1.0.0.jar" in told
    assert JAR in told


def test_jars_of_the_defaults_are_kept(jar: str) -> None:
    write_defaults("# spark.jars no.jar\nspark.jars   a.jar,\\\n   b.jar\nspark.master=local[2]\n")
    assert settings(pw.configure(SparkSession.builder)) == {
        "spark.jars": f"a.jar,b.jar,{jar}",
        PROVIDER: OURS,
    }


def test_jars_of_the_builder_replace_those_of_the_defaults_as_ever(jar: str) -> None:
    write_defaults("spark.jars a.jar\n")
    builder = SparkSession.builder.config("spark.jars", "mine.jar")
    assert settings(pw.configure(builder))["spark.jars"] == f"mine.jar,{jar}"


def test_a_properties_file_stands_in_for_the_defaults(
    jar: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_defaults(f"spark.jars a.jar\n{PROVIDER} {HDFS}\n")
    file = tmp_path / "my own.conf"
    file.write_text("spark.jars: b.jar\n")
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--properties-file '{file}' pyspark-shell")
    assert settings(pw.configure(SparkSession.builder))["spark.jars"] == f"b.jar,{jar}"
    monkeypatch.setenv(
        "PYSPARK_SUBMIT_ARGS", f"--properties-file '{file}' --load-spark-defaults pyspark-shell"
    )
    assert HDFS in refused(SparkSession.builder)


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        ("--jars a.jar pyspark-shell", ["--jars", "a.jar,JAR", "pyspark-shell"]),
        ("--jars=a.jar pyspark-shell", ["--jars", "a.jar,JAR", "pyspark-shell"]),
        ("--conf spark.jars=a.jar pyspark-shell", ["--conf", "spark.jars=a.jar,JAR", "pyspark-shell"]),
        ("-c 'spark.jars=a.jar' pyspark-shell", ["-c", "spark.jars=a.jar,JAR", "pyspark-shell"]),
    ],
)
def test_jars_of_the_submit_arguments_are_appended_to(
    jar: str, monkeypatch: pytest.MonkeyPatch, given: str, becomes: list[str]
) -> None:
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", given)
    for _ in range(2):
        assert settings(pw.configure(SparkSession.builder))["spark.jars"] == f"a.jar,{jar}"
        words = shlex.split(os.environ["PYSPARK_SUBMIT_ARGS"])
        assert words == [word.replace("JAR", jar) for word in becomes]


def test_submit_arguments_without_jars_stay_as_they_are(jar: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given = '--packages org.example:a:1  --conf "spark.x=a b" pyspark-shell'
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", given)
    assert settings(pw.configure(SparkSession.builder))["spark.jars"] == jar
    assert os.environ["PYSPARK_SUBMIT_ARGS"] == given


def test_another_provider_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    told = refused(SparkSession.builder.config(PROVIDER, HDFS))
    assert f"must be {OURS}, but the builder sets it to {HDFS}. Take that setting out" in told

    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--jars a.jar --conf {PROVIDER}={HDFS} pyspark-shell")
    assert f"PYSPARK_SUBMIT_ARGS sets it to {HDFS}" in refused(SparkSession.builder)
    assert JAR not in os.environ["PYSPARK_SUBMIT_ARGS"]

    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "")
    write_defaults(f"{PROVIDER} {HDFS}\n")
    assert f"Spark's file of defaults sets it to {HDFS}" in refused(SparkSession.builder)


def test_the_same_provider_is_welcome() -> None:
    assert settings(pw.configure(SparkSession.builder.config(PROVIDER, OURS)))[PROVIDER] == OURS


def test_a_missing_jar_is_told_with_the_remedy(jar: str) -> None:
    Path(jar).unlink()
    told = refused(SparkSession.builder)
    assert "but there is none" in told
    assert "make build" in told
    assert "reinstall the wheel" in told


def test_two_jars_are_told_by_name(jar: str) -> None:
    write_jar(Path(jar).with_name("paddlewheel-spark_2.13-1.0.0.jar"))
    assert f"there are paddlewheel-spark_2.13-1.0.0.jar, {JAR}" in refused(SparkSession.builder)


@pytest.mark.parametrize("version", ["4.2.1", "4.30.0", "5.3.0", "3.5.1"])
def test_another_pyspark_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(pyspark, "__version__", version)
    told = refused(SparkSession.builder)
    assert told.endswith(f'is for Spark 4.3, but PySpark is {version}. Run: pip install "pyspark==4.3.*"')


@pytest.mark.parametrize("version", ["4.3.0", "4.3.7", "4.3.1.dev0"])
def test_any_patch_of_the_same_pyspark_will_do(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(pyspark, "__version__", version)
    pw.configure(SparkSession.builder)


def test_a_jvm_that_runs_without_the_jar_is_refused(monkeypatch: pytest.MonkeyPatch, jar: str) -> None:
    absent = JavaPackage("io.paddlewheel.spark.Paddlewheel", None)
    monkeypatch.setattr(SparkContext, "_jvm", running_jvm(absent))
    told = refused(SparkSession.builder)
    assert "running already" in told
    assert "spark.stop()" in told
    assert "restart the Python process (in a notebook: the kernel)" in told

    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    assert f"Give spark-submit the jar: --jars {jar}" in refused(SparkSession.builder)


def test_a_jvm_that_runs_with_the_jar_is_welcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkContext, "_jvm", running_jvm(object()))
    assert settings(pw.configure(SparkSession.builder))[PROVIDER] == OURS


def test_spark_connect_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    remote = SparkSession.builder.remote("sc://there")
    assert "the builder sets spark.remote to sc://there" in refused(remote)
    mode = SparkSession.builder.config("spark.api.mode", "connect")
    assert "the builder sets spark.api.mode to connect" in refused(mode)

    monkeypatch.setenv("SPARK_API_MODE", "connect")
    told = refused(SparkSession.builder)
    assert "classic sessions only" in told
    assert "the environment sets SPARK_API_MODE to connect" in told
    assert "SparkSession.builder.master" in told
    pw.configure(SparkSession.builder.config("spark.api.mode", "classic"))
    monkeypatch.setenv("SPARK_REMOTE", "sc://there")
    assert "the environment sets SPARK_REMOTE to sc://there" in refused(SparkSession.builder)


def test_a_builder_of_spark_connect_is_refused() -> None:
    builder = type("Builder", (), {"__module__": "pyspark.sql.connect.session"})()
    assert "the builder is one of Spark Connect" in refused(builder)


@pytest.mark.parametrize("given", [None, "local", SparkSession])
def test_what_is_no_builder_is_a_type_error(given: Any) -> None:
    with pytest.raises(TypeError, match=r"Write: spark = pw\.configure\(SparkSession\.builder\)"):
        pw.configure(given)
