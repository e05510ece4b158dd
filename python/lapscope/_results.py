"""Objects with the structure of the JSON that the command prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Type, TypeVar, Union


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

        def columns() -> List[Any]:
            rows = self._rows()
            values = zip(*rows) if rows else [()] * len(self._columns)
            return [column_of(kind, list(one)) for kind, one in zip(self._columns.values(), values)]

        return stream_capsule(self._columns, columns)

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

    if TYPE_CHECKING:
        trace: Record
        verdict: Optional[str]
        devices: List[Record]

    @property
    def findings(self) -> Table:
        """The findings of all devices; those of a device are ordered by saving, largest first."""
        columns = {
            "device": "int", "code": "text", "what": "text", "saving_ns": "int", "saving_share": "float",
            "most_saving_ns": "int", "occurrences": "int", "waited_ns": "int", "explanation": "text", "fix": "text",
            "fix_argument": "text",
        }
        names = list(columns)[1:]
        return Table(columns, lambda: [(device["id"], *(finding[name] for name in names))
                                       for device in self["devices"] for finding in device["findings"] or []])

    @property
    def gaps(self) -> Table:
        """The longest idle gaps. A gap has a row for each part with its own cause. Times in ns."""
        columns = {"device": "int", "gap": "int", "start": "int", "end": "int", "next": "text", "thread": "text",
                   "code": "text", "ns": "int", "detail": "text"}
        return Table(columns, lambda: [
            (device["id"], number, gap["start"], gap["end"], gap["next"], gap["thread"], part["code"], part["ns"],
             part["detail"])
            for device in self["devices"] for number, gap in enumerate(device["gaps"]["top"])
            for part in gap["parts"] or [{"code": None, "ns": None, "detail": None}]])

    @property
    def host_time(self) -> Table:
        """The states of threads between their calls. Empty if threads were not sampled."""
        columns = {"device": "int", "kind": "text", "state": "text", "function": "text", "file": "text", "line": "int",
                   "thread": "text", "ns": "int", "range_ns": "int", "samples": "int"}
        names = list(columns)[1:]
        return Table(columns, lambda: [(device["id"], *(part[name] for name in names))
                                       for device in self["devices"]
                                       for part in device.get("host_time", {}).get("parts", [])])

    def _repr_html_(self) -> str:
        """Returns an iframe with the page of ``lapscope report``."""
        from html import escape

        from . import _command

        page, _ = _command.run(["report", "--format=html", "--output=-"], [self["trace"]["file"]])
        return f'<iframe srcdoc="{escape(page.decode())}" style="width: 100%; height: 40em; border: 0"></iframe>'


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


def results_of(printed: bytes, status: int, kind: Type[Kind]) -> List[Kind]:
    """Returns the printed objects: the command prints one, or an array of them."""
    import json

    text = printed.decode("utf-8", "surrogateescape")
    whole: Union[Record, List[Record]] = json.loads(text, object_hook=Record)
    results = []
    for one in whole if isinstance(whole, list) else [whole]:
        result = kind(one)
        # Set as attributes only, because they are not in the JSON.
        result.status = status
        result.json = text
        results.append(result)
    return results
