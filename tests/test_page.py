"""The page of results says what the JSON files say: misses first, contradictions never."""

import json
import re
from pathlib import Path
from typing import Any

import page
import pytest

ROOT = Path(__file__).resolve().parent.parent


def figure(name: str, **changed: Any) -> dict[str, Any]:
    plain = {"ours": 1.5, "peer": 5.0, "unit": "µs", "ratio": 0.3, "target": "<= 0.5", "met": True}
    return {"name": name} | plain | changed


def write_part(folder: Path, name: str, *figures: dict[str, Any]) -> None:
    part = {
        "name": name,
        "title": f"The part {name}",
        "command": f"make bench PART={name}",
        "machine": {"cpu": "Some CPU", "cores": 2, "memory_gib": 23, "os": "Linux", "java": "17"},
        "when": "2026-11-18",
        "figures": list(figures),
    }
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(part), encoding="utf-8")


def make_page(tmp_path: Path) -> str:
    assert page.main([str(tmp_path / "results"), str(tmp_path)]) == 0
    return (tmp_path / "RESULTS.md").read_text(encoding="utf-8")


def test_every_figure_has_its_row(tmp_path: Path) -> None:
    write_part(tmp_path / "results", "ranges", figure("one | two", ours=1234567.0, peer=None, ratio=None))
    write_part(tmp_path / "results", "turns", figure("three", note="warm"))
    text = make_page(tmp_path)
    assert "| one \\| two | 1,234,567 | – | µs | – | <= 0.5 | met |  |" in text
    assert "| three | 1.5 | 5 | µs | 0.3 | <= 0.5 | met | warm |" in text
    assert (
        "`make bench PART=turns`, 2026-11-18, on Some CPU, 2 cores, 23 GiB of memory, Linux, java 17." in text
    )


def test_misses_are_named_before_any_table(tmp_path: Path) -> None:
    write_part(
        tmp_path / "results",
        "ranges",
        figure("good"),
        figure("slow", ours=4.0, ratio=0.8, met=False),
        figure("absent", ours=None, ratio=None, met=None),
        figure("free", target=None, met=None),
    )
    top = make_page(tmp_path).split("## ")[0]
    assert "**1 of 3 targets met.**" in top
    assert re.search(r"Missed:\n\n- ranges: slow \(target <= 0.5, ratio 0.8\)\n", top)
    assert re.search(r"Not measured:\n\n- ranges: absent \(target <= 0.5\)\n", top)
    assert "free" not in top


def test_plots_are_linked_and_there(tmp_path: Path) -> None:
    write_part(
        tmp_path / "results", "ranges", figure("near"), figure("far", ours=500.0, ratio=100.0, met=False)
    )
    write_part(tmp_path / "results", "alone", figure("no peer", peer=None, ratio=None))
    linked = re.findall(r"\]\((.*\.png)\)", make_page(tmp_path))
    assert linked == ["results/plots/ranges.png"]
    assert (tmp_path / linked[0]).read_bytes().startswith(b"\x89PNG")


def test_a_plot_no_part_needs_goes(tmp_path: Path) -> None:
    write_part(tmp_path / "results", "old", figure("a"))
    make_page(tmp_path)
    (tmp_path / "results/old.json").rename(tmp_path / "old.json")
    assert "Nothing has been measured yet" in make_page(tmp_path)
    assert not list(tmp_path.glob("results/plots/*.png"))


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"met": False}, "met is False, but the ratio is 0.3"),
        ({"ratio": 0.9, "met": False}, "ratio is 0.9, but ours / peer is 0.3"),
        ({"target": None}, "there is no target"),
        ({"speed": 3}, "not a result"),
    ],
)
def test_contradictions_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: dict[str, Any], says: str
) -> None:
    write_part(tmp_path / "results", "ranges", figure("odd", **changed))
    assert page.main([str(tmp_path / "results"), str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert "ranges.json" in told
    assert says in told
    assert not (tmp_path / "RESULTS.md").exists()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.01234, "0.0123"),
        (12.345, "12.3"),
        (999.4, "999"),
        (98765.4, "98,765"),
        (2e-7, "2.00e-07"),
    ],
)
def test_numbers_are_readable(value: float, text: str) -> None:
    assert page.number(value) == text


def test_the_page_in_the_repository_is_the_one_its_files_make() -> None:
    text = page.render(page.read_parts(ROOT / "benchmarks/results"), "results/plots")
    assert (ROOT / "benchmarks/RESULTS.md").read_text(encoding="utf-8") == text
