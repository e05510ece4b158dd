"""Loads the Perfetto trace of a recording with trace_processor, and compares it with the recording.

usage: check_loaded.py TRACE_PROCESSOR LAPSCOPE TRACE [SQL_FILE]

SQL_FILE changes a copy of the recording first.
"""

import collections
import contextlib
import itertools
import json
import re
import sqlite3
import sys

from recording import changed, written
from trace_processor import LoadedTrace, same, skip_without

trace_processor, lapscope, *recording = sys.argv[1:]
skip_without(trace_processor)
with changed(*recording) as copy, contextlib.closing(sqlite3.connect(copy)) as database:
    def report(form):
        return written(lapscope, "report", copy, "--format", form, "-o", "-")

    loaded, result = LoadedTrace(trace_processor, report("perfetto")), json.loads(report("json"))
    tables = {name for name, in database.execute("SELECT name FROM sqlite_master")}

    def rows(table, columns, condition="true"):
        query = f"SELECT {columns} FROM {table} WHERE {condition}"
        return list(database.execute(query)) if table in tables else []

    texts = dict(rows("StringIds", "id, value"))
    activity = "CUPTI_ACTIVITY_KIND_"
    issued_op = "globalPid >> 24 & 0xffffff, correlationId, deviceId, streamId, start, end"
    kernels = rows(activity + "KERNEL", issued_op + ", shortName")
    memsets = rows(activity + "MEMSET", issued_op + ", bytes")
    memcpys = rows(activity + "MEMCPY", issued_op + ", bytes")
    runtime = rows(activity + "RUNTIME", "globalTid, correlationId, start, end, nameId")
    nvtx = rows("NVTX_EVENTS", "globalTid, start, end, coalesce(text, textId)", "eventType IN (59, 60)")


Op = collections.namedtuple("Op", "device stream process start end name bytes")
Call = collections.namedtuple("Call", "thread start end name")
ops = [(pid, number, Op(device, stream, pid, start, end, texts[name], 0))
       for pid, number, device, stream, start, end, name in kernels]
# Other tests check the engines of copies.
for name, table in (("memset", memsets), ("copy", memcpys)):
    ops += [(pid, number, Op(device, stream, pid, start, end, name, size))
            for pid, number, device, stream, start, end, size in table]
calls = {(tid >> 24 & 0xffffff, number): Call(f"thread {tid & 0xffffff}", start, end, texts[name])
         for tid, number, start, end, name in runtime}


def shown_op(one):
    (stream, _, device), start, end, name = loaded.slices[one]
    process = re.search(r" of process (\d+)", stream)
    return Op(int(device.split()[1]), int(stream.split()[1]), int(process[1]) if process else ops[0][0],
              start, end, "copy" if name.startswith("copy ") else name,
              loaded.annotations[one].get("bytes", 0))


def shown_call(one):
    lineage, start, end, name = loaded.slices[one]
    return Call(lineage[-1], start, end, name)


# Every op is shown once, with its duration, even if ops of its stream overlap.
told = {one: shown_op(one) for one in loaded.ops()}
same(told.values(), [op for _, _, op in ops], "ops")
assert not any(loaded.depth[one] for one in told), "an op lies in another one"

# Every arrow leads from a call to the op that it issued. It does not go back in time.
issued = [(calls[pid, number], op) for pid, number, op in ops if (pid, number) in calls]
arrows = [(call, op) for call, op in issued if call.start <= op.start]
same([(shown_call(out), told[into]) for out, into in loaded.flows], arrows, "flows")

# Every call and range is shown in its thread, except those before or after all ops and calls of ops.
extent = [op for _, _, op in ops] + [call for call, _ in issued]
first, last = min(one.start for one in extent), max(one.end for one in extent)
ranges = [Call(f"thread {tid & 0xffffff}", start, end, texts.get(name, name))
          for tid, start, end, name in nvtx]
same([shown_call(one) for one, slice in loaded.slices.items()
      if slice.lineage[-1].startswith("thread ")],
     [one for one in [*calls.values(), *ranges]
      if one.start <= last and (one.end is None or one.end >= first)], "calls")

# Counters have the number of running ops at every instant. Rates add up to the copied bytes.
counted = 0
for (name, device), steps in loaded.counters.items():
    kind, engine = name.split(": ")
    own = [one for one in told if loaded.slices[one].lineage[1:] == (engine, device)]
    if kind == "active":
        changes = collections.Counter(told[one].start for one in own)
        changes.subtract(told[one].end for one in own)
        times = [time for time in sorted(changes) if changes[time]]
        same(steps, zip(times, itertools.accumulate(changes[time] for time in times)), name)
        counted += len(own)
    else:
        moved = sum(rate * (until - time) for (time, rate), (until, _) in itertools.pairwise(steps))
        assert abs(moved / 1e9 - sum(told[one].bytes for one in own)) <= len(own), name
assert counted == len(ops), "ops that no counter tells"

# Every blocked op is shown below its device, with the reason and the fix.
keys = ("what", "fix", "saving_ns", "op", "held_by")
waits = [(device["id"], max(0, evidence["waiting"]["start"]), evidence["waiting"]["end"],
          finding["code"], *[(finding | evidence)[key] for key in keys])
         for device in result["devices"] for finding in device["findings"]
         for evidence in finding["evidence"]]
same([(int(slice.lineage[1].split()[1]), *slice[1:], *map(loaded.annotations[one].get, keys))
      for one, slice in loaded.slices.items() if slice.lineage[0] == "findings"], waits, "findings")
print(f"{len(told)} ops, {len(arrows)} flows, {len(loaded.slices)} slices, {len(waits)} waits, "
      f"{len(loaded.counters)} counters")
