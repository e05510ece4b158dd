"""NVTX ranges. They need the library that is installed beside the collector."""

from __future__ import annotations

import ctypes
import os
from contextlib import ContextDecorator
from typing import Any, Optional

_library: Optional[ctypes.CDLL] = None


def _ranges() -> ctypes.CDLL:
    global _library
    if _library is None:
        from ._command import command

        prefix = os.path.dirname(os.path.dirname(os.path.realpath(command())))
        path = os.path.join(prefix, "lib", "lapscope", "liblapscope_ranges.so")
        if not os.path.isfile(path):
            raise FileNotFoundError(
                f"lapscope.range needs '{path}', which is not there: this lapscope was built without a CUDA toolkit."
            )
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
