"""Recordings as they are, and changed to what none holds."""

import contextlib
import shutil
import sqlite3
import subprocess
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


def written(*command):
    """What a program wrote to stdout. 3: it is inconclusive, as made-up times are."""
    result = subprocess.run(command, capture_output=True)
    assert result.returncode in (0, 3), result.stderr.decode()
    return result.stdout
