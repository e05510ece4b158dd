"""Checks that trace_processor reads a Perfetto trace as perfetto_trace.py does.

usage: check_same.py TRACE_PROCESSOR PROTO_FOLDER COMMAND... (writes the trace to its standard output)
"""

import subprocess
import sys

from perfetto_trace import PerfettoTrace
from trace_processor import LoadedTrace, same, skip_without

program, folder, *command = sys.argv[1:]
skip_without(program)
binary = subprocess.run(command, check=True, capture_output=True).stdout
loaded, written = LoadedTrace(program, binary), PerfettoTrace(binary, folder)


def lineage(track):
    return tuple(written.lineage(track))


def place(one):
    return loaded.slices[one].lineage, loaded.slices[one].start


same(loaded.slices.values(),
     [(lineage(track), *one) for track, slices in written.slices.items() for one in slices], "slices")
same([(place(out), place(into)) for out, into in loaded.flows],
     [tuple((lineage(track), time) for time, track in (written.from_call[flow], end))
      for flow, end in written.to_op.items()], "flows")
same([(track, *step) for track, steps in loaded.counters.items() for step in steps],
     [(lineage(track), *step) for track, steps in written.counters.items() for step in steps],
     "counters")
print(f"{len(loaded.slices)} slices, {len(loaded.flows)} flows, {len(loaded.counters)} counters")
