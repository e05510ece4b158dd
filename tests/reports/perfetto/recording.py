"""Recordings, and changed copies of them."""

import contextlib
import shutil
import sqlite3
import subprocess
import tempfile


@contextlib.contextmanager
def changed(recording, *files):
    """Yields a copy of the recording, changed by the SQL of the files."""
    with tempfile.NamedTemporaryFile(suffix=".sqlite") as copy:
        shutil.copyfile(recording, copy.name)
        with contextlib.closing(sqlite3.connect(copy.name)) as database:
            for name in files:
                with open(name, encoding="utf-8") as file:
                    database.executescript(file.read())
        yield copy.name


def written(*command):
    """Returns the standard output of a program. The exit status 3 is allowed: made-up times are inconclusive."""
    result = subprocess.run(command, capture_output=True)
    assert result.returncode in (0, 3), result.stderr.decode()
    return result.stdout
