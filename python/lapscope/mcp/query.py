"""Runs one SELECT on a trace by `lapscope query`, with limits on its time and on the size of the answer."""

from __future__ import annotations

import json
import subprocess
from typing import Any, Dict, List

from .. import _command
from .folders import Refused

most_rows = 200
most_characters = 100_000  # of all rows
most_seconds = 5.0
_longest_cell = 500


def select(path: str, sql: str, seconds: float = most_seconds) -> Dict[str, Any]:
    """Returns at most `most_rows` rows as objects. "truncated" is the reason if rows are missing, else None. Raises
    Refused."""
    words = [_command.command(), "query", "--format=json", f"--max-rows={most_rows + 1}", "--", path, sql]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Refused(f"the query took longer than {seconds:g} s: ask for less, as of fewer rows or one view.") from None
    if done.returncode != 0:
        raise Refused(" ".join(done.stderr.decode("utf-8", "replace").removeprefix("lapscope: ").split()))
    rows: List[Dict[str, Any]] = []
    characters, truncated = 0, None
    for row in json.loads(done.stdout):
        cells = {name: _shown(cell) for name, cell in row.items()}
        characters += len(str(cells))
        if len(rows) == most_rows or characters > most_characters:
            truncated = f"more than {most_rows} rows" if len(rows) == most_rows else f"more than {most_characters} characters"
            break
        rows.append(cells)
    return {"rows": rows, "truncated": truncated}


def _shown(cell: Any) -> Any:
    return cell[:_longest_cell] + "…" if isinstance(cell, str) and len(cell) > _longest_cell else cell
