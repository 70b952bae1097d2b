"""Hierarchical aggregate wheels as state for Spark Structured Streaming."""

from importlib.metadata import version

from paddlewheel.configuration import configure
from paddlewheel.errors import ConfigurationError, Fault, PaddlewheelError, SpecError
from paddlewheel.spec import Spec
from paddlewheel.stream import aggregate
from paddlewheel.windows import cumulative, session, sliding, tumbling

__all__ = [
    "ConfigurationError",
    "Fault",
    "PaddlewheelError",
    "Spec",
    "SpecError",
    "__version__",
    "aggregate",
    "configure",
    "cumulative",
    "session",
    "sliding",
    "tumbling",
]

__version__: str = version("paddlewheel")
