"""Which files can be read: those that lie in the named folders when all links are followed."""

from __future__ import annotations

import os
from typing import Any, Dict, List, Sequence

_most_listed = 200
_endings = (".sqlite", ".json", ".json.gz", ".xplane.pb", ".sqlite3", ".db")


class Refused(Exception):
    """A sentence about what was asked for and is not given."""


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
        """The path of a file, which may be named below one of the folders or from the root."""
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
        # Whether there is such a file elsewhere is not said.
        raise Refused(f"'{named}' is not in {self._named()}: only what lies there is read.")

    def traces(self) -> Dict[str, Any]:
        """Names of the files that may be traces, newest first: at most 200, and how many more there are."""
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
