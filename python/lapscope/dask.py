"""Analyzes many traces on a Dask cluster. A worker reads its files locally and returns a few hundred bytes per trace.

    client = distributed.Client(...)
    futures = lapscope.dask.summarize(client, paths)
    polars.DataFrame(lapscope.dask.table(futures))

The functions only submit futures. The machines of the workers must have lapscope installed, and the files.
"""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Sequence, Tuple, Union

from . import _command, _trace
from ._results import Analysis, Ranks, Table, results_of
from ._trace import Files, Option, files_of

if TYPE_CHECKING:
    from distributed import Client, Future

# Paths of files, or a mapping from a worker (address, host or name, as in `distributed`) to paths on its machine.
Paths = Union[Files, Mapping[str, Files]]

# One row per scope that `lapscope analyze` shows. A file that cannot be read has one row with its problem.
_columns = {
    "trace": "text", "verdict": "text", "complete": "bool", "problem": "text", "device": "int", "kind": "text", "name": "text",
    "ops": "int", "wall_ns": "int", "busy_share": "float", "overlap_ratio": "float", "copy_hidden": "float", "findings": "int",
    "finding": "text", "saving_ns": "int", "saving_share": "float", "at": "text", "fix": "text",
}


def analyze(client: Client, paths: Paths, **options: Option) -> List[Future[Any]]:
    """Returns a future of an Analysis for each path, in order."""
    return _submitted(client, _trace.analyze, paths, options)


def summarize(client: Client, paths: Paths, **options: Option) -> List[Future[Any]]:
    """Returns a future of rows for each path, in order; pass them to `table`. Options are those of ``analyze``."""
    return _submitted(client, _rows_of, paths, options)


def table(futures: Sequence[Future[Any]]) -> Table:
    """Returns the rows of `summarize` as one table: rows(), or an Arrow stream. Waits for all futures. Raises a
    worker's exception, unless a file caused it: such a file has a row with its problem."""
    rows: List[Tuple[Any, ...]] = []
    for some in futures[0].client.gather(list(futures)) if futures else []:
        rows += some
    return Table(_columns, lambda: rows)


def summarize_ranks(client: Client, paths: Paths, **options: Option) -> List[Future[Any]]:
    """Returns a future of a few kB for each path: a trace, or a folder with the traces of some ranks. Pass them to
    `analyze_ranks`."""
    return _submitted(client, _summary_of, paths, options)


def analyze_ranks(futures: Sequence[Future[Any]], **options: Option) -> Ranks:
    """Returns the analysis of all ranks together. Waits for all futures."""
    with tempfile.TemporaryDirectory() as folder:
        for number, summary in enumerate(futures[0].client.gather(list(futures)) if futures else []):
            with open(os.path.join(folder, f"{number}.json"), "wb") as file:
                file.write(summary)
        return _trace.analyze_ranks(folder, summaries=True, **options)


def _summary_of(path: str, **options: Option) -> bytes:
    return _command.run(["summarize", "--ranks", *_command.arguments(options)], [path])[0]


def _submitted(client: Client, function: Callable[..., Any], paths: Paths, options: Dict[str, Option]) -> List[Future[Any]]:
    of_workers = paths if isinstance(paths, Mapping) else {None: paths}
    # Not pure: the file of a path may change, so that results must not be cached.
    return [client.submit(function, path, workers=worker, pure=False, **options)
            for worker, some in of_workers.items() for path in files_of(some)]


def _rows_of(path: str, **options: Option) -> List[Tuple[Any, ...]]:
    words = ["analyze", "--format=json", "--brief", *_command.arguments(options)]
    try:
        if os.path.isdir(path):
            raise _command.Unreadable("it is a folder: name its traces, or pass the ranks of one run to lapscope.dask.summarize_ranks.", 4)
        brief = results_of(*_command.run(words, [path]), Analysis)[0]
    except _command.Usage:
        raise
    except _command.Error as error:
        return [(path, None, False, str(error)) + (None,) * (len(_columns) - 4)]
    problem = "; ".join(one["message"] for one in brief["problems"]) or None
    rows = []
    for scope in brief["scopes"]:
        found = scope["findings"] or []
        first = found[0] if found else {}
        sites = first.get("sites") or [{}]
        rows.append((path, brief["verdict"], brief["complete"], problem, *(scope[name] for name in (
            "device", "kind", "name", "ops", "wall_ns", "busy_share", "overlap_ratio", "copy_hidden")),
            None if scope["findings"] is None else len(found) + scope["findings_left_out"],
            first.get("code"), first.get("saving_ns"), first.get("saving_share"), sites[0].get("at"), first.get("fix")))
    return rows or [(path, brief["verdict"], brief["complete"], problem) + (None,) * (len(_columns) - 4)]
