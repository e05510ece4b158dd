"""Reads a trace with Perfetto's trace_processor."""

import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

# trace_processor's tables, as (columns, source).
TABLES = {
    "errors": ("name, value", "stats WHERE value > 0 AND severity IN ('error', 'data_loss')"),
    "lost_flows": ("name, value", "stats WHERE value > 0 AND name LIKE 'flow%'"),
    "tracks": ("id, name, parent_id", "track"),
    "processes": ("process_track.id, process.name", "process_track JOIN process USING (upid)"),
    "threads": ("thread_track.id, thread.name", "thread_track JOIN thread USING (utid)"),
    "slices": ("id, track_id, ts, dur, name, depth", "slice"),
    "args": ("slice.id, key, int_value, string_value", "slice JOIN args USING (arg_set_id)"),
    "flows": ("slice_out, slice_in", "flow"),
    "counters": ("track_id, ts, value", "counter ORDER BY ts"),
}
# Each row is a JSON text, because names contain quotation marks, which trace_processor does not escape.
SQL = ";\n".join(f"SELECT '{table}' AS t, json_array({columns}) AS r FROM {source}"
                 for table, (columns, source) in TABLES.items())

# `lineage` has the names of the slice's track and of the tracks around it, outermost last. Times are in ns. A slice
# that never ended has no end.
Slice = collections.namedtuple("Slice", "lineage start end name")


def skip_without(program):
    if shutil.which(program) is None:
        print("lapscope-skip: Perfetto's trace_processor is not on PATH, and CMake's "
              "LAPSCOPE_TRACE_PROCESSOR does not name it")
        sys.exit(77)


def same(told, expected, what):
    told, expected = collections.Counter(told), collections.Counter(expected)
    lacking, odd = list(expected - told)[:5], list(told - expected)[:5]
    assert told == expected, f"{what}: lacks {lacking}, has {odd}"


def tables_of(program, binary):
    with tempfile.TemporaryDirectory() as folder:
        trace, query = os.path.join(folder, "trace"), os.path.join(folder, "query.sql")
        with open(trace, "wb") as file:
            file.write(binary)
        with open(query, "w", encoding="utf-8") as file:
            file.write(SQL)
        done = subprocess.run([program, "-q", query, trace], capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{program} does not load the trace: {done.stderr.decode(errors='replace')}")
    tables = {table: [] for table in TABLES}
    for line in done.stdout.decode("utf-8").split("\n"):
        if line.startswith('"') and '","[' in line:
            table, row = line[1:-1].split('","', 1)
            tables[table].append(json.loads(row))
    return tables


class LoadedTrace:
    """slices, depths and annotations by id; flows as pairs of ids; counters by lineage, as [(time, value)]."""

    def __init__(self, program, binary):
        tables = tables_of(program, binary)
        complaints = tables["errors"] + tables["lost_flows"]
        assert not complaints, f"trace_processor complains: {complaints}"
        self.tracks = {track: (name, parent) for track, name, parent in tables["tracks"]}
        self.owners = dict(tables["processes"] + tables["threads"])
        self.annotations = collections.defaultdict(dict)
        for one, key, number, text in tables["args"]:
            assert key.startswith("debug."), f"trace_processor adds {key}"
            self.annotations[one][key.removeprefix("debug.")] = number if text is None else text
        self.slices, self.depth = {}, {}
        for one, track, start, duration, name, depth in tables["slices"]:
            end = start + duration if duration >= 0 else None
            self.slices[one] = Slice(self.lineage(track), start, end, name)
            self.depth[one] = depth
        self.flows = [tuple(flow) for flow in tables["flows"]]
        self.counters = collections.defaultdict(list)
        for track, time, value in tables["counters"]:
            self.counters[self.lineage(track)].append((time, value))

    def lineage(self, track):
        found = ()
        while track is not None:
            name, parent = self.tracks[track]
            # A track of a process or thread has an owner instead of a parent.
            owner = (self.owners[track],) if parent is None and track in self.owners else ()
            found += (owner or (name,)) if name in (None, *owner) else (name, *owner)
            track = parent
        return found

    def ops(self):
        """Returns the ids of the slices of ops: in a track of a stream, below a device."""
        return [one for one, slice in self.slices.items() if slice.lineage[0].startswith("stream ")
                and any(name.startswith("device ") for name in slice.lineage)]
