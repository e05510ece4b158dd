"""Converts a marker to gate conditions, and the gate's decision on a trace to the test's outcome."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import warnings
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import pytest

from .. import _command
from .._results import Analysis, Gate, Record, results_of
from . import _reporting
from ._recording import node_of, recorded

# The gate options that select the evaluated work, and those of them that other commands have, too. All other options
# need the gate.
_of_scope = {"range", "range_threads", "profiler_brackets", "whole", "comm", "device", "steady"}
_of_analyze = {"range", "range_threads", "profiler_brackets", "whole", "comm"}
_of_summarize = {"range", "range_threads", "profiler_brackets", "comm"}


def evaluated(item: pytest.Item, marker: pytest.Mark) -> List[pytest.TestReport]:
    """Records the test as often as the marker asks for, and evaluates the traces."""
    options = dict(marker.kwargs)
    runs, words = options.pop("runs", 1), options.pop("record", [])
    wrong = _wrong(marker, runs, words)
    if wrong:
        return [_reporting.failed(item, wrong, "setup")]
    if isinstance(options.get("min"), (int, float)):
        options["min_overlap"] = options.pop("min")
    name = name_of(node_of(item))
    folder = _folder(item.config)
    traces: List[Path] = []
    reports: List[pytest.TestReport] = []
    for run in range(runs):
        traces.append(folder / (f"{name}.sqlite" if runs < 2 else f"{name}-run{run + 1}.sqlite"))
        reports = recorded(item, folder / f"run{run + 1}", traces[-1], words)
        if not _has_passed(reports):
            return reports
    at = next(at for at, report in enumerate(reports) if report.when == "call")
    verdict, ratio, remark = "inconclusive", "-", ""
    try:
        for trace in traces:
            if not trace.exists():
                raise _command.Inconclusive("the test used no GPU: no trace was written.", 3)
        ratio = _ratio_of(traces, options)
        verdict, remark, text = _decide(item, traces, options, name)
    except _command.Error as error:
        text = str(error)
        verdict = verdict if isinstance(error, _command.Inconclusive) else "not evaluated"
    others = [other for trace in traces for other in trace.parent.glob(f"{trace.stem}.*.sqlite")]
    if others:
        remark = "; ".join(filter(None, [remark, f"{len(others)} other processes have used the GPU and are not in it"]))
    if text:
        traces = _kept(item.config, traces)
        text += "".join(f"\ntrace: {trace}" for trace in traces if trace.exists())
        reports[at] = _reporting.failed_instead(item, reports[at], f"overlap {verdict}: {text}")
        remark = remark or text.splitlines()[0]
    elif item.config.getoption("overlap_traces"):
        _kept(item.config, traces)
    else:
        for trace in [*traces, *others]:
            trace.unlink()
    _reporting.note(reports[at:], verdict, ratio, remark)
    return reports


def _wrong(marker: pytest.Mark, runs: Any, words: Any) -> str:
    if marker.args:
        return "overlap takes its conditions by name: @pytest.mark.overlap(min=0.5)."
    if not isinstance(runs, int) or runs < 1:
        return f"overlap: runs is a number from 1, not {runs!r}: @pytest.mark.overlap(runs=3)."
    if not isinstance(words, (list, tuple)):
        return f'overlap: record is a list of options, not {words!r}: @pytest.mark.overlap(record=["--light"]).'
    return ""


def name_of(node: str) -> str:
    """Returns a name for the files of a test. It is different for each test id."""
    return re.sub(r"[^\w.-]+", "-", node)[:100].strip("-") + "-" + hashlib.sha256(node.encode()).hexdigest()[:8]


def _has_passed(reports: List[pytest.TestReport]) -> bool:
    """Returns whether the test passed, even if it was expected to fail."""
    calls = [report for report in reports if report.when == "call"]
    if not calls or any(report.failed for report in reports if report.when != "call"):
        return False
    unexpected = isinstance(calls[0].longrepr, str) and calls[0].longrepr.startswith("[XPASS(strict)]")
    return calls[0].passed or unexpected


def _folder(config: pytest.Config) -> Path:
    """Returns a new folder in this process's temporary folder; each worker of pytest-xdist has its own."""
    factory: Any = config._tmp_path_factory  # type: ignore[attr-defined]
    made: Path = factory.mktemp("overlap")
    return made


def _kept(config: pytest.Config, traces: List[Path]) -> List[Path]:
    folder = config.getoption("overlap_traces")
    if not folder:
        return traces
    worker = getattr(config, "workerinput", {}).get("workerid", "")
    place = Path(config.invocation_params.dir, folder, worker)
    place.mkdir(parents=True, exist_ok=True)
    return [Path(shutil.move(os.fspath(trace), os.fspath(place / trace.name))) if trace.exists() else trace for trace in traces]


def _run(command: str, words: List[str], files: List[Any]) -> Tuple[bytes, int]:
    with warnings.catch_warnings():
        # Messages on standard error, such as GitHub Actions annotations, are also in the result.
        warnings.simplefilter("ignore", _command.Note)
        return _command.run([command, *words], [os.fspath(file) for file in files])


def _some(options: Dict[str, Any], names: "set[str]") -> List[str]:
    return _command.arguments({name: value for name, value in options.items() if name in names})


def _ratio_of(traces: List[Path], options: Dict[str, Any]) -> str:
    """Returns the lowest overlap ratio of all evaluated devices, ranges and runs. --no-causes makes it cheap. A device without
    the work that the options name is shown whole, which is no answer to them."""
    printed, status = _run("analyze", ["--format=json", "--brief", "--no-causes", *_some(options, _of_analyze)], traces)
    is_named = bool(options.get("range") or options.get("profiler_brackets") or options.get("steady"))
    device = str(options.get("device", ""))
    ratios = [scope["overlap_ratio"] for one in results_of(printed, status, Analysis) for scope in one["scopes"]
              if not (is_named and scope["kind"] == "device") and device in ("", str(scope["device"]))]
    known = [ratio for ratio in ratios if ratio is not None]
    return f"{min(known):.3f}" if known else "-"


def _decide(item: pytest.Item, traces: List[Path], options: Dict[str, Any], name: str) -> Tuple[str, str, str]:
    """Returns the verdict, a remark on it, and a text if the test fails because of it."""
    folder, remark = item.config.getoption("overlap_baseline"), ""
    baseline = Path(item.config.invocation_params.dir, folder, name + ".json") if folder else None
    updates = item.config.getoption("overlap_update")
    if baseline and not updates:
        if baseline.exists():
            options = {**options, "baseline": os.fspath(baseline)}
        else:
            remark = f"not compared: {baseline} is not there (--overlap-update writes it)"
    verdict, text = "recorded", ""
    if set(options) - _of_scope:
        gate = results_of(*_run("gate", ["--format=json", *_command.arguments(options)], traces), Gate)[0]
        verdict, text = gate.verdict, "" if gate.passed else _text_of(gate)
    if baseline and updates and not text:
        printed, _ = _run("summarize", _some(options, _of_summarize), traces)
        baseline.parent.mkdir(parents=True, exist_ok=True)
        baseline.write_bytes(printed)
        remark = f"{baseline.name} is written"
    return verdict, remark, text


def _text_of(gate: Gate) -> str:
    """Returns a paragraph for each condition that failed or is inconclusive, failed ones first."""
    lines: List[str] = []
    found = [one for part in gate.gates for one in part.judgements]
    for one in sorted(found, key=lambda one: bool(one.outcome != "failed")):
        if one.outcome in ("failed", "inconclusive"):
            lines.append(f"{one.condition} of {one.subject}: {one.reason or _failure(one)}")
            for why in one.because:
                place = f" at {why.at.file}:{why.at.line} in {why.at.function}" if why.at else ""
                lines.append(f"  {why.code} ({why.share:.1%}){place}: {why.sentence}")
                lines += [f"    Fix: {why.fix}"] if why.fix else []
    return "\n".join(lines)


def _failure(one: Record) -> str:
    if one.condition.startswith("forbid "):
        return f"the fix saves {one.value:.1%} of the wall time, and {one.bound:.1%} are allowed."
    side = "below" if one.sense == "min" else "above"
    return f"{_figure(one, one.value)} is {_figure(one, abs(one.margin))} {side} the bound of {_figure(one, one.bound)}."


def _figure(one: Record, value: Optional[float]) -> str:
    if value is None:
        return "-"
    return f"{value / 1e6:.3f} ms" if one.unit == "ns" else f"{value:.3f}"
