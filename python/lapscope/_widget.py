"""The timeline widget. No other module of lapscope imports anywidget."""

from __future__ import annotations

import os

import anywidget
import traitlets

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "timeline.js"), encoding="utf-8") as _file:
    _script = _file.read()


class TimelineWidget(anywidget.AnyWidget):
    """Shows the columns that `_timeline.columns_of` returns."""

    _esm = _script
    width = traitlets.Int(960, min=100).tag(sync=True)
    height = traitlets.Int(0, min=0).tag(sync=True)
    begin = traitlets.Bytes().tag(sync=True)
    length = traitlets.Bytes().tag(sync=True)
    lane = traitlets.Bytes().tag(sync=True)
    name = traitlets.Bytes().tag(sync=True)
    engine = traitlets.Bytes().tag(sync=True)
    lanes = traitlets.List(traitlets.Unicode()).tag(sync=True)
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    engines = traitlets.List(traitlets.Unicode()).tag(sync=True)
    # Begin and end of the visible interval, in us since the first op. Zooming and panning change it.
    view = traitlets.List(traitlets.Float(), minlen=2, maxlen=2).tag(sync=True)
    note = traitlets.Unicode().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
