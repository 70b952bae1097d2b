"""A machine that lacks something is told so in one clear line."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

NEED = Path(__file__).resolve().parent.parent / "scripts" / "need"


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder to be the whole path: the shell's own tools and nothing else."""
    for tool in ("sh", "dirname", "sed", "head"):
        found = shutil.which(tool)
        assert found
        (tmp_path / tool).symlink_to(found)
    return tmp_path


def tool(folder: Path, name: str, script: str) -> None:
    file = folder / name
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)


def java(folder: Path, version: str) -> None:
    tool(folder, "java", f"echo 'openjdk version \"{version}\" 2025-04-15' >&2")


def need(tools: Path, *names: str) -> list[str]:
    """The lines `scripts/need` says; it fails exactly when it says something."""
    told = subprocess.run([NEED, *names], env={"PATH": str(tools)}, capture_output=True, text=True)
    lines = told.stderr.splitlines()
    assert told.stdout == ""
    assert (told.returncode != 0) == bool(lines)
    return lines


def test_silent_when_all_is_there(tools: Path) -> None:
    java(tools, "17.0.15")
    tool(tools, "mvn", "exit 0")
    tool(tools, "cargo", "exit 0")
    (tools / "python3").symlink_to(sys.executable)
    assert need(tools, "java", "sbt", "cargo") == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("java", "paddlewheel needs Java 17 on the path; found none."),
        ("sbt", "paddlewheel needs sbt or Maven on the path; found neither."),
        ("python", "paddlewheel needs Python 3.11 or later on the path; found none."),
        ("cargo", "paddlewheel needs cargo for the µWheel peer of the benchmarks, and for nothing else;"),
    ],
)
def test_one_line_for_what_is_missing(tools: Path, name: str, says: str) -> None:
    (line,) = need(tools, name)
    assert line.startswith(says)
    assert "Install" in line


def test_a_line_for_each_thing_missing(tools: Path) -> None:
    assert len(need(tools, "java", "sbt", "python")) == 3


@pytest.mark.parametrize("version", ["1.8.0_402", "11.0.2", "21.0.1", "170.1"])
def test_another_java_is_named(tools: Path, version: str) -> None:
    java(tools, version)
    (line,) = need(tools, "java")
    assert f"needs Java 17; found {version} at " in line


@pytest.mark.parametrize("version", ["17", "17.0.15", "17-ea"])
def test_any_java_17_will_do(tools: Path, version: str) -> None:
    java(tools, version)
    assert need(tools, "java") == []


def test_an_old_python_is_named(tools: Path) -> None:
    tool(tools, "python3", '[ "$1" = --version ] && echo Python 3.9.2 || exit 1')
    (line,) = need(tools, "python")
    assert "needs Python 3.11 or later on the path; found Python 3.9.2." in line


def test_a_python_without_venv_is_named(tools: Path) -> None:
    tool(tools, "python3", "case $2 in *venv*) exit 1;; esac")
    (line,) = need(tools, "python")
    assert "needs Python's venv module" in line
