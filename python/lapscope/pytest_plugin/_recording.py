"""Runs one test in a child process under ``lapscope record``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import pytest

from .. import _command
from . import _child, _reporting

# Options that the child does not inherit: those that select tests, distribute them, or write a report on all of them.
_not_for_child = {
    "basetemp", "cacheclear", "collectonly", "confcutdir", "deselect", "dist", "distload", "failedfirst", "file_or_dir", "help",
    "ignore", "ignore_glob", "inifilename", "keyword", "last_failed_no_failures", "lf", "log_file", "looponfail", "markexpr", "maxfail",
    "maxprocesses", "newfirst", "numprocesses", "override_ini", "overlap_baseline", "overlap_update", "pastebin", "plugins", "pyargs",
    "rootdir", "rsyncdir", "stepwise", "stepwise_skip", "trace", "tx", "usepdb", "version", "xmlpath",
}


def refusal() -> Optional[str]:
    """Returns the reason why recording is impossible here, or None if it is possible."""
    if pytest.version_tuple < (8,):
        return f"lapscope's plugin needs pytest 8 or newer, and this is {pytest.__version__}"
    try:
        done = subprocess.run([_command.command(), "doctor"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
    except (OSError, _command.Error) as error:
        return f"lapscope cannot be run: {error}"
    if done.returncode == 0:
        return None
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    bad = next((line[4:].split(None, 1)[-1] for line in lines if line.startswith("BAD")), "")
    return f"recording does not work here{': ' if bad else ''}{bad} (`lapscope doctor` says more)"


def recorded(item: pytest.Item, work: Path, trace: Path, options: Sequence[str]) -> List[pytest.TestReport]:
    """Runs the test in a recorded child process and returns its reports. Creates the folder `work` for this test."""
    config = item.config
    work.mkdir()
    node = node_of(item)
    worker = getattr(config, "workerinput", None)
    with open(work / _child.asked, "w") as file:
        json.dump({"node": node, "worker": worker, "options": _options_for_child(config, work)}, file, default=repr)
    folder = config.invocation_params.dir
    words = [_command.command(), "record", "-o", str(trace), *options, "--", sys.executable, "-m", "pytest",
             os.path.relpath(item.path, folder) + node[len(node.split("::")[0]):], *_words_for_child(config)]
    environment = {**os.environ, _child.variable: str(work)}
    environment.pop("PYTEST_ADDOPTS", None)
    is_shown = config.getoption("capture") in ("no", "tee-sys")
    with open(work / "output", "w+b") as output:
        status = subprocess.run(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=None if is_shown else output,
                                stderr=None if is_shown else subprocess.STDOUT).returncode
        output.seek(0)
        said = output.read().decode("utf-8", "replace").strip()
    return _read(item, work / _child.reported, status, said)


def node_of(item: pytest.Item) -> str:
    """Returns the test's node id in the child, without the group name that pytest-xdist adds."""
    group = item.get_closest_marker("xdist_group")
    name = (group.args[0] if group.args else group.kwargs.get("name", "default")) if group else None
    return item.nodeid.removesuffix(f"@{name}") if group else item.nodeid


def _options_for_child(config: pytest.Config, work: Path) -> Dict[str, Any]:
    def is_plain(value: Any) -> bool:
        return value is None or isinstance(value, (bool, int, float, str)) or (
            isinstance(value, (list, tuple)) and all(map(is_plain, value)))

    chosen = {name: value for name, value in vars(config.option).items() if name not in _not_for_child and is_plain(value)}
    return {**chosen, "basetemp": str(work / "tmp")}


def _words_for_child(config: pytest.Config) -> List[str]:
    """Returns the arguments that pytest reads before it configures plugins. They are the same in each session, because
    gates compare command lines."""
    own = config.pluginmanager.get_name(sys.modules[__package__]) or __package__
    plugins = [name for name in config.option.plugins if name not in ("terminal", "no:terminal", own)]
    words = ["-p", "no:terminal", "-p", own]
    for name in plugins:
        words += ["-p", name]
    if config.inipath:
        words += ["-c", str(config.inipath)]
    for setting in [*(config.getoption("override_ini", None) or []), "addopts="]:
        words += ["-o", setting]
    for filter in config.getoption("pythonwarnings", None) or []:
        words += ["-W", filter]
    if config.getoption("confcutdir", None):
        words += ["--confcutdir", str(config.getoption("confcutdir"))]
    return [*words, f"--rootdir={config.rootpath}", f"--import-mode={config.getoption('importmode')}",
            f"--capture={config.getoption('capture')}"]


def _read(item: pytest.Item, path: Path, status: int, said: str) -> List[pytest.TestReport]:
    reports: List[pytest.TestReport] = []
    problems: List[str] = []
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    for line in lines:
        data = json.loads(line)
        if "problem" in data:
            problems.append(data["problem"])
            continue
        if isinstance(data.get("longrepr"), list):  # of a skipped test: a tuple, which JSON stores as a list
            data["longrepr"] = tuple(data["longrepr"])
        report = item.config.hook.pytest_report_from_serializable(config=item.config, data=data)
        report.nodeid = item.nodeid
        reports.append(report)
    if not reports or reports[-1].when != "teardown":
        how = f"by signal {status - 128}" if status > 128 else f"with status {status}"
        text = "\n".join([f"the recorded process ended {how} before the test did.", *problems, said]).strip()
        reports.append(_reporting.failed(item, text, "teardown" if any(r.when == "call" for r in reports) else "call"))
    return reports
