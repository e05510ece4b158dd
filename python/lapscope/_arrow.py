"""Tables that pandas, Polars, DuckDB and pyarrow read by the Arrow C stream interface, with nothing but ctypes."""

from __future__ import annotations

import array
import ctypes
from typing import Any, Callable, Dict, List, Tuple


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_release_schema_type = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))
_release_array_type = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))
_release_stream_type = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))
_get_schema_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))
_get_next_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))
_last_error_type = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(_Stream))

# As the specification of the C data interface has them.
_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", _release_schema_type),
    ("private_data", ctypes.c_void_p),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", _release_array_type),
    ("private_data", ctypes.c_void_p),
]
_Stream._fields_ = [
    ("get_schema", _get_schema_type),
    ("get_next", _get_next_type),
    ("get_last_error", _last_error_type),
    ("release", _release_stream_type),
    ("private_data", ctypes.c_void_p),
]

_nullable = 2
_formats = {"int": b"l", "float": b"g", "text": b"u", "bool": b"b"}
# What is handed out, by the number in its private_data, until whoever has it releases it.
_kept: Dict[int, Any] = {}


def _keep(what: Any) -> int:
    _kept[id(what)] = what
    return id(what)


def _release(pointer: Any) -> None:
    own = pointer.contents
    for at in range(own.n_children):  # one that was moved elsewhere has no release function here
        child = own.children[at]
        if child.contents.release:
            child.contents.release(child)
    _kept.pop(own.private_data, None)
    ctypes.memset(ctypes.byref(own, type(own).release.offset), 0, type(own).release.size)


_release_schema = _release_schema_type(_release)
_release_array = _release_array_type(_release)


def _set_schema(to: _Schema, format: bytes, name: str, flags: int, children: List[_Schema]) -> None:
    pointers = (ctypes.POINTER(_Schema) * max(1, len(children)))(*map(ctypes.pointer, children))
    spelled = name.encode()
    to.format, to.name, to.metadata, to.flags, to.n_children = format, spelled, None, flags, len(children)
    to.children = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(_Schema)))
    to.dictionary, to.release = None, _release_schema
    to.private_data = _keep((format, spelled, children, pointers))


def _set_array(to: _Array, length: int, nulls: int, buffers: List[Any], children: List[_Array]) -> None:
    pointers = (ctypes.POINTER(_Array) * max(1, len(children)))(*map(ctypes.pointer, children))
    places = (ctypes.c_void_p * len(buffers))(*(b.buffer_info()[0] if b is not None else None for b in buffers))
    to.length, to.null_count, to.offset, to.n_buffers, to.n_children = length, nulls, 0, len(buffers), len(children)
    to.buffers = ctypes.cast(places, ctypes.POINTER(ctypes.c_void_p))
    to.children = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(_Array)))
    to.dictionary, to.release = None, _release_array
    to.private_data = _keep((buffers, children, pointers, places))


def _bits(values: List[bool]) -> "array.array[int]":
    bits = bytearray((len(values) + 7) // 8 or 1)
    for at, value in enumerate(values):
        if value:
            bits[at >> 3] |= 1 << (at & 7)
    return array.array("B", bytes(bits))


def _column(kind: str, values: List[Any]) -> Tuple[int, List[Any]]:
    """How many are null, and the buffers."""
    nulls = sum(value is None for value in values)
    valid = _bits([value is not None for value in values]) if nulls else None
    if kind == "bool":
        return nulls, [valid, _bits([bool(value) for value in values])]
    if kind == "text":
        spelled = [b"" if value is None else str(value).encode("utf-8", "replace") for value in values]
        ends = array.array("i", [0])
        for one in spelled:
            ends.append(ends[-1] + len(one))
        return nulls, [valid, ends, array.array("B", b"".join(spelled) or b"\0")]
    numbers = array.array("q" if kind == "int" else "d", [0 if value is None else value for value in values] or [0])
    return nulls, [valid, numbers]


def stream_capsule(columns: Dict[str, str], rows: Callable[[], List[Tuple[Any, ...]]]) -> Any:
    """A PyCapsule of a stream with one batch. `columns`: name → int, float, text or bool."""
    batches = [rows]

    def get_schema(_: Any, to: Any) -> int:
        children = []
        for name, kind in columns.items():
            children.append(_Schema())
            _set_schema(children[-1], _formats[kind], name, _nullable, [])
        _set_schema(to.contents, b"+s", "", 0, children)
        return 0

    def get_next(_: Any, to: Any) -> int:
        if not batches:
            ctypes.memset(to, 0, ctypes.sizeof(_Array))
            return 0
        table = batches.pop()()
        children = []
        for kind, values in zip(columns.values(), zip(*table) if table else [()] * len(columns)):
            children.append(_Array())
            nulls, buffers = _column(kind, list(values))
            _set_array(children[-1], len(table), nulls, buffers, [])
        _set_array(to.contents, len(table), 0, [None], children)
        return 0

    stream = _Stream()
    stream.get_schema, stream.get_next = _get_schema_type(get_schema), _get_next_type(get_next)
    stream.get_last_error, stream.release = _no_error, _release_stream
    stream.private_data = _keep((stream, stream.get_schema, stream.get_next))
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(stream), _capsule_name, ctypes.cast(_end_capsule, ctypes.c_void_p))


def _tell_no_error(_: Any) -> None:
    return None


def _release_whole_stream(pointer: Any) -> None:
    own = pointer.contents
    key = own.private_data
    ctypes.memset(ctypes.byref(own, _Stream.release.offset), 0, _Stream.release.size)
    _kept.pop(key, None)


_capsule_name = b"arrow_array_stream"


def _end(capsule: int) -> None:
    get = ctypes.pythonapi["PyCapsule_GetPointer"]
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]
    stream = ctypes.cast(get(capsule, _capsule_name), ctypes.POINTER(_Stream))
    if stream.contents.release:
        stream.contents.release(stream)


_no_error = _last_error_type(_tell_no_error)
_release_stream = _release_stream_type(_release_whole_stream)
_end_capsule = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_end)
