"""One Spark for all tests of streams: small, and set up for short runs."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from streams import session

# Collected timestamps are in the zone of the process.
os.environ["TZ"] = "UTC"
time.tzset()


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    started = session()
    yield started
    started.stop()


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory where there is such a place: a checkpoint is many small files."""
    memory = Path("/dev/shm")
    made = Path(tempfile.mkdtemp(prefix="paddlewheel-", dir=memory if memory.is_dir() else None))
    yield made
    shutil.rmtree(made, ignore_errors=True)
