"""One SELECT on a trace. Nothing can be written, loaded or attached, and it ends after some seconds."""

from __future__ import annotations

import sqlite3
import time
import urllib.request
from typing import Any, Dict, List, Optional

from .folders import Refused

most_rows = 200
most_characters = 100_000  # of all rows
most_seconds = 5.0
_longest_cell = 500
_steps = 10_000  # of SQLite's machine between two looks at the clock
_reads = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE}


def _authorize(action: int, first: Optional[str], second: Optional[str], database: Optional[str], trigger: Optional[str]) -> int:
    if action == sqlite3.SQLITE_FUNCTION and second and second.lower() in ("load_extension", "fts3_tokenizer"):
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _reads else sqlite3.SQLITE_DENY


def select(path: str, sql: str, seconds: float = most_seconds) -> Dict[str, Any]:
    """Columns and rows, at most `most_rows`; "truncated" says why there are no more. Raises Refused."""
    until = time.monotonic() + seconds
    # "immutable": no file beside it is made, locked or read.
    database = sqlite3.connect(f"file:{urllib.request.pathname2url(path)}?mode=ro&immutable=1", uri=True)
    try:
        database.execute("PRAGMA query_only = 1")
        database.execute("PRAGMA trusted_schema = 0")  # of a file that anybody may have made
        defensive = getattr(sqlite3, "SQLITE_DBCONFIG_DEFENSIVE", None)  # from Python 3.12 on
        if defensive is not None:
            getattr(database, "setconfig")(defensive, True)
        if hasattr(database, "setlimit"):  # from Python 3.11 on
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 10_000_000)
            database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        database.set_progress_handler(lambda: time.monotonic() > until, _steps)
        database.set_authorizer(_authorize)
        return _read(database, sql)
    except sqlite3.DatabaseError as error:
        said = str(error)
        if "interrupted" in said:
            raise Refused(f"the query took longer than {seconds:g} s: ask for less, as with a WHERE on an indexed column.") from None
        if "not authorized" in said or "prohibited" in said:
            raise Refused("only a SELECT is answered: nothing is written, attached or set.") from None
        if "not a database" in said or "malformed" in said:
            raise Refused("it is no SQLite database, so that it cannot be queried; the other tools may read it.") from None
        raise Refused(f"SQLite says: {said}. Tables: SELECT name, sql FROM sqlite_schema.") from None
    except sqlite3.Warning as error:
        raise Refused(f"SQLite says: {error} A query is one statement.") from None
    finally:
        database.close()


def _read(database: sqlite3.Connection, sql: str) -> Dict[str, Any]:
    cursor = database.execute(sql)
    if cursor.description is None:
        raise Refused("only a SELECT is answered.")
    rows: List[List[Any]] = []
    characters, truncated = 0, None
    for row in cursor:
        cells = [_shown(cell) for cell in row]
        characters += sum(len(str(cell)) for cell in cells)
        if len(rows) == most_rows or characters > most_characters:
            truncated = f"more than {most_rows} rows" if len(rows) == most_rows else f"more than {most_characters} characters"
            break
        rows.append(cells)
    return {"columns": [column[0] for column in cursor.description], "rows": rows, "truncated": truncated}


def _shown(cell: Any) -> Any:
    if isinstance(cell, bytes):
        return f"<{len(cell)} bytes>"
    if isinstance(cell, str) and len(cell) > _longest_cell:
        return cell[:_longest_cell] + "…"
    return cell
