"""The recorded child process of one test: takes over the parent's options and reports results to the parent."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Optional

import pytest

variable = "LAPSCOPE_PYTEST_CHILD"  # the folder with the file `asked`; the child writes `reported` there
asked = "asked.json"
reported = "reported.jsonl"
_key = pytest.StashKey[bool]()


def is_in(config: pytest.Config) -> bool:
    return _key in config.stash


def begin(config: pytest.Config, folder: str) -> None:
    with open(os.path.join(folder, asked)) as file:
        told: Dict[str, Any] = json.load(file)
    config.stash[_key] = True
    # Must come before other plugins read the options: see `_recording._options_for_child`.
    for name, value in told["options"].items():
        setattr(config.option, name, value)
    if told["worker"]:  # of pytest-xdist: fixtures get the worker's id, and no session report is written
        config.workerinput = told["worker"]  # type: ignore[attr-defined]
        config.workeroutput = {}  # type: ignore[attr-defined]
    config.pluginmanager.register(_Reporter(config, told["node"], os.path.join(folder, reported)), "lapscope-child")


class _Reporter:
    def __init__(self, config: pytest.Config, node: str, path: str) -> None:
        self._config, self._node = config, node
        self._file = open(path, "a", encoding="utf-8")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: List[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid == self._node]

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._write({"problem": report.longreprtext})

    def pytest_internalerror(self, excrepr: Any) -> None:
        self._write({"problem": str(excrepr)})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._write(self._config.hook.pytest_report_to_serializable(config=self._config, report=report))

    def _write(self, what: Optional[Dict[str, Any]]) -> None:
        # Flush at once, because the test may end the process.
        self._file.write(json.dumps(what, default=repr) + "\n")
        self._file.flush()
