"""Hierarchical aggregate wheels as state for Spark Structured Streaming."""

from importlib.metadata import version

__all__ = ["__version__"]

__version__: str = version("paddlewheel")
