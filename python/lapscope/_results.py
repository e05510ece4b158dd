"""Objects with the structure of the JSON that the command prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Type, TypeVar, Union

from ._command import Usage


class Record(Dict[str, Any]):
    """A JSON object. Its members are items and attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the result has no {name!r}: it has {', '.join(self)}") from None


class Table:
    """Rows of a result, also readable as an Arrow stream: ``polars.DataFrame(table)``, ``pyarrow.table(table)``."""

    def __init__(self, columns: Dict[str, str], rows: Callable[[], List[Tuple[Any, ...]]]) -> None:
        self._columns = columns
        self._rows = rows

    @property
    def column_names(self) -> List[str]:
        return list(self._columns)

    def rows(self) -> List[Tuple[Any, ...]]:
        return self._rows()

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        from ._arrow import column_of, stream_capsule

        rows = self._rows()
        values = zip(*rows) if rows else [()] * len(self._columns)
        return stream_capsule(self._columns, [column_of(kind, list(one)) for kind, one in zip(self._columns.values(), values)])

    def __len__(self) -> int:
        return len(self._rows())

    def __repr__(self) -> str:
        return f"<lapscope table of {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        from html import escape

        def line(tag: str, cells: Any) -> str:
            return "<tr>" + "".join(f"<{tag}>{'' if c is None else escape(str(c))}</{tag}>" for c in cells) + "</tr>"

        rows = self._rows()
        body = "".join(line("td", row) for row in rows[:100])
        more = f"<p>{len(rows) - 100} more rows</p>" if len(rows) > 100 else ""
        return f"<table>{line('th', self._columns)}{body}</table>{more}"


class Result(Record):
    """The result of a command. ``json`` is the printed text, ``status`` the command's exit status."""

    json: str
    status: int
    schema: str
    tool: Record


class Analysis(Result):
    """``lapscope-report/1``: see docs/json.md."""

    _path: Optional[str] = None  # of the trace, absolute

    if TYPE_CHECKING:
        trace: Record
        verdict: Optional[str]
        devices: List[Record]

    @property
    def findings(self) -> Table:
        """The findings of the evaluated scopes; those of a scope are ordered by saving, largest first."""
        columns = {
            "device": "int", "code": "text", "what": "text", "saving_ns": "int", "saving_share": "float",
            "most_saving_ns": "int", "occurrences": "int", "waited_ns": "int", "explanation": "text", "fix": "text",
            "fix_argument": "text", "scope": "text",
        }
        names, scopes = list(columns)[1:-1], evaluated_scopes(self)
        return Table(columns, lambda: [(device["id"], *(finding[name] for name in names), scope_name)
                                       for device, scope, scope_name in scopes for finding in scope["findings"] or []])

    @property
    def gaps(self) -> Table:
        """The longest idle gaps of the evaluated scopes. A gap has a row for each part with its own cause. Times in ns."""
        columns = {"device": "int", "gap": "int", "start": "int", "end": "int", "next": "text", "thread": "text",
                   "code": "text", "ns": "int", "detail": "text", "scope": "text"}
        scopes = evaluated_scopes(self)
        return Table(columns, lambda: [
            (device["id"], number, gap["start"], gap["end"], gap["next"], gap["thread"], part["code"], part["ns"],
             part["detail"], scope_name)
            for device, scope, scope_name in scopes for number, gap in enumerate(scope["gaps"]["top"])
            for part in gap["parts"] or [{"code": None, "ns": None, "detail": None}]])

    @property
    def host_time(self) -> Table:
        """The states of threads between their calls in the evaluated scopes. Empty if threads were not sampled."""
        columns = {"device": "int", "kind": "text", "state": "text", "function": "text", "file": "text", "line": "int",
                   "thread": "text", "ns": "int", "range_low_ns": "int", "range_high_ns": "int", "samples": "int", "scope": "text"}
        names, scopes = ["kind", "state", "function", "file", "line", "thread", "ns"], evaluated_scopes(self)
        return Table(columns, lambda: [(device["id"], *(part[name] for name in names), *part["range_ns"], part["samples"], scope_name)
                                       for device, scope, scope_name in scopes
                                       for part in scope.get("host_time", {}).get("parts", [])])

    def _repr_html_(self) -> str:
        """Returns an iframe with the page of ``lapscope report``."""
        from html import escape

        from . import _command

        page, _ = _command.run(["report", "--format=html", "--output=-"], [path_of(self)])
        return f'<iframe srcdoc="{escape(page.decode())}" style="width: 100%; height: 40em; border: 0"></iframe>'


def path_of(analysis: Analysis) -> str:
    """Returns the path of the trace. The printed name is relative to the folder of the call, and only UTF-8."""
    return analysis._path or str(analysis["trace"]["file"])


def evaluated_scopes(analysis: Analysis) -> List[Tuple[Record, Record, str]]:
    """Returns the scopes that the verdict is about, each with its device and name: the named ranges or the steady state
    of each device, else the whole devices. Empty if a named range is absent: then nothing was evaluated."""
    if "devices" not in analysis:
        raise Usage("a brief result has no tables: leave out brief.", 2)
    scopes = []
    for device in analysis["devices"]:
        scopes += [(device, scope, scope["name"]) for scope in device["ranges"]]
        scopes += [(device, device["steady"], "steady state")] if device["steady"] else []
    is_absent = any(one["code"] == "range-absent" for one in analysis["trace"]["health"])
    return scopes if scopes or is_absent else [(device, device, "whole device") for device in analysis["devices"]]


_states = {name: "int" for name in (
    "computing_ns", "transferring_ns", "waiting_ns", "other_communication_ns", "idle_ns")}


class Ranks(Result):
    """``lapscope-ranks/1``: see docs/json.md."""

    if TYPE_CHECKING:
        folder: str
        verdict: str
        headline: str
        window_ns: int
        findings: List[Record]
        questions: List[Record]
        ranks: List[Record]

    @property
    def by_rank(self) -> Table:
        """The time of each rank in each state in the evaluated window, in ns. Times of a rank sum to the window."""
        columns = {"rank": "text", "host": "text", "device": "int", **_states, "on_path_ns": "int", "collectives": "int",
                   "exchanges": "int", "last": "int", "late_ns": "int"}
        return Table(columns, lambda: [
            (*(rank[name] for name in ("rank", "host", "device", *_states)), sum(rank["on_path"].values()),
             *(rank[name] for name in ("collectives", "exchanges", "last", "late_ns")))
            for rank in self["ranks"]])

    @property
    def by_step(self) -> Table:
        """The time of each rank in each state, by step, in ns. The first step is 1. Empty if no steps were found."""
        states = [name for name in _states if name != "other_communication_ns"]
        columns = {"rank": "text", "step": "int", **{name: "int" for name in states}}
        return Table(columns, lambda: [
            (rank["rank"], step, *ns) for rank in self["ranks"]
            for step, ns in enumerate(zip(*(rank["steps"][name] for name in states)), 1)])


class WhatIf(Result):
    """``lapscope-whatif/1``: see docs/json.md."""

    if TYPE_CHECKING:
        trace: Record
        changes: List[str]
        needs_judgement: bool
        scopes: List[Record]


class Difference(Result):
    """``lapscope-diff/1``: see docs/json.md."""

    if TYPE_CHECKING:
        verdict: str
        reason: str
        before: Record
        after: Record
        scope: str
        notes: List[str]


class Gate(Result):
    """``lapscope-gate/1``: see docs/json.md."""

    if TYPE_CHECKING:
        verdict: str
        counts: Record
        gates: List[Record]

    @property
    def passed(self) -> bool:
        return self.status == 0


Kind = TypeVar("Kind", bound=Result)
# What a result is that another function has to return.
_others = {"lapscope-ranks/1": (Ranks, "this is a folder of ranks: use lapscope.analyze_ranks."),
           "lapscope-report/1": (Analysis, "this is one trace and no folder of ranks: use lapscope.analyze.")}


def results_of(printed: bytes, status: int, kind: Type[Kind]) -> List[Kind]:
    """Returns the printed objects: the command prints one, or an array of them."""
    import json

    text = printed.decode("utf-8", "surrogateescape")
    try:
        whole: Union[Record, List[Record]] = json.loads(text, object_hook=Record)
    except ValueError:
        raise Usage("the command printed no JSON: leave out options that change what it prints, such as help.", 2) from None
    results = []
    for one in whole if isinstance(whole, list) else [whole]:
        made, sentence = _others.get(one.get("schema", ""), (kind, ""))
        if made is not kind:
            raise Usage(sentence, 2)
        result = kind(one)
        # Set as attributes only, because they are not in the JSON.
        result.status = status
        result.json = text
        results.append(result)
    return results
