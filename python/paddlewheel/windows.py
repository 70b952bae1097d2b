"""The windows of a spec. Durations are written as in Spark SQL: "30 minutes"."""

from dataclasses import dataclass, fields
from typing import ClassVar

from paddlewheel.errors import SpecError, wrong_type

DURATION = 'a duration such as "1 hour"'


@dataclass(frozen=True, repr=False)
class Window:
    """A kind of window. Its fields, in order, are durations."""

    kind: ClassVar[str]

    def __post_init__(self) -> None:
        faults = [
            wrong_type(f"{self.kind}.{name}", DURATION, given)
            for name, given in self.durations().items()
            if not isinstance(given, str)
        ]
        if faults:
            raise SpecError(faults)

    def durations(self) -> dict[str, str]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join(map(repr, self.durations().values()))})"


@dataclass(frozen=True, repr=False)
class Tumbling(Window):
    kind = "tumbling"
    size: str


@dataclass(frozen=True, repr=False)
class Sliding(Window):
    kind = "sliding"
    range: str
    slide: str


@dataclass(frozen=True, repr=False)
class Session(Window):
    kind = "session"
    gap: str


@dataclass(frozen=True, repr=False)
class Cumulative(Window):
    kind = "cumulative"
    size: str
    step: str


KINDS: dict[str, type[Window]] = {kind.kind: kind for kind in (Tumbling, Sliding, Session, Cumulative)}


def tumbling(size: str) -> Tumbling:
    """Windows of `size`, end to end."""
    return Tumbling(size)


def sliding(range: str, slide: str) -> Sliding:
    """The last `range`, again at every `slide`."""
    return Sliding(range, slide)


def session(gap: str) -> Session:
    """Windows that end when nothing has come for `gap`."""
    return Session(gap)


def cumulative(size: str, step: str) -> Cumulative:
    """Windows that grow by `step` until they reach `size`, then start again."""
    return Cumulative(size, step)
