"""``lapscope-mcp FOLDER...``: serves analyses of the traces in these folders on standard input and output."""

from __future__ import annotations

import argparse
import sys
from typing import List, Optional


def main(words: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="lapscope-mcp", description="Serves findings of recorded CUDA programs by the Model Context Protocol, on standard input and "
        "output. It reads traces in the folders that are named, and nothing else. It writes nothing and runs no other program but lapscope.")
    parser.add_argument("folders", metavar="FOLDER", nargs="+", help="Traces in it and below it can be read.")
    folders = parser.parse_args(words).folders
    from .folders import Folders, Refused

    try:
        allowed = Folders(folders)
        from .server import server_of
    except Refused as refused:
        parser.error(str(refused))
    except ImportError as error:
        if error.name is None or error.name.split(".")[0] not in ("mcp", "mcp_types"):
            raise
        print("lapscope-mcp: it needs version 2.3 or a newer 2.x of the package 'mcp': pip install 'lapscope[mcp]'.", file=sys.stderr)
        return 2
    server_of(allowed).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
