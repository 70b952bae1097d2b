"""Adds up the JUnit reports of a test run and closes with "N passed, N failed".

    tally.py scala=<exit code> lint=<exit code> python=<exit code>

A step that failed without a failing test (it did not compile, it was not formatted, it crashed) counts as one
failure, and so does a step whose tests did not run at all.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

# Where each step leaves its reports. A step that is not named here has no tests.
REPORTS = {
    "scala": ("jvm/*/target/test-reports/*.xml", "benchmarks/target/test-reports/*.xml"),
    "python": ("target/pytest.xml",),
}


@dataclass(frozen=True)
class Count:
    """How the tests of one step ended. Skipped tests are neither passed nor failed."""

    passed: int = 0
    failed: int = 0

    def __add__(self, other: "Count") -> "Count":
        return Count(self.passed + other.passed, self.failed + other.failed)


def count_report(report: Path) -> Count:
    """The tests of one JUnit report, whether its root is a suite or a list of suites."""
    try:
        root = ElementTree.parse(report).getroot()
    except ElementTree.ParseError:
        return Count(failed=1)  # cut short: whatever wrote it died
    count = Count()
    for suite in root.iter("testsuite"):
        tests, failures, errors, skipped = (
            int(suite.get(kind, "0")) for kind in ("tests", "failures", "errors", "skipped")
        )
        failed = failures + errors
        count += Count(max(0, tests - failed - skipped), failed)
    return count


def count_step(step: str, exit_code: int, root: Path) -> tuple[Count, str]:
    """The count of a step, and the line that tells how it went."""
    reports = [report for pattern in REPORTS.get(step, ()) for report in sorted(root.glob(pattern))]
    count = sum((count_report(report) for report in reports), Count())
    if exit_code != 0 and count.failed == 0:
        return count + Count(failed=1), f"{step}: failed outside the tests (exit code {exit_code}), see above"
    if step in REPORTS and count == Count():
        return Count(failed=1), f"{step}: no tests ran"
    return count, f"{step}: {count.passed} passed, {count.failed} failed" if reports else f"{step}: clean"


def main(arguments: list[str], root: Path) -> int:
    total = Count()
    for argument in arguments:
        step, exit_code = argument.split("=")
        count, line = count_step(step, int(exit_code), root)
        total += count
        print(line)
    print(f"{total.passed} passed, {total.failed} failed")
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Path(__file__).resolve().parent.parent))
