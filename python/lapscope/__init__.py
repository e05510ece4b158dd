"""lapscope from Python: what its command prints, as objects.

    import lapscope
    result = lapscope.analyze("run.sqlite")
    for finding in result.devices[0].findings:
        print(finding.code, finding.saving_ns, finding.fix)

Every function runs the command with ``--format json`` and returns the object that it prints: members are
attributes and items of a ``dict``, and ``result.json`` is the text itself. What they mean is in docs/json.md. Options are those
of the command, with ``_`` for ``-``: ``analyze("run.sqlite", range="step", no_causes=True)``.
"""

from ._capture import Capture, NotArmed, record
from ._command import Error, Inconclusive, Note, Unreadable, Usage, command
from ._ranges import range
from ._results import Analysis, Difference, Gate, Record, WhatIf
from ._timeline import Timeline
from ._trace import Trace, analyze, diff, gate, read, whatif

__all__ = [
    "Analysis",
    "Capture",
    "Difference",
    "Error",
    "Gate",
    "Inconclusive",
    "NotArmed",
    "Note",
    "Record",
    "Timeline",
    "Trace",
    "Unreadable",
    "Usage",
    "WhatIf",
    "analyze",
    "command",
    "diff",
    "gate",
    "range",
    "read",
    "record",
    "whatif",
]

# Where users find them is what tracebacks say.
for _name in __all__:
    globals()[_name].__module__ = __name__
