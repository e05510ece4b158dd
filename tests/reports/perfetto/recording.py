"""Recordings as they are, and changed to what none holds."""

import contextlib
import shutil
import sqlite3
import tempfile


@contextlib.contextmanager
def changed(recording, *files):
    """A copy of the recording after the SQL of the files."""
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as copy:
        shutil.copyfile(recording, copy.name)
        with contextlib.closing(sqlite3.connect(copy.name)) as database:
            for name in files:
                with open(name, encoding="utf-8") as file:
                    database.executescript(file.read())
        yield copy.name
