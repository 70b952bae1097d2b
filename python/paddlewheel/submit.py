"""What Spark has been told outside the program: in PYSPARK_SUBMIT_ARGS and in the file of defaults."""

import os
import re
import shlex
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from paddlewheel import jvm

VARIABLE = "PYSPARK_SUBMIT_ARGS"


def arguments() -> list[str]:
    """The words of PYSPARK_SUBMIT_ARGS, where `--option=value` is two."""
    words = shlex.split(os.environ.get(VARIABLE, ""))
    return [
        part for word in words for part in (word.split("=", 1) if re.match("--[a-z-]+=", word) else [word])
    ]


def submitted() -> dict[str, str]:
    """The settings in PYSPARK_SUBMIT_ARGS. They win over the builder's when the JVM is started."""
    settings, jars = {}, {}
    words = arguments()
    for option, value in pairwise(words):
        if option in ("--conf", "-c"):
            key, _, said = value.partition("=")
            settings[key] = said
        elif option == "--jars":
            jars["spark.jars"] = value
    return settings | jars


def append_submitted_jars(append: Callable[[str], str]) -> None:
    """Applies `append` to every list of jars in PYSPARK_SUBMIT_ARGS, for nothing else can add to them."""
    words = arguments()
    for place, (option, value) in enumerate(pairwise(words)):
        key, _, said = value.partition("=")
        if option == "--jars":
            words[place + 1] = append(value)
        elif option in ("--conf", "-c") and key == "spark.jars":
            words[place + 1] = f"{key}={append(said)}"
    if words != arguments():
        os.environ[VARIABLE] = shlex.join(words)


def defaults() -> dict[str, str]:
    """The settings of spark-defaults.conf, or of the file that PYSPARK_SUBMIT_ARGS names in its stead."""
    words = arguments()
    named = [Path(file) for option, file in pairwise(words) if option == "--properties-file"]
    folder = os.environ.get("SPARK_CONF_DIR") or jvm.spark_home() / "conf"
    usual = [Path(folder, "spark-defaults.conf")] if not named or "--load-spark-defaults" in words else []
    settings: dict[str, str] = {}
    for file in [*usual, *named[-1:]]:
        if file.is_file():
            settings |= properties(file.read_text(encoding="utf-8"))
    return settings


def properties(text: str) -> dict[str, str]:
    """The settings of a Java properties file, as far as those of Spark go."""
    lines = re.sub(r"\\\r?\n[ \t]*", "", text).splitlines()
    pairs = [re.match(r"\s*([^\s=:#!][^\s=:]*)\s*[\s=:]\s*(.*?)\s*$", line) for line in lines]
    return {pair[1]: pair[2] for pair in pairs if pair}
