"""Prints tables in Markdown from stored recordings. A page of the documentation has such a table between two
comments."""
import argparse
import contextlib
import pathlib
import sys
import tarfile
import tempfile

END = "<!-- end -->"


@contextlib.contextmanager
def unpacked(archive):
    """Yields a temporary folder with the content of the archive."""
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(archive) as packed:
            packed.extractall(place, filter="data") if hasattr(tarfile, "data_filter") else packed.extractall(place)
        yield place


def run(begin, table, parser=None):
    """Prints table(arguments). --check compares it with the table behind the comment `begin` of a page. --write
    replaces that table."""
    parser = parser or argparse.ArgumentParser()
    parser.add_argument("lapscope")
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    arguments = parser.parse_args()
    text = table(arguments)
    page = arguments.check or arguments.write
    if page is None:
        print(text)
        return
    before, rest = page.read_text().split(begin)
    whole = f"{before}{begin}\n{text}\n{END}{rest.split(END, 1)[1]}"
    if arguments.write:
        page.write_text(whole)
    elif whole != page.read_text():
        sys.exit(f"the table of {page} behind {begin} is another one now:\n{text}")
