"""For scripts that print a table in Markdown of stored recordings, which a page of the documentation has between two comments."""
import argparse
import contextlib
import pathlib
import sys
import tarfile
import tempfile

END = "<!-- end -->"


@contextlib.contextmanager
def unpacked(archive):
    """A temporary folder with the content of the archive."""
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(archive) as packed:
            packed.extractall(place, filter="data") if hasattr(tarfile, "data_filter") else packed.extractall(place)
        yield place


def run(begin, table, parser=None):
    """Prints table(arguments); --check compares it with the page's, which follows the comment `begin`, and --write replaces that."""
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
