"""Conditions on the overlap of a test's GPU work.

    @pytest.mark.overlap(min=0.5, forbid="default-stream-barrier", range="step")
    def test_step(): ...

The test runs in a child process under ``lapscope record``. Its outcome there is its outcome here. If it passes,
``lapscope gate`` evaluates its trace. See docs/python.md.
"""

from __future__ import annotations

import os
from typing import Any, List, Optional

import pytest

from . import _child

_refusal_key = pytest.StashKey[Optional[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lapscope", "overlap of GPU work (lapscope)")
    group.addoption("--overlap", choices=("auto", "require", "off"), default="auto",
                    help="auto: skip tests that are marked overlap where lapscope cannot record. require: fail them there. "
                         "off: run them like any other test.")
    group.addoption("--overlap-baseline", metavar="FOLDER",
                    help="Compare each test that is marked overlap with its summary in this folder.")
    group.addoption("--overlap-update", action="store_true",
                    help="Write the summaries of --overlap-baseline, instead of comparing with them.")
    group.addoption("--overlap-traces", metavar="FOLDER",
                    help="Keep the trace of each test here. Default: those of tests that fail, in pytest's temporary folder.")


@pytest.hookimpl(tryfirst=True)  # sets the child's options before other plugins read them
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "overlap(min, max_idle, forbid, range, runs=1, record=[], ...): record the GPU work of this test with "
        "lapscope and evaluate it. All options of `lapscope gate` are taken, with _ for -; min=NUMBER is min_overlap.")
    if config.getoption("overlap_update") and not config.getoption("overlap_baseline"):
        raise pytest.UsageError("--overlap-update writes to a folder: name it with --overlap-baseline.")
    folder = os.environ.pop(_child.variable, None)
    if folder:
        _child.begin(config, folder)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: Optional[pytest.Item]) -> Optional[bool]:
    marker = item.get_closest_marker("overlap")
    if marker is None or _child.is_in(item.config) or item.config.getoption("overlap") == "off":
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in [*_reports(item, marker), *_torn_down(item, nextitem)]:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _reports(item: pytest.Item, marker: pytest.Mark) -> List[pytest.TestReport]:
    from ._verdict import evaluated
    from . import _reporting

    if _refusal_key not in item.config.stash:
        from ._recording import refusal

        item.config.stash[_refusal_key] = refusal()
    reason = item.config.stash[_refusal_key]
    if reason is None:
        return evaluated(item, marker)
    if item.config.getoption("overlap") == "require":
        return [_reporting.failed(item, reason, "setup")]
    return [_reporting.skipped(item, reason)]


def _torn_down(item: pytest.Item, nextitem: Optional[pytest.Item]) -> List[pytest.TestReport]:
    """Tears down module and class fixtures of earlier tests in this process that `nextitem` does not need."""
    state: Any = item.session._setupstate
    call = pytest.CallInfo.from_call(lambda: state.teardown_exact(nextitem), when="teardown")
    if call.excinfo is None:
        return []
    report: pytest.TestReport = item.ihook.pytest_runtest_makereport(item=item, call=call)
    return [report]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    from ._reporting import table_of

    reports = [report for several in terminalreporter.stats.values() for report in several]
    lines = table_of(reports)
    if lines:
        terminalreporter.write_sep("=", "overlap")
        for line in lines:
            terminalreporter.write_line(line)
