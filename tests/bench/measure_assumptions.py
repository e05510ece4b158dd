#!/usr/bin/env python3
"""What recorded traces say of the times in analyzer/model/numbers/physics_numbers.h, and of latencies.

measure_assumptions.py FOLDER      reads the recordings *.sqlite in it, but not in its subfolders. Leaves out cases that
                                   catalogue.json keeps aside: nothing is fitted to them

*One case left out* shows the least and the largest figure if the traces of any one case are left out.
"""
import json
import pathlib
import sqlite3
import statistics
import sys

FROM_HOST = "from the end of a launch to its kernel, GPU idle"
BETWEEN_OPS = "from kernel to kernel of a stream, issued long before"
QUICK_CALL = "a launch whose kernel outlives it"
BOTH = "both directions"

LARGE = 1 << 20  # bytes
OPS = """
SELECT start, end, globalPid, deviceId, contextId, streamId, correlationId, 'kernel', 0, 0, graphNodeId
FROM CUPTI_ACTIVITY_KIND_KERNEL UNION ALL
SELECT start, end, globalPid, deviceId, contextId, streamId, correlationId, copyKind, bytes,
       srcKind = 0 OR dstKind = 0, graphNodeId FROM CUPTI_ACTIVITY_KIND_MEMCPY
"""
CALLS = """
SELECT correlationId, start, end, value FROM CUPTI_ACTIVITY_KIND_RUNTIME JOIN StringIds ON id = nameId
WHERE returnValue = 0
"""


def copy_rate(kind, where):
    return f"page-locked copy {'to' if kind == 1 else 'from'} the device, {where}, MB/s"


def covered(interval, others):
    return sum(max(0, min(interval[1], b) - max(interval[0], a)) for a, b in others)


def read(trace, found):
    database = sqlite3.connect(f"file:{trace}?mode=ro", uri=True)
    tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    if not {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_RUNTIME"} <= tables:
        return
    ops = sorted(database.execute(OPS), key=lambda op: op[:2])
    calls = {row[0]: row[1:] for row in database.execute(CALLS)}
    last = {}  # end and kind of the op before, by stream
    latest = None
    for op in ops:
        start, end, stream = op[0], op[1], op[2:6]
        call = calls.get(op[6])
        if call and not op[10]:
            if call[2].startswith("cudaLaunchKernel"):
                if end > call[1]:
                    found[QUICK_CALL].append(call[1] - call[0])
                if latest is not None and latest < call[0]:
                    found["from a launch to its kernel, GPU idle"].append(start - call[0])
                    found[FROM_HOST].append(start - call[1])
        before = last.get(stream)
        if before and not op[10]:
            if call and call[1] + 20_000 < before[0] and op[7] == before[1] == "kernel":
                found[BETWEEN_OPS].append(start - before[0])
            if start < before[0]:
                found["overlap of two ops of a stream"].append(before[0] - start)
        if not before or end > before[0]:
            last[stream] = (end, op[7])
        latest = end if latest is None else max(latest, end)
    ends = sorted(op[1] for op in ops)
    for start, end, name in calls.values():
        if name.startswith(("cudaStreamSynchronize", "cudaDeviceSynchronize")) and (not ends or ends[-1] < start):
            found["a synchronization that finds all done"].append(end - start)
    copies = {kind: [op for op in ops if op[7] == kind] for kind in (1, 2)}
    for kind, other in ((1, 2), (2, 1)):
        others = [op[:2] for op in copies[other]]
        for op in copies[kind]:
            if op[8] < LARGE or op[9] or op[1] <= op[0]:
                continue
            share = covered(op[:2], others) / (op[1] - op[0])
            where = "alone" if share <= 0.05 else BOTH if share >= 0.95 else None
            if where:
                found[copy_rate(kind, where)].append(round(op[8] * 1000 / (op[1] - op[0])))


def entries_of(folder):
    catalogue = folder / "catalogue.json"
    return json.loads(catalogue.read_text())["traces"] if catalogue.exists() else []


def kept_aside(folder):
    """Returns the traces to which nothing is fitted, by the rule in scripts/trace_catalogue.py."""
    return {entry["trace"] for entry in entries_of(folder) if entry["kept_aside"]}


class Found(dict):
    def __missing__(self, key):
        return self.setdefault(key, [])


def lower_quartile(values):
    return statistics.quantiles(values, n=4)[0] if len(values) > 1 else values[0]


def left_out(name, found, of):
    """Returns the least and the largest figure if one case is left out."""
    figures = []
    for case in found:
        others = [value for other, those in found.items() if other != case for value in those.get(name, [])]
        if others:
            figures.append(of(others))
    return f"{min(figures):,.0f} to {max(figures):,.0f}" if figures else "n/a"


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    aside = kept_aside(folder)
    cases = {entry["trace"]: entry["case"] for entry in entries_of(folder)}
    found = {}  # by case
    for trace in sorted(folder.glob("*.sqlite")):
        if trace.name not in aside:
            read(trace, found.setdefault(cases.get(trace.name, trace.name), Found()))
    print("| ns, or as it says | count | least | lower quartile | one case left out | median | one case left out | most |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name in sorted({name for those in found.values() for name in those}):
        values = [value for those in found.values() for value in those.get(name, [])]
        cells = [f"{len(values):,}", f"{min(values):,}", f"{lower_quartile(values):,.0f}",
                 left_out(name, found, lower_quartile), f"{statistics.median(values):,.0f}",
                 left_out(name, found, statistics.median), f"{max(values):,}"]
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
