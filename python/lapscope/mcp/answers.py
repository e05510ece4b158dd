"""The answers of the tools: parts of the command's output, with the verdict and the problems of the trace."""

from __future__ import annotations

import os
import subprocess
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .. import _command, _trace
from .._results import Analysis, Record, evaluated_scopes, results_of
from .folders import Folders, Refused
from .query import select

_most_sites = 10
_most_frames = 12
_most_works = 10
_most_kernels = 20


class Answers:
    """Methods raise Refused or an Error of the command. The message of both is a sentence."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._healths: Dict[Tuple[str, float, int], Dict[str, Any]] = {}

    def findings(self, trace: str, range: Optional[str], whole: bool) -> Dict[str, Any]:
        return self._brief(self._folders.file(trace), range, whole)

    def explain(self, trace: str, code: str, range: Optional[str], whole: bool) -> Dict[str, Any]:
        path = self._folders.file(trace)
        analysis = _trace.analyze(path, range=range, whole=whole)
        explained, known = [], []
        for device, scope, name in evaluated_scopes(analysis):
            for kind in ("findings", "questions"):
                for one in scope[kind] or []:
                    known.append(one["code"])
                    if one["code"] == code:
                        explained.append(_explained(device, scope, name, kind, one))
        if not explained:
            there_are = ", ".join(sorted(set(known))) or "none"
            raise Refused(f"there is no finding or question '{code}' in what is evaluated of this trace; there are: {there_are}. "
                          f"The verdict is {analysis.verdict}.")
        return {**self._state(path), "verdict": analysis.verdict, "explained": explained[:_most_works],
                "explained_left_out": max(0, len(explained) - _most_works)}

    def whatif(self, trace: str, fixes: Sequence[str], range: Optional[str]) -> Dict[str, Any]:
        path = self._folders.file(trace)
        if not fixes:
            raise Refused("name a fix: the fix_argument of a finding, as pageable-copy.")
        result = _trace.whatif(path, fixes, range=range)
        names = ("device", "kind", "range", "wall_ns", "overlap_ratio", "predicted", "ratios", "assumed", "conclusive", "unexplained_share",
                 "findings", "bound_by")
        return {**self._state(path), "verdict": "predicted" if result.status == 0 else "inconclusive", "changes": result.changes,
                "needs_judgement": result.needs_judgement, "scopes": _chosen(result.scopes[:_most_works], names),
                "scopes_left_out": max(0, len(result.scopes) - _most_works)}

    def diff(self, before: str, after: str, range: Optional[str]) -> Dict[str, Any]:
        then, now = self._folders.file(before), self._folders.file(after)
        result = _trace.diff(then, now, range=range)
        sides = {"before": self._state(then), "after": self._state(now)}
        return {"verdict": result.verdict, "reason": result.reason, "complete": all(side["complete"] for side in sides.values()), **sides,
                "scope": result.scope, "notes": result.notes, "works": [_compared(work) for work in result["works"][:_most_works]],
                "works_left_out": max(0, len(result["works"]) - _most_works)}

    def query(self, trace: str, sql: str) -> Dict[str, Any]:
        path = self._folders.file(trace)
        return {**self._state(path), **select(path, sql)}

    def doctor(self) -> Dict[str, Any]:
        done = subprocess.run([_command.command(), "doctor"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = done.stdout.decode("utf-8", "replace").splitlines()
        return {"verdict": "recording works here" if done.returncode == 0 else "recording does not work here", "complete": True,
                "said": lines[:100], "folders": self._folders.roots, **self._folders.traces()}

    def _brief(self, path: str, range: Optional[str], whole: bool) -> Dict[str, Any]:
        words = ["analyze", "--format=json", "--brief", *_command.arguments({"range": range, "whole": whole})]
        return dict(results_of(*_command.run(words, [path]), Analysis)[0])

    def _state(self, path: str) -> Dict[str, Any]:
        """Returns verdict, completeness and problems of a trace. For a file that is not a trace, such as a summary,
        returns only its problem."""
        status = os.stat(path)
        key = (path, status.st_mtime, status.st_size)
        if key not in self._healths:
            try:
                brief = self._brief(path, None, False)
                self._healths[key] = {name: brief[name] for name in ("trace", "verdict", "complete", "problems")}
            except _command.Unreadable as error:
                self._healths[key] = {"trace": path, "verdict": None, "complete": None, "problems": [str(error)]}
        return dict(self._healths[key])


def _chosen(objects: Sequence[Record], names: Sequence[str]) -> List[Dict[str, Any]]:
    return [{name: one[name] for name in names if name in one} for one in objects]


def _explained(device: Record, scope: Record, name: str, kind: str, one: Record) -> Dict[str, Any]:
    names = ("code", "what", "explanation", "fix", "fix_argument", "saving_ns", "saving_share", "most_saving_ns", "if", "occurrences",
             "waited_ns", "advice", "then_also", "predicted")
    sites = []
    for site in (one.get("sites") or [])[:_most_sites]:
        stack = [f"{frame['function']} {frame['file']}:{frame['line']}" for frame in site.get("stack") or []
                 if frame["file"] and frame["owner"] != "runtime"]
        sites.append({**_chosen([site], ("what", "range", "occurrences", "waited_ns", "saving_ns", "fix_argument", "threads", "line", "where"))[0],
                      "stack": stack[:_most_frames]})
    return {"device": device["id"], "device_name": device["name"], "kind": "finding" if kind == "findings" else "question",
            "scope": name, "conclusive": scope["conclusive"],
            **_chosen([one], names)[0], "sites": sites, "sites_left_out": max(0, len(one.get("sites") or []) - _most_sites),
            "idle_by_cause_ns": scope["gaps"]["by_cause"]}


def _compared(work: Record) -> Dict[str, Any]:
    """Returns the medians of a comparison, without spreads."""
    def figures(of: Dict[str, Any]) -> Dict[str, Any]:
        return {name: {"before": one["before"] and one["before"]["median"], "after": one["after"] and one["after"]["median"],
                       "change": one["change"], "p": one["p"]} for name, one in of.items()}

    kernels = sorted(work["kernels"], key=lambda one: -abs(one["sum_ns"]["difference"] or 0))
    return {"name": work["name"], "measures": figures(work["measures"]), "idle_by_cause_ns": figures(work["gaps"]), "findings": work["findings"],
            "kernels": [{"name": one["name"], **figures({"sum_ns": one["sum_ns"], "ops": one["ops"]})} for one in kernels[:_most_kernels]],
            "kernels_left_out": max(0, len(kernels) - _most_kernels)}
