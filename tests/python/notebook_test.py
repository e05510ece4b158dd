#!/usr/bin/env python3
"""Tests of lapscope.Timeline: the page gets what the trace contains.

    tests/python/notebook_test.py LAPSCOPE        with the package anywidget
"""
import array
import os
import subprocess
import sys
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
os.environ.update(LAPSCOPE_COMMAND=os.path.realpath(sys.argv.pop(1)), XDG_CONFIG_HOME="/none")
sys.path.insert(0, os.path.join(ROOT, "python"))
os.chdir(os.path.join(ROOT, "tests/traces"))

import anywidget  # noqa: E402
import traitlets  # noqa: E402

import lapscope  # noqa: E402
from lapscope import _timeline  # noqa: E402

TRACE = "multi-gpu-fan-out-broken.sqlite"


def numbers(kind, column):
    values = array.array(kind)
    values.frombytes(column)
    return list(values)


class Traits(unittest.TestCase):
    def test_columns_are_the_ops(self):
        widget = lapscope.Timeline(TRACE, width=700, height=250)
        self.assertIsInstance(widget, anywidget.AnyWidget)
        rows = sorted(lapscope.read(TRACE).ops.rows(), key=lambda row: row[5])
        first = rows[0][5]
        self.assertEqual(numbers("d", widget.begin), [(row[5] - first) / 1e3 for row in rows])
        for shown, row in zip(numbers("f", widget.length), rows):
            self.assertAlmostEqual(shown, (row[6] - row[5]) / 1e3, delta=0.001)
        has_devices = len({row[0] for row in rows}) > 1
        self.assertEqual([widget.lanes[lane] for lane in numbers("I", widget.lane)],
                         [(f"device {row[0]}, " if has_devices else "") + f"stream {row[1]}" for row in rows])
        self.assertEqual([widget.names[name] for name in numbers("I", widget.name)], [row[4] or row[2] for row in rows])
        self.assertEqual([widget.engines[engine] for engine in widget.engine], [row[3] for row in rows])
        self.assertEqual((widget.width, widget.height, widget.note, widget.title), (700, 250, "", TRACE))
        self.assertEqual(widget.view, [0, max(row[6] - first for row in rows) / 1e3])

    def test_an_analysis_begins_with_what_it_has_evaluated(self):
        analysis = lapscope.analyze("pipeline-fixed.sqlite")
        steady = analysis.devices[0].steady.window
        view = lapscope.Timeline(analysis).view
        self.assertAlmostEqual(view[1] - view[0], (steady.end - steady.start) / 1e3)
        named = lapscope.analyze("pipeline-fixed.sqlite", range="tile 0")
        tile, start = named.devices[0].ranges[0].window, named.devices[0].window.start
        self.assertEqual(lapscope.Timeline(named).view, [(tile.start - start) / 1e3, (tile.end - start) / 1e3])
        self.assertEqual(lapscope.Timeline(lapscope.read("pipeline-fixed.sqlite"), window=(1, 2.5)).view, [1000, 2500])
        self.assertEqual(lapscope.Timeline(analysis, window=(1, 2.5)).view, [1000, 2500])

    def test_a_large_trace_is_cut_and_says_so(self):
        most, _timeline.most_ops = _timeline.most_ops, 10
        try:
            widget = lapscope.Timeline(TRACE, window=(50, 60))
        finally:
            _timeline.most_ops = most
        self.assertEqual(len(widget.engine), 10)
        self.assertGreaterEqual(numbers("d", widget.begin)[-1], 50_000)
        self.assertIn("10 of 78 ops, from 50.000 ms on", widget.note)

    def test_the_view_is_synchronized_and_the_script_is_there(self):
        widget = lapscope.Timeline(TRACE)
        self.assertTrue(widget.trait_metadata("view", "sync"))
        widget.view = [1, 2]
        with self.assertRaises(traitlets.TraitError):
            widget.view = [1]
        self.assertIn("export default {render}", widget._esm)

    def test_without_anywidget_there_is_a_sentence(self):
        code = ("import sys; sys.modules['anywidget'] = None; sys.path.insert(0, sys.argv[1]); import lapscope\n"
                "print(lapscope.Timeline(sys.argv[2])._repr_html_())")
        said = subprocess.run([sys.executable, "-c", code, os.path.join(ROOT, "python"), TRACE], stdout=subprocess.PIPE, text=True).stdout
        self.assertIn("pip install &#x27;lapscope[notebook]&#x27;", said)


if __name__ == "__main__":
    unittest.main()
