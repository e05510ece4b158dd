"""All ops or calls of a trace, kept as the bytes that ``lapscope rows`` writes."""

from __future__ import annotations

import array
import ctypes
from typing import Any, Dict, List, Optional, Tuple

from ._command import Error
from ._results import Table

_alignment = 64


class Columns(Table):
    """Columns that an Arrow stream exports without a copy. ``rows()`` converts all of them to Python objects."""

    def __init__(self, written: bytes) -> None:
        import json

        line = written.index(b"\n") + 1
        head = json.loads(written[:line])
        self._written = written
        self._length: int = head["rows"]
        self._places: Dict[str, List[Tuple[int, int]]] = {}
        self._texts: Dict[str, int] = {}
        at = line
        for column in head["columns"]:
            places = self._places[column["name"]] = []
            for size in column["bytes"]:
                places.append((at, size))
                at += size + -size % _alignment
                if places[-1][0] + size > len(written):  # consumers of Arrow read memory that nobody checks
                    raise Error("the output of `lapscope rows` ends early.", 4)
            if column["type"] == "text":
                self._texts[column["name"]] = column["values"]
        kinds = {name: "name" if name in self._texts else "int" for name in self._places}
        super().__init__(kinds, self._all_rows)

    def __len__(self) -> int:
        return self._length

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        from ._arrow import Column, stream_capsule

        begin = ctypes.cast(ctypes.c_char_p(self._written), ctypes.c_void_p).value or 0
        made = []
        for name, places in self._places.items():
            first, second, *third = (begin + at for at, _ in places)
            if name in self._texts:
                texts = Column("text", self._texts[name], 0, [None, second, *third], owner=self._written)
                made.append(Column("name", self._length, 0, [None, first], texts, self._written))
            else:
                valid = first if places[0][1] else None
                nulls = -1 if valid else 0  # -1: not known, the consumer counts them
                made.append(Column("int", self._length, nulls, [valid, second], owner=self._written))
        return stream_capsule(self._columns, made)

    def _numbers(self, kind: str, place: Tuple[int, int]) -> "array.array[int]":
        numbers = array.array(kind)
        numbers.frombytes(self._written[place[0] : place[0] + place[1]])
        return numbers

    def _values(self, name: str) -> List[Any]:
        places = self._places[name]
        if name in self._texts:
            ends = self._numbers("i", places[1])
            begin = places[2][0]
            texts = [self._written[begin + a : begin + b].decode("utf-8", "replace") for a, b in zip(ends, ends[1:])]
            return [texts[number] for number in self._numbers("i", places[0])]
        values: List[Any] = list(self._numbers("q", places[1]))
        if places[0][1]:
            bits = self._written[places[0][0] :]
            values = [value if bits[row >> 3] >> (row & 7) & 1 else None for row, value in enumerate(values)]
        return values

    def _all_rows(self) -> List[Tuple[Any, ...]]:
        return list(zip(*map(self._values, self._places)))
