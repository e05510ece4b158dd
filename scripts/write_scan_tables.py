#!/usr/bin/env python3
"""Writes the figures of the scan ladder into documents, so that nobody types them.

write_scan_tables.py RUNS PAGE...

RUNS is a folder with the output of the programs. research/scan-ladder.md has the commands that fill it:
  machine.txt             gpu, driver, date; optionally note: a sentence about these runs
  ladder-TYPE.txt         scan_ladder --type TYPE
  streamed-VARIANT-N.txt  streamed_scan; the median over N
In each page, replaces the lines between `<!-- measured scan WHAT -->` and `<!-- end -->`, unless the folder lacks the
file for them. WHAT is one of
  machine     GPU, driver, CUDA version and date
  TYPE        GB/s by size, every rung
  TYPE share  the same as a share of the copy of that run
  lecture     one core beside the contender, f32
  streamed    the variants of streamed_scan
"""
import pathlib
import re
import statistics
import sys

sys.dont_write_bytecode = True
from write_tables import table, write  # noqa: E402


def printed(path):
    return dict(line.split(": ", 1) for line in path.read_text().splitlines() if ": " in line)


class Runs:
    def __init__(self, folder, page):
        self.folder = pathlib.Path(folder)
        self.page = page

    def ladder(self, kind):
        """Returns the printed figures by rung, then by size such as 2^20. The run must have succeeded."""
        path = self.folder / f"ladder-{kind}.txt"
        lines = path.read_text().splitlines()
        if "verified: yes" not in lines:
            raise FileNotFoundError(f"{path} that ends with 'verified: yes'")
        rows = [line.split() for line in lines if re.match(r" *(n|2\^\d+) ", line)]
        rungs = {}
        for row in rows[1:]:
            figures = dict(zip(rows[0], row))
            rungs.setdefault(figures["rung"], {})[figures["n"]] = figures
        order = ["cpu-sequential", "block-hillis-steele", "block-tree", "block-tree-padded", "scan-then-propagate",
                 "cub", "contender", "copy"]
        return {name: rungs[name] for name in order if name in rungs}

    def by_size(self, kind, figure, digits):
        rungs = self.ladder(kind)
        sizes = sorted({size for by_size in rungs.values() for size in by_size}, key=lambda size: int(size[2:]))
        cell = lambda row: f"{float(row[figure]):.{digits}f}" if row and row[figure] != "-" else ""
        rows = [[f"`{name}`"] + [cell(by_size.get(size)) for size in sizes] for name, by_size in rungs.items()]
        return table(["rung"] + sizes, [row for row in rows if any(row[1:])], "---:")

    def machine(self):
        about = printed(self.folder / "machine.txt")
        cuda = {printed(path)["cuda"] for path in self.folder.glob("ladder-*.txt")}
        line = f"Measured on {about['date']} on {about['gpu']}, driver {about['driver']}, CUDA {', '.join(sorted(cuda))}."
        return [line + (" " + about["note"] if "note" in about else "")]

    def lecture(self):
        rungs = self.ladder("f32")
        rows = []
        for size, cpu in rungs["cpu-sequential"].items():
            times = [float(row["us"]) / 1e3 for row in (cpu, rungs["contender"][size])]
            rows.append([str(2 ** int(size[2:]))] + [f"{ms:.6f}" for ms in times] + [f"{times[0] / times[1]:.2f}"])
        return table(["# elements", "CPU Scan (ms)", "GPU Scan (ms)", "Speedup"], rows, "---:")

    def streamed(self):
        rows = []
        for variant in ("one-stream", "legacy-carry", "overlapped"):
            runs = [printed(path) for path in sorted(self.folder.glob(f"streamed-{variant}-*.txt"))]
            if not runs or not all(run.get("verified") == "yes" for run in runs):
                raise FileNotFoundError(f"{self.folder}/streamed-{variant}-*.txt, all verified")
            wall = statistics.median(float(run["wall_ms"]) for run in runs)
            one = runs[0]
            rows.append(
                [f"`{variant}`", one["streams"], f"{one['chunks']} × {one['chunk_mib']} MiB", str(len(runs))]
                + [f"{wall:.3f}", f"{8e-6 * int(one['n']) / wall:.1f}"]
            )
        return table(["variant", "streams", "chunks", "runs", "wall ms", "GB/s in and out"], rows, "---:")

    def measured(self, what):
        whole = {"machine": self.machine, "lecture": self.lecture, "streamed": self.streamed}
        if what[0] in whole:
            return whole[what[0]]()
        return self.by_size(what[0], "copy_%", 1) if what[1:] == ["share"] else self.by_size(what[0], "GB/s", 0)

    def lines(self, what):
        try:
            return self.measured(what)
        except FileNotFoundError as missing:
            print(f"{self.page}: {' '.join(what)} stays as it was: no {missing.filename or missing}")
            return None


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    for page in sys.argv[2:]:
        write(Runs(sys.argv[1], page), page, "scan ")


main()
