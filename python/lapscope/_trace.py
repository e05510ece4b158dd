"""The functions of the package, one per command that prints JSON."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Optional, Sequence, Union, overload

from . import _command
from ._command import PathLike
from ._results import Analysis, Difference, Gate, Ranks, Table, WhatIf, results_of
from ._rows import Columns

Option = Union[None, bool, int, float, str, "list[Any]", "tuple[Any, ...]"]
Files = Union[PathLike, Sequence[PathLike]]


@overload
def analyze(file: PathLike, **options: Option) -> Analysis: ...  # type: ignore[overload-overlap]
@overload
def analyze(file: Sequence[PathLike], **options: Option) -> List[Analysis]: ...
def analyze(file: Files, **options: Option) -> Union[Analysis, List[Analysis]]:
    """Returns the result of ``lapscope analyze --format json`` for a trace, or a list of results for several traces.

    If the verdict is ``"inconclusive"``, ``result.status`` is 3 and ``result.trace.health`` states the reason.
    """
    files = files_of(file)
    text, status = _command.run(["analyze", "--format=json", *_command.arguments(options)], files)
    results = results_of(text, status, Analysis)
    for result, path in zip(results, files):
        result._path = os.path.abspath(path)
    return results[0] if _is_path(file) else results


def analyze_ranks(folder: PathLike, **options: Option) -> Ranks:
    """Returns the result of ``lapscope analyze --format json FOLDER`` for the ranks of one run: their traces, or the
    summaries that ``lapscope summarize --ranks`` made of them."""
    words = ["analyze", "--format=json", *_command.arguments(options)]
    return results_of(*_command.run(words, files_of(folder)), Ranks)[0]


def whatif(file: PathLike, fix: Union[str, Sequence[str]], **options: Option) -> WhatIf:
    """Returns the prediction of ``lapscope whatif --format json --fix …``: ``whatif("run.sqlite", "host-sync")``."""
    fixes = [fix] if isinstance(fix, str) else list(fix)
    words = ["whatif", "--format=json", *_command.arguments({"fix": fixes, **options})]
    return results_of(*_command.run(words, files_of(file)), WhatIf)[0]


def diff(before: Files, after: Files, **options: Option) -> Difference:
    """Returns the comparison of ``lapscope diff --format json`` for two runs, or for two sets of repeated runs."""
    then, now = files_of(before), files_of(after)
    repeats = {"before": then[1:], "after": now[1:]}
    words = ["diff", "--format=json", *_command.arguments({**repeats, **options})]
    return results_of(*_command.run(words, [*then[:1], *now[:1]]), Difference)[0]


def gate(files: Files, **options: Option) -> Gate:
    """Returns the decision of ``lapscope gate --format json``: ``gate("run.sqlite", min_overlap=0.5).passed``.

    A condition that fails or is inconclusive is part of the result. It raises no exception.
    """
    words = ["gate", "--format=json", *_command.arguments(options)]
    return results_of(*_command.run(words, files_of(files)), Gate)[0]


class Trace:
    """A recorded file. It is read on demand: once for each table, and once for the analysis."""

    def __init__(self, path: PathLike) -> None:
        self.path = path
        self._analysis: Optional[Analysis] = None
        self._tables: Dict[str, Columns] = {}

    def analyze(self, **options: Option) -> Analysis:
        return analyze(self.path, **options)

    def whatif(self, fix: Union[str, Sequence[str]], **options: Option) -> WhatIf:
        return whatif(self.path, fix, **options)

    @property
    def analysis(self) -> Analysis:
        """The analysis of the command's default scope."""
        if self._analysis is None:
            self._analysis = analyze(self.path)
        return self._analysis

    @property
    def ops(self) -> Table:
        """All kernels, copies and memsets. The columns are device, stream, kind, engine, name, start, end (ns), bytes,
        and the index of the issuing row in ``calls``."""
        return self._columns("ops")

    @property
    def calls(self) -> Table:
        """All recorded CUDA calls. The columns are process, thread, kind, name, start, end (ns)."""
        return self._columns("calls")

    @property
    def findings(self) -> Table:
        return self.analysis.findings

    @property
    def gaps(self) -> Table:
        return self.analysis.gaps

    @property
    def host_time(self) -> Table:
        return self.analysis.host_time

    def _columns(self, name: str) -> Columns:
        if name not in self._tables:
            self._tables[name] = Columns(_command.run(["rows", "--table=" + name], files_of(self.path))[0])
        return self._tables[name]

    def __repr__(self) -> str:
        return f"lapscope.read({str(self.path)!r})"

    def _repr_html_(self) -> str:
        return self.analysis._repr_html_()


def read(path: PathLike) -> Trace:
    """Opens a trace of lapscope, Nsight Systems (SQLite), PyTorch's profiler or JAX."""
    return Trace(path)


def _is_path(file: Files) -> bool:
    return isinstance(file, (str, os.PathLike))


def files_of(file: Files) -> List[str]:
    """Returns the paths as texts. One path alone is a list of one."""
    return [os.fspath(one) for one in ([file] if _is_path(file) else file)]  # type: ignore[arg-type, union-attr]
