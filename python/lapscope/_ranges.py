"""NVTX ranges. They need the library that is installed beside the collector."""

from __future__ import annotations

import ctypes
import os
from contextlib import ContextDecorator
from typing import Any, Optional

_library: Optional[ctypes.CDLL] = None


def _path() -> str:
    """Returns the path of the library. A wheel has it in lib/lapscope, a .deb in a folder of lib for the machine."""
    import glob
    import shutil

    from ._command import Error, command

    found = shutil.which(command())
    prefix = os.path.dirname(os.path.dirname(os.path.realpath(found or command())))
    name = os.path.join("lapscope", "liblapscope_ranges.so")
    places = [os.path.join(prefix, "lib", name), *glob.glob(os.path.join(glob.escape(prefix), "lib", "*", name))]
    for place in places:
        if os.path.isfile(place):
            return place
    raise Error(f"lapscope.range needs the library '{places[0]}', which is not there. The wheel and the .deb have it: install one, or "
                "name its command with LAPSCOPE_COMMAND.", 4)


def _ranges() -> ctypes.CDLL:
    global _library
    if _library is None:
        path = _path()
        # PyDLL keeps the GIL: a call takes less time than releasing it.
        _library = ctypes.PyDLL(path)
        _library.lapscope_range_push.argtypes = [ctypes.c_char_p]
        _library.lapscope_range_push.restype = None
        _library.lapscope_range_pop.restype = None
    return _library


class range(ContextDecorator):
    """An NVTX range around a block or a function: ``with lapscope.range("step"): …``, or ``@lapscope.range("step")``.

    Any tool that records NVTX sees the range of the calling thread. Without such a tool, a range takes about 3 us.
    """

    def __init__(self, name: str) -> None:
        self._name = name.encode()

    def __enter__(self) -> "range":
        _ranges().lapscope_range_push(self._name)
        return self

    def __exit__(self, *_: Any) -> None:
        _ranges().lapscope_range_pop()
