"""The closing line of `make test` is what people and machines trust, so it must not flatter."""

from pathlib import Path

import pytest
import tally


def report(path: Path, tests: int, failures: int = 0, errors: int = 0, skipped: int = 0) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f'<testsuite tests="{tests}" failures="{failures}" errors="{errors}" skipped="{skipped}"></testsuite>'
    )


def scala(root: Path, suite: str, tests: int, failures: int = 0, errors: int = 0, skipped: int = 0) -> None:
    report(root / f"jvm/core/target/test-reports/TEST-{suite}.xml", tests, failures, errors, skipped)


def python(root: Path, tests: int, failures: int = 0) -> None:
    report(root / "target/pytest.xml", tests, failures)


def closing(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.splitlines()[-1]


def test_sums_over_suites_and_steps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scala(tmp_path, "A", tests=5, skipped=1)
    scala(tmp_path, "B", tests=7)
    python(tmp_path, tests=3)
    assert tally.main(["scala=0", "lint=0", "python=0"], tmp_path) == 0
    assert closing(capsys) == "14 passed, 0 failed"


def test_failures_and_errors_both_count(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scala(tmp_path, "A", tests=5, failures=1, errors=1)
    python(tmp_path, tests=3, failures=2)
    assert tally.main(["scala=1", "lint=0", "python=1"], tmp_path) == 1
    assert closing(capsys) == "4 passed, 4 failed"


@pytest.mark.parametrize("died", ["scala", "lint", "python"])
def test_a_step_that_dies_counts_once(tmp_path: Path, capsys: pytest.CaptureFixture[str], died: str) -> None:
    scala(tmp_path, "A", tests=2)
    python(tmp_path, tests=2)
    codes = [f"{step}={2 if step == died else 0}" for step in ("scala", "lint", "python")]
    assert tally.main(codes, tmp_path) == 1
    assert closing(capsys) == "4 passed, 1 failed"


def test_no_reports_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    python(tmp_path, tests=2)
    assert tally.main(["scala=0", "lint=0", "python=0"], tmp_path) == 1
    assert closing(capsys) == "2 passed, 1 failed"


def test_a_report_cut_short_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scala(tmp_path, "A", tests=2)
    (tmp_path / "target").mkdir()
    (tmp_path / "target/pytest.xml").write_text('<testsuites><testsuite tests="9"')
    assert tally.main(["scala=0", "lint=0", "python=0"], tmp_path) == 1
    assert closing(capsys) == "2 passed, 1 failed"
