"""The timeline of a trace in a notebook: the page draws the ops of each stream from columns of numbers."""

from __future__ import annotations

import array
import os
from typing import Any, Dict, List, Optional, Tuple, Union

from ._command import PathLike
from ._results import Analysis, evaluated_scopes, path_of
from ._trace import Trace, read

most_ops = 200_000  # each is 21 bytes in the page
_engines = ["compute", "h2d", "d2h", "other"]


def Timeline(of: Union[PathLike, Trace, Analysis], width: int = 960, height: int = 0, window: Optional[Tuple[float, float]] = None) -> Any:
    """Returns a widget that zooms, pans and names ops. Without anywidget (``lapscope[notebook]``), returns a note.

    ``width`` and ``height`` are in pixels. With a height of 0, the widget has room for all streams, up to 600 pixels.
    ``window`` is the interval shown at first, in ms since the first op, as in ``analyze``. By default, it is the
    interval that an Analysis has evaluated, else the whole trace.
    """
    try:
        from ._widget import TimelineWidget
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("anywidget", "traitlets", "ipywidgets"):
            raise
        return Sentence("The timeline needs the package anywidget: pip install 'lapscope[notebook]'. "
                        "The page of `lapscope report` has it, too, and needs nothing.")
    return TimelineWidget(width=width, height=height, **columns_of(of, window))


class Sentence:
    """A text that a notebook shows instead of the widget."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        from html import escape

        return f"<p>{escape(self._text)}</p>"


def columns_of(of: Union[PathLike, Trace, Analysis], window: Optional[Tuple[float, float]]) -> Dict[str, Any]:
    """Returns the columns for the page, ordered by begin: begin (us since the first op, 64-bit float), length (us,
    32-bit float), lane and name (32-bit indices into `lanes` and `names`) and engine (8-bit index into `engines`).
    `view` is the interval shown at first, in us."""
    trace = _trace_of(of)
    table = trace.ops
    values = dict(zip(table.column_names, zip(*table.rows()))) if len(table) else {name: () for name in table.column_names}
    starts, ends = values["start"], values["end"]
    first = min(starts, default=0)
    order = sorted(range(len(starts)), key=starts.__getitem__)
    view = _view_of(of, window, first, max(ends, default=first))
    note = ""
    if len(order) > most_ops:
        # Keeps the first ops that end within or after the view.
        order = [at for at in order if (ends[at] - first) / 1e3 >= view[0]][:most_ops]
        note = (f"{len(order)} of {len(starts)} ops, from {view[0] / 1e3:.3f} ms on: "
                "lapscope.Timeline(…, window=(FROM, TO)) shows others, `lapscope report` all")
    places = sorted({(values["device"][at], values["stream"][at]) for at in order})
    lane_of = {place: number for number, place in enumerate(places)}
    has_devices = len({device for device, _ in places}) > 1
    names = sorted({values["name"][at] or values["kind"][at] for at in order})
    name_of = {name: number for number, name in enumerate(names)}
    return {
        "begin": array.array("d", ((starts[at] - first) / 1e3 for at in order)).tobytes(),
        "length": array.array("f", ((ends[at] - starts[at]) / 1e3 for at in order)).tobytes(),
        "lane": array.array("I", (lane_of[values["device"][at], values["stream"][at]] for at in order)).tobytes(),
        "name": array.array("I", (name_of[values["name"][at] or values["kind"][at]] for at in order)).tobytes(),
        "engine": bytes(_engine(values["engine"][at]) for at in order),
        "lanes": [(f"device {device}, " if has_devices else "") + f"stream {stream}" for device, stream in places],
        "names": names, "engines": _engines, "view": view, "note": note, "title": os.path.basename(str(trace.path)),
    }


def _trace_of(of: Union[PathLike, Trace, Analysis]) -> Trace:
    if isinstance(of, Analysis):
        return read(path_of(of))
    return of if isinstance(of, Trace) else read(of)


def _view_of(of: Any, window: Optional[Tuple[float, float]], first: int, end: int) -> List[float]:
    if window is not None:
        return [window[0] * 1e3, window[1] * 1e3]
    shown = [scope["window"] for _, scope, _ in evaluated_scopes(of)] if isinstance(of, Analysis) else []
    if shown:
        return [(min(one["start"] for one in shown) - first) / 1e3, (max(one["end"] for one in shown) - first) / 1e3]
    return [0.0, max(1.0, (end - first) / 1e3)]


def _engine(name: Optional[str]) -> int:
    return _engines.index(name) if name in _engines else len(_engines) - 1
