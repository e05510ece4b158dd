"""Restricts reading to files in the named folders, after all links are resolved."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Sequence

_most_listed = 200
_endings = (".sqlite", ".json", ".json.gz", ".xplane.pb", ".sqlite3", ".db")


class Refused(Exception):
    """A request is refused. The message is a sentence."""


class Folders:
    def __init__(self, folders: Sequence[str]) -> None:
        self._roots = [os.path.realpath(folder) for folder in folders]
        for named, root in zip(folders, self._roots):
            if not os.path.isdir(root):
                raise Refused(f"'{named}' is no folder: name one that has traces.")

    @property
    def roots(self) -> List[str]:
        return list(self._roots)

    def file(self, named: str) -> str:
        """Returns the path of a file. `named` is absolute, or relative to one of the folders."""
        if "\0" in named:
            raise Refused("a name of a file has no zero byte.")
        allowed = []
        for root in self._roots:
            path = os.path.realpath(os.path.join(root, named))
            if self._is_inside(path):
                allowed.append(path)
        for path in allowed:
            if os.path.isfile(path):
                return path
        if allowed:
            raise Refused(f"'{named}' is no file in {self._named()}: the tool doctor lists the traces that there are.")
        # Does not reveal whether the file exists elsewhere.
        raise Refused(f"'{named}' is not in {self._named()}: only what lies there is read.")

    def traces(self) -> Dict[str, Any]:
        """Returns the paths of up to 200 files that may be traces, newest first, and the number of others."""
        found = []
        for root in self._roots:
            for folder, _, names in os.walk(root):  # links to folders are not followed
                for name in names:
                    path = os.path.join(folder, name)
                    if name.endswith(_endings) and os.path.isfile(path) and self._is_inside(os.path.realpath(path)):
                        found.append((os.path.getmtime(path), path))
        found.sort(reverse=True)
        return {"traces": [path for _, path in found[:_most_listed]], "traces_left_out": max(0, len(found) - _most_listed)}

    def _is_inside(self, path: str) -> bool:
        return any(path == root or path.startswith(os.path.join(root, "")) for root in self._roots)

    def _named(self) -> str:
        return " or ".join(f"'{root}'" for root in self._roots)
