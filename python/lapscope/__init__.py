"""Runs the lapscope command from Python and returns its results as objects.

    import lapscope
    result = lapscope.analyze("run.sqlite")
    for device, code, *_ in result.findings.rows():
        print(device, code)

Each function runs the command with ``--format json`` and returns the printed object. Its members are attributes, and
items of a ``dict``; docs/json.md explains them. ``result.json`` is the printed text. The options are those of the
command, with ``_`` instead of ``-``: ``analyze("run.sqlite", range="step", no_causes=True)``.
"""

from ._capture import Capture, NotArmed, record
from ._command import Error, Inconclusive, Note, Unreadable, Usage, command
from ._ranges import range
from ._results import Analysis, Difference, Gate, Ranks, Record, WhatIf
from ._timeline import Timeline
from ._trace import Trace, analyze, analyze_ranks, diff, gate, read, whatif

# Without `range`: `from lapscope import *` must not replace the builtin.
__all__ = [
    "Analysis",
    "Capture",
    "Difference",
    "Error",
    "Gate",
    "Inconclusive",
    "NotArmed",
    "Note",
    "Ranks",
    "Record",
    "Timeline",
    "Trace",
    "Unreadable",
    "Usage",
    "WhatIf",
    "analyze",
    "analyze_ranks",
    "command",
    "diff",
    "gate",
    "read",
    "record",
    "whatif",
]

# Makes tracebacks name the public module instead of the private one.
for _name in [*__all__, "range"]:
    globals()[_name].__module__ = __name__
