"""What the repository promises about itself: one version, commands that exist, links that lead somewhere."""

import re
from pathlib import Path

import paddlewheel
import pytest

ROOT = Path(__file__).resolve().parent.parent
VERSION = (ROOT / "VERSION").read_text().strip()


def test_the_python_package_has_the_version_of_the_build() -> None:
    assert paddlewheel.__version__ == VERSION


def test_the_spark_jar_has_the_version_of_the_build() -> None:
    built = list(ROOT.glob("jvm/spark/target/**/resource_managed/**/version.properties"))
    if not built:
        pytest.skip("the Scala build has not run")
    assert f"paddlewheel={VERSION}" in built[0].read_text().splitlines()


def test_both_languages_are_on_one_spark() -> None:
    scala = re.search(r'sparkVersion = "(.*?)"', (ROOT / "build.sbt").read_text())
    python = re.search(r'"pyspark==(.*?)"', (ROOT / "python/pyproject.toml").read_text())
    assert scala
    assert python
    assert scala[1] == python[1]


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_the_commands_of_a_page_are_targets(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    commands = set(re.findall(r"\bmake ([a-z]+)\b(?=[ `\n]|$)", code_of(ROOT / page), re.MULTILINE))
    assert commands
    assert commands <= targets


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", (ROOT / page).read_text(encoding="utf-8"))
    assert [link for link in links if not (ROOT / link).exists()] == []


def code_of(page: Path) -> str:
    """The code of a page, fenced and inline, one piece a line."""
    text = page.read_text(encoding="utf-8")
    fenced = re.findall(r"```.*?\n(.*?)```", text, re.DOTALL)
    inline = re.findall(r"`([^`\n]+)`", text)
    return "\n".join(fenced + inline)
