"""The wheel is all that a user installs: typed, with its version and its jar, and never without the jar."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
VERSION = (ROOT / "VERSION").read_text().strip()
JAR = f"paddlewheel-spark_2.13-{VERSION}.jar"
SERVICE = "META-INF/services/org.apache.spark.sql.SparkSessionExtensionsProvider"


def checkout(folder: Path, *jars: Path) -> Path:
    """What of a checkout the package is built from, with these jars and no others."""
    without = shutil.ignore_patterns("jars", "__pycache__", "dist")
    shutil.copytree(ROOT / "python", folder / "python", ignore=without)
    for file in ("VERSION", ".gitignore"):
        shutil.copy(ROOT / file, folder)
    placed = folder / "python/paddlewheel/jars"
    placed.mkdir()
    for jar in jars:
        shutil.copy(jar, placed)
    return folder / "python"


def build(kind: str, project: Path, into: Path) -> subprocess.CompletedProcess[str]:
    """Builds one of `wheel`, `sdist`, `editable`, as pip asks a project to, offline."""
    into.mkdir(exist_ok=True)
    command = [sys.executable, "-c", f"import hatchling.build as b; b.build_{kind}({str(into)!r})"]
    return subprocess.run(command, cwd=project, capture_output=True, text=True)


@pytest.fixture(scope="module")
def jar() -> Path:
    """The jar that the Scala build has put into the package."""
    jars = list((ROOT / "python/paddlewheel/jars").glob("*.jar"))
    if not jars:
        pytest.skip("the Scala build has not run")
    assert [found.name for found in jars] == [JAR]
    return jars[0]


@pytest.fixture(scope="module")
def wheel(jar: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    offline = os.environ | {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    project = checkout(folder, jar)
    subprocess.run([*command, "--wheel-dir", folder, project], check=True, env=offline)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_is_typed_and_carries_the_version(wheel: Path) -> None:
    assert wheel.name == f"paddlewheel-{VERSION}-py3-none-any.whl"
    assert "paddlewheel/py.typed" in zipfile.ZipFile(wheel).namelist()


def test_the_wheel_carries_the_jar_as_it_was_built(wheel: Path, jar: Path) -> None:
    files = zipfile.ZipFile(wheel)
    assert [file for file in files.namelist() if file.endswith(".jar")] == [f"paddlewheel/jars/{JAR}"]
    assert files.read(f"paddlewheel/jars/{JAR}") == jar.read_bytes()


def test_the_jar_is_all_a_session_needs_and_no_more(jar: Path) -> None:
    files = zipfile.ZipFile(jar).namelist()
    assert len(files) == len(set(files))
    assert "io/paddlewheel/wheel/Wheel.class" in files
    assert "io/paddlewheel/spark/PaddlewheelVersion.class" in files
    strangers = {
        file
        for file in files
        if not file.endswith("/")
        and not file.startswith(("io/paddlewheel/", "org/apache/spark/sql/", "META-INF/"))
    }
    assert strangers == set()


def test_the_jar_registers_the_session_extension(jar: Path) -> None:
    registered = list(ROOT.glob(f"jvm/*/src/main/resources/{SERVICE}"))
    if not registered:
        pytest.skip("there is no session extension yet")
    assert zipfile.ZipFile(jar).read(SERVICE) == registered[0].read_bytes()


def test_the_wheel_alone_is_enough_to_configure_spark(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    script = (
        "import paddlewheel as pw; from pyspark.sql import SparkSession; "
        "print(pw.__version__, pw.configure(SparkSession.builder)._options['spark.jars'], sep='\\n')"
    )
    elsewhere = {
        key: value for key, value in os.environ.items() if not key.startswith(("SPARK_", "PYSPARK_"))
    }
    elsewhere |= {"PYTHONPATH": str(tmp_path / "installed"), "SPARK_CONF_DIR": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=elsewhere,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.splitlines() == [VERSION, str(tmp_path / f"installed/paddlewheel/jars/{JAR}")]


def test_a_wheel_can_be_built_from_the_sdist(tmp_path: Path) -> None:
    jar = tmp_path / JAR
    jar.write_bytes(b"stands for the jar")
    told = build("sdist", checkout(tmp_path / "checkout", jar), tmp_path / "dist")
    assert told.returncode == 0, told.stderr
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    with tarfile.open(sdist) as files:
        files.extractall(tmp_path / "unpacked", filter="data")
    told = build("wheel", tmp_path / f"unpacked/paddlewheel-{VERSION}", tmp_path / "dist")
    assert told.returncode == 0, told.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert zipfile.ZipFile(wheel).read(f"paddlewheel/jars/{JAR}") == b"stands for the jar"


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
@pytest.mark.parametrize("jars", [[], ["paddlewheel-spark_2.13-0.0.1.jar"], [JAR, "other.jar"]])
def test_nothing_is_built_without_the_one_jar(tmp_path: Path, kind: str, jars: list[str]) -> None:
    for name in jars:
        (tmp_path / name).touch()
    project = checkout(tmp_path / "checkout", *(tmp_path / name for name in jars))
    told = build(kind, project, tmp_path / "dist")
    assert told.returncode != 0
    found = ", ".join(sorted(jars)) or "none"
    assert f"needs {JAR}, and no other jar, in paddlewheel/jars; found {found}." in told.stderr
    assert "make build" in told.stderr
    assert list((tmp_path / "dist").iterdir()) == []


def test_an_editable_install_does_not_wait_for_the_jar(tmp_path: Path) -> None:
    told = build("editable", checkout(tmp_path / "checkout"), tmp_path / "dist")
    assert told.returncode == 0, told.stderr
    assert list((tmp_path / "dist").glob("*.whl"))
