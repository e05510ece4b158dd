#!/usr/bin/env python3
"""Compares the period of kernels in a bare CUDA graph, the period in a recorded graph, and the length in the recording.

graph_periods.py BUILD_DIR

From a kernel launched by itself to one in a bare graph is the time from node to node. Where a trace has no graph, lapscope
predicts with none (docs/hardware.md). Needs a GPU. Exit status: 0; 1 when a program failed; 77 where there is no GPU.
"""
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile

RECORDED = """
WITH ranges AS (SELECT start, end, coalesce(text, (SELECT value FROM StringIds WHERE id = textId)) AS name FROM NVTX_EVENTS)
SELECT kernel.end - kernel.start FROM CUPTI_ACTIVITY_KIND_KERNEL AS kernel JOIN ranges
WHERE ranges.name = ? AND kernel.start BETWEEN ranges.start AND ranges.end
"""
# Kernels of graphs, by launch. Each length has three launches with kernels between marks, and three without.
OF_GRAPHS = """
SELECT correlationId, end - start FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE coalesce(graphNodeId, 0) <> 0 ORDER BY start
"""


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        sys.exit(77 if done.returncode == 77 else 1)
    return [line.split("\t") for line in done.stdout.splitlines() if "\t" in line]


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    build = pathlib.Path(sys.argv[1])
    program = str(build / "tests/bench/collector/graph_periods")
    bare = run([program])
    with tempfile.TemporaryDirectory(prefix="lapscope-bench-") as folder:
        trace = str(pathlib.Path(folder) / "t.sqlite")
        recorded = run([str(build / "bin/lapscope"), "record", "-o", trace, "--", program])
        database = sqlite3.connect(trace)
        launches = {}
        for launch, ns in database.execute(OF_GRAPHS):
            launches.setdefault(launch, []).append(ns)
        # Leaves out the marks, and takes the third launch of each length.
        in_graph = [lengths[1:-1] for lengths in launches.values() if len(lengths) > 2][2::3]
        print("| cycles | period in a bare graph, ns | in a recorded one | added | length in the recorded graph | length alone "
              "| period - length alone |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
        for (cycles, period), (_, longer), nodes in zip(bare, recorded, in_graph, strict=True):
            lengths = [row[0] for row in database.execute(RECORDED, (cycles,))]
            alone = statistics.mean(lengths[5:])
            print(f"| {int(cycles):,} | {float(period):.0f} | {float(longer):.0f} | {float(longer) - float(period):+.0f} "
                  f"| {statistics.mean(nodes):.0f} | {alone:.0f} | {float(period) - alone:+.0f} |")


if __name__ == "__main__":
    main()
