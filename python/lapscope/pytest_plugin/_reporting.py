"""Makes pytest reports for outcomes that the test itself does not raise, and the final table."""

from __future__ import annotations

from typing import Any, Iterable, List

import pytest

_names = ("overlap_verdict", "overlap_ratio", "overlap_remark")


def failed(item: pytest.Item, text: str, when: Any) -> pytest.TestReport:
    def fail() -> None:
        raise pytest.fail.Exception(text, pytrace=False)

    call = pytest.CallInfo.from_call(fail, when=when)
    report: pytest.TestReport = item.ihook.pytest_runtest_makereport(item=item, call=call)
    return report


def skipped(item: pytest.Item, reason: str) -> pytest.TestReport:
    def skip() -> None:
        raise pytest.skip.Exception(reason)

    call = pytest.CallInfo.from_call(skip, when="setup")
    report: pytest.TestReport = item.ihook.pytest_runtest_makereport(item=item, call=call)
    path, line, _ = item.location
    report.longrepr = (str(item.path), (line or 0) + 1, f"Skipped: {reason}")
    return report


def failed_instead(item: pytest.Item, passed: pytest.TestReport, text: str) -> pytest.TestReport:
    """Returns the report of a test that passed and whose overlap failed. An expected failure (xfail) counts as such."""
    report = failed(item, text, "call")
    for name in ("sections", "user_properties", "duration", "start", "stop"):
        setattr(report, name, getattr(passed, name))
    reason = getattr(passed, "wasxfail", None)
    strict = "[XPASS(strict)] "
    if reason is None and isinstance(passed.longrepr, str) and passed.longrepr.startswith(strict):
        reason = passed.longrepr[len(strict):]
    if reason is not None:
        report.outcome = "skipped"
        report.wasxfail = reason
    return report


def note(reports: List[pytest.TestReport], verdict: str, ratio: str, remark: str) -> None:
    """Adds the results as user properties, which pytest-xdist passes on. JUnit XML has those of the last report."""
    for report in reports:
        report.user_properties = [*report.user_properties, *zip(_names, (verdict, ratio, remark))]


def table_of(reports: Iterable[Any]) -> List[str]:
    """Returns the lines of a table with test, overlap ratio, verdict and remark of each evaluated test."""
    rows = []
    for report in reports:
        noted = dict(getattr(report, "user_properties", ()))
        if _names[0] in noted and report.when == "call":
            remark = noted[_names[2]]  # shortened below; the failure text has it in full
            rows.append((report.nodeid, noted[_names[1]], noted[_names[0]], remark if len(remark) <= 160 else remark[:159] + "…"))
    if not rows:
        return []
    rows.sort()
    width = max(len(row[0]) for row in rows)
    lines = [f"{'':{width}}  ratio  verdict"]
    return lines + [f"{node:{width}}  {ratio:>6}  {verdict}{': ' if remark else ''}{remark}" for node, ratio, verdict, remark in rows]
