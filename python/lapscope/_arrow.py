"""Exports tables by the Arrow C stream interface, which pandas, Polars, DuckDB and pyarrow read. Needs only ctypes."""

from __future__ import annotations

import array
import ctypes
from typing import Any, Dict, List, Optional


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

# The structures of the Arrow C data interface.
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
_formats = {"int": b"l", "float": b"g", "text": b"u", "bool": b"b", "name": b"i"}
# Keeps exported objects alive until the consumer releases them, by the number in their private_data.
_kept: Dict[int, Any] = {}


def _keep(what: Any) -> int:
    _kept[id(what)] = what
    return id(what)


def _release(pointer: Any) -> None:
    own = pointer.contents
    parts = [own.children[at] for at in range(own.n_children)] + ([own.dictionary] if own.dictionary else [])
    for part in parts:  # a part that the consumer moved has no release function
        if part.contents.release:
            part.contents.release(part)
    _kept.pop(own.private_data, None)
    ctypes.memset(ctypes.byref(own, type(own).release.offset), 0, type(own).release.size)


_release_schema = _release_schema_type(_release)
_release_array = _release_array_type(_release)


def _set_schema(to: _Schema, format: bytes, name: str, flags: int, children: List[_Schema], has_texts: bool = False) -> None:
    pointers = (ctypes.POINTER(_Schema) * max(1, len(children)))(*map(ctypes.pointer, children))
    spelled = name.encode()
    to.format, to.name, to.metadata, to.flags, to.n_children = format, spelled, None, flags, len(children)
    to.children = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(_Schema)))
    texts, to.dictionary = None, None  # the memory is uninitialised
    if has_texts:
        texts = _Schema()
        _set_schema(texts, _formats["text"], "", _nullable, [])
        to.dictionary = ctypes.pointer(texts)
    to.release = _release_schema
    to.private_data = _keep((format, spelled, children, pointers, texts))


def _address(buffer: Any) -> Optional[int]:
    return buffer.buffer_info()[0] if isinstance(buffer, array.array) else buffer


def _set_array(to: _Array, column: Column, children: List[_Array]) -> None:
    pointers = (ctypes.POINTER(_Array) * max(1, len(children)))(*map(ctypes.pointer, children))
    places = (ctypes.c_void_p * len(column.buffers))(*map(_address, column.buffers))
    to.length, to.null_count, to.offset = column.length, column.nulls, 0
    to.n_buffers, to.n_children = len(column.buffers), len(children)
    to.buffers = ctypes.cast(places, ctypes.POINTER(ctypes.c_void_p))
    to.children = ctypes.cast(pointers, ctypes.POINTER(ctypes.POINTER(_Array)))
    texts, to.dictionary = None, None  # the memory is uninitialised
    if column.texts:
        texts = _Array()
        _set_array(texts, column.texts, [])
        to.dictionary = ctypes.pointer(texts)
    to.release = _release_array
    to.private_data = _keep((column, children, pointers, places, texts))


def _bits(values: List[bool]) -> "array.array[int]":
    bits = bytearray((len(values) + 7) // 8 or 1)
    for at, value in enumerate(values):
        if value:
            bits[at >> 3] |= 1 << (at & 7)
    return array.array("B", bytes(bits))


class Column:
    """An Arrow array. `buffers` holds arrays, or addresses of memory that `owner` keeps alive. The first is the
    validity bitmap, or None if no value is null. For kind "name", the values are indices into `texts`."""

    def __init__(self, kind: str, length: int, nulls: int, buffers: List[Any], texts: Optional["Column"] = None,
                 owner: Any = None) -> None:
        self.kind, self.length, self.nulls, self.buffers = kind, length, nulls, buffers
        self.texts, self.owner = texts, owner


def column_of(kind: str, values: List[Any]) -> Column:
    """Returns a column of Python values. None becomes null."""
    nulls = sum(value is None for value in values)
    valid = _bits([value is not None for value in values]) if nulls else None
    if kind == "bool":
        return Column(kind, len(values), nulls, [valid, _bits([bool(value) for value in values])])
    if kind == "text":
        spelled = [b"" if value is None else str(value).encode("utf-8", "replace") for value in values]
        ends = array.array("i", [0])
        for one in spelled:
            ends.append(ends[-1] + len(one))
        return Column(kind, len(values), nulls, [valid, ends, array.array("B", b"".join(spelled) or b"\0")])
    numbers = array.array("q" if kind == "int" else "d", [0 if value is None else value for value in values] or [0])
    return Column(kind, len(values), nulls, [valid, numbers])


def stream_capsule(kinds: Dict[str, str], columns: List[Column]) -> Any:
    """Returns a PyCapsule with a stream of one batch. `kinds` has the kind of each column by name: int, float, text,
    bool, or "name", which is a text that many rows share. The columns must be complete: C code that calls a callback
    does not get its exceptions, and would read an empty table."""
    batches = [columns]

    def get_schema(_: Any, to: Any) -> int:
        children = []
        for name, kind in kinds.items():
            children.append(_Schema())
            _set_schema(children[-1], _formats[kind], name, _nullable, [], kind == "name")
        _set_schema(to.contents, b"+s", "", 0, children)
        return 0

    def get_next(_: Any, to: Any) -> int:
        if not batches:
            ctypes.memset(to, 0, ctypes.sizeof(_Array))
            return 0
        table = batches.pop()
        children = []
        for column in table:
            children.append(_Array())
            _set_array(children[-1], column, [])
        whole = Column("", table[0].length if table else 0, 0, [None])
        _set_array(to.contents, whole, children)
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
