#!/usr/bin/env python3
"""Opens the sealed recordings, and measures lapscope on programs that nobody had looked at (research/sealed-set.md).

open_sealed.py LAPSCOPE [ARCHIVE] [--jobs N]

ARCHIVE comes from scripts/record_sealed.sh (tests/traces/sealed/sealed.tar.xz). It has NAME-broken.sqlite and
NAME-fixed.sqlite of each pair, control-NAME-control.sqlite, the bare runs in walls.txt, and the author's planted.json.
Its SHA-256 must be the stored one. It is unpacked outside of the repository and then removed. Prints Markdown.

These rules were fixed before the archive was opened. All planted causes of a pair are fixed at once, in the range
"measured" of the broken recording. The time of the fixed program is the median of its bare runs. "Planted first" means
that the first finding is the first planted cause. A fixed twin or a control has a finding if the finding saves more
than 10 per cent. A pair without a prediction counts as missed.
"""
import argparse
import concurrent.futures
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import accuracy  # noqa: E402
import conformal  # noqa: E402
import pair_accuracy  # noqa: E402
from accuracy_page import table  # noqa: E402
from sealed_set import RANGE, unpacked, walls_of  # noqa: E402

LARGE_FINDING = 0.1


class Program:
    def __init__(self, lapscope, folder, walls, planted):
        self.name, self.causes = planted["name"], planted["causes"]
        self.is_control = self.causes == ["none"]
        self.row, self.why, self.first, self.found_in_fixed = None, "", "", None
        self.broken, self.fixed = (walls.get((self.name, variant), []) for variant in ("broken", "fixed"))
        if self.is_control:
            self.found_in_fixed = self.findings(lapscope, folder, "control")
            return
        found = self.findings(lapscope, folder, "broken")
        self.first = (found or [("nothing", 0)])[0][0] if found is not None else ""
        self.found_in_fixed = self.findings(lapscope, folder, "fixed")
        trace = folder / f"{self.name}-broken.sqlite"
        if not self.fixed or not trace.exists():
            self.why = "it was not measured, or not recorded"
            return
        scope, self.why = accuracy.predict(lapscope, trace, ("--range", RANGE), self.causes)
        if scope:
            self.row = accuracy.Row("sealed", self.name, self.name, accuracy.gpu_of(trace), tuple(self.causes),
                                    statistics.median(self.fixed))
            accuracy.fill(self.row, scope)

    def findings(self, lapscope, folder, variant):
        trace = folder / f"{self.name}-{variant}.sqlite"
        return pair_accuracy.findings_of(lapscope, trace, RANGE)[0] if trace.exists() else None

    @property
    def is_held(self):
        return bool(self.row and self.row.band) and self.row.band[0] <= self.row.measured <= self.row.band[1]

    @property
    def has_large(self):
        return any(share > LARGE_FINDING for _, share in self.found_in_fixed or [])

    def cells(self):
        row = self.row
        found = ", ".join(f"{code} {100 * share:.0f} %" for code, share in self.found_in_fixed or [])
        broken = f"{statistics.median(self.broken):.3f}" if self.broken else ""
        known = ["", "", "", "", "", self.why]
        if row:
            ends = f"{row.far:.3f}" if row.near == row.far else f"{row.near:.3f} to {row.far:.3f}"
            band = f"{row.band[0]:.3f} to {row.band[1]:.3f}, {row.certainty}: {'held' if self.is_held else '**missed**'}"
            known = [f"{row.wall:.3f}", ends, f"{row.measured:.3f} ({min(self.fixed):.3f} to {max(self.fixed):.3f})",
                     f"{100 * conformal.miss(row):+.1f}", f"{100 * (row.far / row.measured - 1):+.1f}", band if row.band else "none"]
        return [self.name, ", ".join(self.causes), broken, *known, self.first, found]


def share_of(count, total):
    low, high = conformal.binomial_interval(count, total)
    return f"{count} of {total} ({100 * count / total:.0f} %; 95 % interval {100 * low:.0f} to {100 * high:.0f} %)"


def write(programs, out):
    pairs = [one for one in programs if not one.is_control]
    quiet = [one for one in programs if one.found_in_fixed is not None]
    known = [one for one in pairs if one.row]
    misses = [conformal.miss(one.row) for one in known]
    sure = [one for one in known if one.row.certainty == "measured"]
    out.write(f"\n- Planted cause first: {share_of(sum(one.first == one.causes[0] for one in pairs), len(pairs))}; any of the planted "
              f"ones: {sum(one.first in one.causes for one in pairs)}.\n")
    for word, some in (("Fixed twins", [one for one in quiet if not one.is_control]),
                       ("Controls", [one for one in quiet if one.is_control])):
        if some:
            out.write(f"- {word} with a finding above {100 * LARGE_FINDING:.0f} %: {sum(one.has_large for one in some)} of {len(some)}.\n")
    out.write(f"- Predicted: {len(known)} of {len(pairs)}.\n")
    if known:
        out.write(f"- Errors, from the nearer end: median {100 * statistics.median(map(abs, misses)):.1f} %, within 10 %: "
                  f"{sum(abs(one) <= 0.1 for one in misses)}; promised more than 10 % too much: {sum(one < -0.1 for one in misses)}; from "
                  f"{100 * min(misses):+.1f} to {100 * max(misses):+.1f} %.\n")
    out.write(f"- Bands held: {share_of(sum(one.is_held for one in pairs), len(pairs))}; the goal is 90 % with 5 points to either side.\n")
    if sure:
        saved = sum(statistics.median(one.broken) > one.row.measured for one in sure if one.broken)
        out.write(f"- Savings called measured: {len(sure)}, of which {saved} fixed programs were quicker than the broken ones, and "
                  f"{sum(one.is_held for one in sure)} bands held.\n")
    for certainty in ("upper-bound", "unknown"):
        some = [one for one in known if one.row.certainty == certainty]
        if some:
            out.write(f"- {certainty}: {len(some)}, of which {sum(one.is_held for one in some)} bands held.\n")
    head = ["program", "planted", "broken, bare", "recorded", "predicted", "fixed, bare", "miss %", "error of the longer end %", "band",
            "first finding", "found in the fixed one, or the control"]
    out.write("\n" + table(head, "llrrrrrrlll", [one.cells() for one in programs]))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("lapscope")
    parser.add_argument("archive", nargs="?", type=pathlib.Path, default=accuracy.TRACES / "sealed/sealed.tar.xz")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as jobs:
        folder = pathlib.Path(folder)
        seal = unpacked(arguments.archive, folder)
        walls, planted = walls_of(folder), json.loads((folder / "planted.json").read_text())
        programs = list(jobs.map(lambda one: Program(arguments.lapscope, folder, walls, one), planted))
    commit = subprocess.run(["git", "-C", accuracy.ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True,
                            check=False).stdout.strip()
    print(f"{arguments.archive.name}, SHA-256 {seal}, {len(programs)} programs; lapscope of {commit or 'an unknown commit'}.")
    write(programs, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
