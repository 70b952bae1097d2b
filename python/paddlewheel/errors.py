"""What Paddlewheel raises."""

from collections.abc import Iterable
from dataclasses import dataclass


class PaddlewheelError(Exception):
    """Whatever Paddlewheel refuses or fails at."""


class ConfigurationError(PaddlewheelError):
    """Spark is not set up for Paddlewheel; the message says what to do."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a spec.

    `field` is the path to it, such as `windows.1h.slide`; `condition` names it for
    programs, `message` for people.
    """

    field: str
    condition: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


class SpecError(PaddlewheelError):
    """A spec is refused. All that is wrong with it is in `faults`."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        super().__init__(tuple(faults))

    @property
    def faults(self) -> tuple[Fault, ...]:
        faults: tuple[Fault, ...] = self.args[0]
        return faults

    def __str__(self) -> str:
        return "\n".join(["The spec is refused.", *(f"  {fault}" for fault in self.faults)])


def wrong_type(field: str, wanted: str, given: object) -> Fault:
    return Fault(field, "WRONG_TYPE", f"must be {wanted}, but is {given!r}")
