"""The declarative description of what a wheel keeps and emits."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from html import escape
from typing import Any, Literal

from paddlewheel.errors import Fault, SpecError, wrong_type
from paddlewheel.windows import DURATION, KINDS, Window

VERSION = 1  # of the JSON form


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Spec:
    """What to keep of a stream, and which windows to emit.

    keys: the columns that name one wheel.
    time: the event time column.
    levels: granularity → how long its slots are kept, None for ever. The base level comes first.
    aggregates: name → SQL aggregate expression.
    windows: name → `tumbling`, `sliding`, `session` or `cumulative`.
    allowed_lateness: how long sealed slots are still repaired.
    time_zone: where days begin.
    emission: "every" slide, only the "latest" window of a batch, or only those that "changed".

    A spec is plain data. Here only its shape is checked; what it says is checked against the stream, in the
    JVM, and every fault is named. Order counts in `levels`, `aggregates` and `windows`, for equality too.
    """

    keys: Sequence[str]
    time: str
    levels: Mapping[str, str | None]
    aggregates: Mapping[str, str]
    windows: Mapping[str, Window]
    allowed_lateness: str = "0 seconds"
    time_zone: str = "UTC"
    emission: Literal["every", "latest", "changed"] = "every"

    def __post_init__(self) -> None:
        faults = list(_shape_faults(self))
        if faults:
            raise SpecError(faults)
        # The spec's own copies, for the caller may go on to change theirs.
        object.__setattr__(self, "keys", tuple(self.keys))
        for name in ("levels", "aggregates", "windows"):
            object.__setattr__(self, name, dict(getattr(self, name)))

    def to_json(self) -> str:
        """The spec as JSON: the form the JVM reads and a checkpoint keeps."""
        windows = {name: {"kind": window.kind} | window.durations() for name, window in self.windows.items()}
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        return json.dumps({"version": VERSION} | plain | {"windows": windows}, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Spec":
        """The spec that `to_json` wrote."""
        try:
            plain = json.loads(text, object_pairs_hook=_without_duplicates)
        except json.JSONDecodeError as error:
            raise SpecError([Fault("spec", "NOT_JSON", f"must be JSON, but {error}")]) from None
        if not isinstance(plain, dict):
            raise SpecError([wrong_type("spec", "a JSON object", plain)])
        version = plain.pop("version", None)
        if version != VERSION:
            told = f"must be {VERSION}, but is {version!r}. A later version needs a later paddlewheel"
            raise SpecError([Fault("version", "UNKNOWN_VERSION", told)])
        _check_names("", plain, {field.name: field.default is MISSING for field in fields(cls)})
        if isinstance(plain["windows"], dict):
            plain["windows"] = {name: _window(name, window) for name, window in plain["windows"].items()}
        return cls(**plain)

    def __eq__(self, other: object) -> bool:
        return self.to_json() == other.to_json() if isinstance(other, Spec) else NotImplemented

    def __repr__(self) -> str:
        said = [
            f"    {field.name}={_quoted(getattr(self, field.name))},\n"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"Spec(\n{''.join(said)})"

    def _repr_html_(self) -> str:
        rows = "".join(_html_row(field.name, getattr(self, field.name)) for field in fields(self))
        return f"<table>{rows}</table>"


def _html_row(name: str, value: Any) -> str:
    lines = [value] if isinstance(value, str) else list(value)
    if isinstance(value, Mapping):
        lines = [f"{key}: {'for ever' if said is None else said}" for key, said in value.items()]
    style = 'style="text-align: left; vertical-align: top"'
    return f"<tr><th {style}>{name}</th><td {style}>{'<br>'.join(map(escape, lines))}</td></tr>"


def _quoted(value: Any) -> str:
    """A value as it is written in Python; what has several entries has one on each line."""
    if isinstance(value, tuple):
        return repr(list(value))
    if not isinstance(value, Mapping) or len(value) < 2:
        return repr(value)
    entries = "".join(f"        {name!r}: {said!r},\n" for name, said in value.items())
    return f"{{\n{entries}    }}"


def _shape_faults(spec: Spec) -> Iterator[Fault]:
    """What of a spec is not of the type it must have."""
    if isinstance(spec.keys, str):
        yield wrong_type("keys", f"a list of columns, here [{spec.keys!r}]", spec.keys)
    elif not isinstance(spec.keys, list | tuple):
        yield wrong_type("keys", 'a list of columns such as ["station"]', spec.keys)
    else:
        for place, key in enumerate(spec.keys):
            if not isinstance(key, str):
                yield wrong_type(f"keys.{place}", "the name of a column", key)

    for name in ("time", "allowed_lateness", "time_zone", "emission"):
        if not isinstance(getattr(spec, name), str):
            yield wrong_type(name, "a string", getattr(spec, name))

    retention = (str, type(None))
    yield from _mapping_faults(
        "levels", spec.levels, retention, 'a retention such as "2 days", or None for ever'
    )
    yield from _mapping_faults("aggregates", spec.aggregates, str, 'SQL such as "count(*)"')
    yield from _mapping_faults("windows", spec.windows, Window, 'a window such as tumbling("1 day")')


def _mapping_faults(
    field: str, given: Any, wanted: type | tuple[type, ...], described: str
) -> Iterator[Fault]:
    if not isinstance(given, Mapping):
        yield wrong_type(field, f"a mapping from names to {described.partition(' such')[0]}", given)
        return
    for name, value in given.items():
        if not isinstance(name, str):
            yield wrong_type(field, "named by strings only", name)
        elif not isinstance(value, wanted):
            yield wrong_type(f"{field}.{name}", described, value)


def _window(name: str, plain: Any) -> Window:
    field = f"windows.{name}"
    if not isinstance(plain, dict):
        raise SpecError([wrong_type(field, 'a JSON object with a "kind"', plain)])
    durations = dict(plain)
    kind = durations.pop("kind", None)
    if not isinstance(kind, str) or kind not in KINDS:
        told = f"must be one of {', '.join(KINDS)}, but is {kind!r}"
        raise SpecError([Fault(f"{field}.kind", "UNKNOWN_KIND", told)])
    window = KINDS[kind]
    _check_names(f"{field}.", durations, {wanted.name: True for wanted in fields(window)})
    for wanted, given in durations.items():
        if not isinstance(given, str):
            raise SpecError([wrong_type(f"{field}.{wanted}", DURATION, given)])
    return window(**durations)


def _check_names(path: str, plain: dict[str, Any], known: dict[str, bool]) -> None:
    """Refuses fields that are not known, and the lack of one that is required."""
    faults = [
        Fault(f"{path}{name}", "UNKNOWN_FIELD", f"is not a field; those are {', '.join(known)}")
        for name in plain.keys() - known
    ]
    faults += [
        Fault(f"{path}{name}", "MISSING_FIELD", "is missing")
        for name, required in known.items()
        if required and name not in plain
    ]
    if faults:
        raise SpecError(sorted(faults, key=str))


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain: dict[str, Any] = {}
    for name, value in pairs:
        if name in plain:
            raise SpecError([Fault(name, "DUPLICATE", "is given twice")])
        plain[name] = value
    return plain
