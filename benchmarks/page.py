"""Makes the page of results, RESULTS.md with its plots, from the JSON files the benchmarks leave.

    page.py <folder of JSON files> <folder of the page>

The page holds what the JSON files say and nothing else. Each of them is one part of the benchmarks:

    {"name": "ranges", "title": "...", "command": "make bench PART=ranges", "when": "2026-11-18",
     "machine": {"cpu": "...", "cores": 2, "memory_gib": 23, "os": "...", "java": "..."},
     "figures": [{"name": "...", "ours": 1.2, "peer": 3.0, "unit": "µs", "ratio": 0.4,
                  "target": "<= 0.5", "met": true, "note": "..."}]}

`ratio` is ours / peer, or null without a peer. `target` is null or a text; a comparison with a bare number,
as above, is about the ratio. `met` is null where a target could not be measured. `note` may be left out.
"""

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

MET, MISSED, NO_TARGET = "#2a7f62", "#c0392b", "#8a949e"


class ResultError(Exception):
    """A JSON file that does not say what a page needs, or contradicts itself."""


@dataclass(frozen=True)
class Target:
    """A target on the ratio: a comparison and a bound."""

    comparison: str
    bound: float

    @staticmethod
    def parse(text: str) -> "Target | None":
        """The target a text names, or None where it is not about the ratio."""
        found = re.fullmatch(r"\s*(<=|>=|<|>)\s*([0-9.]+)\s*", text)
        return Target(found[1], float(found[2])) if found else None

    def allows(self, ratio: float) -> bool:
        return ratio <= self.bound if self.comparison in ("<", "<=") else ratio >= self.bound


@dataclass(frozen=True)
class Figure:
    """One thing measured, here and, where there is one, on a peer."""

    name: str
    ours: float | None
    peer: float | None
    unit: str
    ratio: float | None
    target: str | None
    met: bool | None
    note: str | None = None

    def fault(self) -> str | None:
        """What in this figure contradicts the rest of it, allowing for rounded numbers."""
        if self.ratio is not None and self.ours is not None and self.peer:
            true_ratio = self.ours / self.peer
            if abs(self.ratio - true_ratio) > 0.01 + 0.01 * abs(true_ratio):
                return f"ratio is {self.ratio}, but ours / peer is {true_ratio:.4g}"
        if self.target is None and self.met is not None:
            return f"met is {self.met}, but there is no target"
        target = Target.parse(self.target) if self.target else None
        if target and self.ratio is not None and self.met is not None:
            near = abs(self.ratio - target.bound) <= 0.005 * target.bound
            if self.met != target.allows(self.ratio) and not near:
                return f"met is {self.met}, but the ratio is {self.ratio} and the target {self.target}"
        return None


@dataclass(frozen=True)
class Part:
    """One JSON file: the figures of one run, and where and when it ran."""

    name: str
    title: str
    command: str
    machine: dict[str, Any]
    when: str
    figures: tuple[Figure, ...]


def read_part(file: Path) -> Part:
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        figures = tuple(Figure(**figure) for figure in content["figures"])
        part = Part(**(content | {"figures": figures}))
    except (ValueError, TypeError, KeyError) as error:
        raise ResultError(f"{file.name}: not a result as page.py describes it: {error}") from error
    for figure in part.figures:
        if fault := figure.fault():
            raise ResultError(f"{file.name}: {figure.name}: {fault}. Measure it again: {part.command}")
    return part


def read_parts(folder: Path) -> list[Part]:
    return [read_part(file) for file in sorted(folder.glob("*.json"))]


def number(value: float | None) -> str:
    """Three digits that count, thousands set apart, and a dash for what was not measured."""
    if value is None:
        return "–"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    if value == 0 or abs(value) >= 0.001:
        return f"{value:.3g}"
    return f"{value:.2e}"


def cell(text: str | None) -> str:
    return (text or "").replace("|", "\\|").replace("\n", " ")


def verdict(figure: Figure) -> str:
    if figure.target is None:
        return ""
    return {True: "met", False: "**missed**", None: "not measured"}[figure.met]


def summary(parts: list[Part]) -> list[str]:
    """The targets met and, by name, every one that was not."""
    aimed = [(part, figure) for part in parts for figure in part.figures if figure.target is not None]
    if not aimed:
        return ["No targets are set."]
    met = sum(figure.met is True for _, figure in aimed)
    lines = [f"**{met} of {len(aimed)} targets met.**"]
    for heading, outcome in (("Missed", False), ("Not measured", None)):
        named = [(part, figure) for part, figure in aimed if figure.met is outcome]
        if named:
            lines += ["", f"{heading}:", ""]
            for part, figure in named:
                ratio = f", ratio {number(figure.ratio)}" if figure.ratio is not None else ""
                lines.append(f"- {part.name}: {figure.name} (target {figure.target}{ratio})")
    return lines


def machine(description: dict[str, Any]) -> str:
    """One line; what explains itself goes without its name."""
    worded = {"cpu": "{}", "os": "{}", "cores": "{} cores", "memory_gib": "{} GiB of memory"}
    return ", ".join(
        worded.get(key, f"{key.replace('_', ' ')} {{}}").format(value) for key, value in description.items()
    )


def table(figures: tuple[Figure, ...]) -> list[str]:
    lines = [
        "| figure | ours | peer | unit | ours / peer | target | | note |",
        "| --- | ---: | ---: | --- | ---: | --- | --- | --- |",
    ]
    for figure in figures:
        cells = (
            cell(figure.name),
            number(figure.ours),
            number(figure.peer),
            cell(figure.unit),
            number(figure.ratio),
            cell(figure.target),
            verdict(figure),
            cell(figure.note),
        )
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def render(parts: list[Part], plots: str) -> str:
    """The page. `plots` is where it finds its plots, seen from itself."""
    lines = ["# Results", ""]
    if not parts:
        lines += ["Nothing has been measured yet. `make bench` measures and writes this page."]
        return "\n".join(lines) + "\n"
    lines += ["Made by `make bench` from the files in `results/`; not edited by hand.", "", *summary(parts)]
    lines += [
        "",
        "In the plots the dotted line is where both are equal and a black mark is a target;"
        " green has met it, red has missed it, grey has none or was not measured.",
    ]
    for part in parts:
        lines += [
            "",
            f"## {part.title}",
            "",
            f"`{part.command}`, {part.when}, on {machine(part.machine)}.",
            "",
        ]
        lines += table(part.figures)
        if any(figure.ratio is not None for figure in part.figures):
            lines += ["", f"![{part.title}: ours / peer]({plots}/{part.name}.png)"]
    return "\n".join(lines) + "\n"


def plot(part: Part, file: Path) -> None:
    """The ratios of a part as bars, with a mark where each has its target."""
    figures = [figure for figure in part.figures if figure.ratio is not None]
    if not figures:
        return
    ratios = [figure.ratio or 0.0 for figure in figures]
    targets = [Target.parse(figure.target or "") for figure in figures]
    fig, axes = pyplot.subplots(figsize=(9, 1.3 + 0.42 * len(figures)), layout="constrained")
    shown = [*ratios, 1.0, *(target.bound for target in targets if target)]
    base = 0.0
    if min(shown) > 0 and max(shown) / min(shown) > 20:
        axes.set_xscale("log")
        base = 1.0  # on a logarithmic axis, bars grow from where both are equal
    colours = {True: MET, False: MISSED, None: NO_TARGET}
    axes.barh(
        range(len(figures)),
        [ratio - base for ratio in ratios],
        left=base,
        height=0.6,
        color=[colours[figure.met] for figure in figures],
    )
    axes.axvline(1, color="#444444", linewidth=0.8, linestyle=":")
    for row, target in enumerate(targets):
        if target:
            axes.plot([target.bound] * 2, [row - 0.42, row + 0.42], color="black", linewidth=2)
    axes.margins(x=0.08)
    axes.set_yticks(range(len(figures)), [f"{figure.name}   {number(figure.ratio)}" for figure in figures])
    axes.invert_yaxis()
    axes.set_xlabel("ours / peer")
    axes.set_title(part.title, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    file.parent.mkdir(parents=True, exist_ok=True)
    fig.savefig(file, dpi=110, metadata={"Software": None})  # the same figures, the same bytes
    pyplot.close(fig)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print("usage: page.py <folder of JSON files> <folder of the page>", file=sys.stderr)
        return 2
    results, page = (Path(argument).resolve() for argument in arguments)
    plots = results / "plots"
    try:
        parts = read_parts(results)
    except ResultError as fault:
        print(fault, file=sys.stderr)
        return 1
    for stale in plots.glob("*.png"):
        stale.unlink()
    for part in parts:
        plot(part, plots / f"{part.name}.png")
    text = render(parts, Path(os.path.relpath(plots, page)).as_posix())
    (page / "RESULTS.md").write_text(text, encoding="utf-8")
    print(f"{page / 'RESULTS.md'}: {len(parts)} parts")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
