#!/usr/bin/env python3
"""Writes what the scan ladder measured into documents, so that nobody types it.

write_scan_tables.py RUNS PAGE...

RUNS is a folder of what the programs printed; docs/scan-ladder.md has the commands that fill it:
  machine.txt                             gpu, driver, date
  modern-TYPE[-MORE].txt                  scan_ladder --table modern; of several, the first that has a figure counts
  lecture.txt                             scan_ladder --table lecture
  tune.txt, tune-wide.txt                 scan_tune, scan_tune --wide
  tune-first.txt                          scan_tune, before its designs were changed
  streamed-VARIANT-N.txt                  streamed_scan; the median over N
  note.txt                                if there: a sentence about these runs
A page has places for them: the lines between `<!-- measured scan WHAT -->` and `<!-- end -->` are replaced, unless
the folder lacks the file for them. WHAT is
  machine            GPU, driver, CUDA version and date
  TYPE               GB/s by size, powers of four, every rung
  TYPE share         the same as a share of the copy of that run
  TYPE goal          the contender beside CUB by every size that both have, cold and warm, quartiles, clock
  TYPE first         the contender's first scan in a workspace of unknown content, beside any later one
  TYPE ceilings      share of a copy at the largest size of all, beside what the traffic allows
  lecture            the lecture's table
  tune TYPE ROW|ROW  rows of tune.txt by their names, without the spaces; tune-first of tune-first.txt
  tune-wide          all rows of tune-wide.txt
  streamed           the variants of streamed_scan
"""
import pathlib
import re
import statistics
import sys

ORDER = """copy global-hillis-steele scan-then-propagate reduce-then-scan reduce-then-scan-shuffle chained look-back-thread
look-back-warp contender bulk-copies cub""".split()


def printed(path):
    lines = path.read_text().splitlines() if path.exists() else []
    return dict(line.split(": ", 1) for line in lines if ": " in line)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join(["---"] + ["---:"] * (len(head) - 1)) + " |"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


class Runs:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def read(self, name):
        """The lines; a program that was skipped leaves none, as if there were no file."""
        lines = (self.folder / name).read_text().splitlines()
        if not lines:
            raise FileNotFoundError(f"{self.folder / name} that is not empty")
        return lines

    def modern(self, kind):
        """Figures by rung, then by size such as 2^20."""
        rungs = {name: {} for name in ORDER}
        for path in sorted(self.folder.glob(f"modern-{kind}*.txt")):
            head = None
            for line in path.read_text().splitlines():
                if line.split()[:2] == ["n", "rung"]:
                    head = line.split()
                    if head.count("copy_%") == 2:  # As it was printed before warm figures had quartiles.
                        head[8] = "warm_copy_%"
                elif head:
                    row = dict(zip(head, line.split()))
                    rungs.setdefault(row["rung"], {}).setdefault(row["n"], row)
        rungs = {name: by_size for name, by_size in rungs.items() if by_size}
        if not rungs:
            raise FileNotFoundError(f"{self.folder}/modern-{kind}.txt")
        sizes = sorted({size for by_size in rungs.values() for size in by_size}, key=lambda size: int(size[2:]))
        return rungs, sizes

    def by_size(self, kind, figure, digits):
        rungs, sizes = self.modern(kind)
        sizes = [size for size in sizes if int(size[2:]) % 2 == 0]
        cell = lambda row: f"{float(row[figure]):.{digits}f}" if row else ""
        rows = [[f"`{name}`"] + [cell(by_size.get(size)) for size in sizes] for name, by_size in rungs.items()]
        return table(["rung"] + sizes, rows)

    def ceilings(self, kind):
        rungs, sizes = self.modern(kind)
        largest = [size for size in sizes if all(size in by_size for by_size in rungs.values())][-1]
        rows = []
        for name, by_size in rungs.items():
            row = by_size[largest]
            ceiling = f"{float(row['ceiling_%']):.1f}" if "ceiling_%" in row else "–"
            rows.append([f"`{name}`", row["GB/s"], row["copy_%"], ceiling])
        return table([f"n = {largest}", "GB/s", "% of a copy", "ceiling %"], rows)

    def goal(self, kind):
        rungs, sizes = self.modern(kind)
        head = ["n", "contender", "q1 to q3", "CUB", "q1 to q3", "contender / CUB", "contender warm", "q1 to q3", "CUB warm", "q1 to q3", "MHz"]
        whole = lambda row, figure: f"{float(row[figure]):.0f}"
        span = lambda row, low, high: f"{whole(row, low)} to {whole(row, high)}" if high in row else ""
        rows = []
        for size in sizes:
            pair = [rungs.get(name, {}).get(size) for name in ("contender", "cub")]
            if not all(pair):
                continue
            cold = [cell for row in pair for cell in (whole(row, "GB/s"), span(row, "q1", "q3"))]
            warm = [cell for row in pair for cell in (whole(row, "warm"), span(row, "warm_q1", "warm_q3"))]
            ratio = float(pair[0]["GB/s"]) / float(pair[1]["GB/s"])
            rows.append([size] + cold + [f"{ratio:.2f}"] + warm + [f"{pair[0]['MHz']}, {pair[1]['MHz']}"])
        return table(head, rows)

    def first(self, kind):
        rungs, sizes = self.modern(kind)
        rows = []
        for size in sizes:
            row = rungs.get("contender", {}).get(size, {})
            if "first_us" not in row:
                continue
            later, first = float(row["cold_us"]), float(row["first_us"])
            share = float(row["copy_%"]) * later / first
            rows.append([size, f"{later:.2f}", f"{first:.2f}", f"{first - later:.2f}", f"{share:.1f}"])
        if not rows:
            raise FileNotFoundError(f"{self.folder}/modern-{kind}-*.txt with first_us")
        return table(["n", "µs", "first scan, µs", "more, µs", "first scan, % of a copy"], rows)

    def machine(self):
        about = printed(self.folder / "machine.txt")
        for path in sorted(self.folder.glob("modern-*.txt")):
            about = printed(path) | about
        if not {"date", "gpu", "driver", "cuda"} <= about.keys():
            raise FileNotFoundError(f"{self.folder}/machine.txt with date, gpu and driver, and modern-*.txt with cuda")
        line = f"Measured on {about['date']} on {about['gpu']}, driver {about['driver']}, CUDA {about['cuda']}."
        note = self.folder / "note.txt"
        return [line + (" " + note.read_text().strip() if note.exists() else "")]

    def lecture(self):
        lines = self.read("lecture.txt")
        first = next(i for i, line in enumerate(lines) if line.startswith("# elements"))
        return table([cell.strip() for cell in re.split(r"\s{2,}", lines[first])], [l.split() for l in lines[first + 1 :]])

    def tuned(self, file, kind):
        """Sizes, and figures by name."""
        rows, sizes = {}, []
        inside = False
        for line in self.read(file):
            row = re.fullmatch(r"(.+?)((?:\s+(?:[\d.]+|failed))+)", line)
            if " GB/s " in line:
                inside = line.split()[0] == kind
                sizes = [word for word in line.split() if word.startswith("2^")] if inside else sizes
            elif inside and row:
                rows[row.group(1)] = row.group(2).split()[: len(sizes)]
        return sizes, rows

    def tune(self, file, kind, wanted):
        sizes, rows = self.tuned(file, kind)
        names = {name.replace(" ", ""): name for name in rows}
        for name in wanted:
            if name not in names:
                sys.exit(f"{file} has no row {name} for {kind}; write its name without spaces")
        return table(["design"] + sizes, [[f"`{names[name]}`"] + rows[names[name]] for name in wanted])

    def tune_wide(self):
        sizes, rows = self.tuned("tune-wide.txt", "u64")
        return table(["design"] + sizes, [[f"`{name}`"] + figures for name, figures in rows.items()])

    def streamed(self):
        rows = []
        for variant in ("one-stream", "legacy-carry", "overlapped"):
            runs = [printed(path) for path in sorted(self.folder.glob(f"streamed-{variant}*.txt"))]
            if not all(runs) or not runs:
                raise FileNotFoundError(f"{self.folder}/streamed-{variant}.txt")
            walls = [float(run["wall_ms"]) for run in runs]
            one = runs[0]
            gigabytes = 8e-6 * int(one["n"]) / statistics.median(walls)
            rows.append(
                [f"`{variant}`", one["streams"], f"{one['chunks']} × {one['chunk_mib']} MiB", str(len(runs))]
                + [f"{statistics.median(walls):.3f}", f"{gigabytes:.1f}"]
            )
        return table(["variant", "streams", "chunks", "runs", "wall ms", "GB/s in and out"], rows)

    def lines(self, what):
        whole = {"machine": self.machine, "lecture": self.lecture, "tune-wide": self.tune_wide, "streamed": self.streamed}
        if what[0] in whole:
            return whole[what[0]]()
        if what[0] in ("tune", "tune-first"):
            return self.tune(f"{what[0]}.txt", what[1], what[2].split("|"))
        if what[1:] == ["share"]:
            return self.by_size(what[0], "copy_%", 1)
        by_type = {"ceilings": self.ceilings, "goal": self.goal, "first": self.first}
        if len(what) == 2:
            return by_type[what[1]](what[0])
        return self.by_size(what[0], "GB/s", 0)


def write(runs, page):
    def replaced(match):
        try:
            lines = runs.lines(match.group(1).split())
        except FileNotFoundError as missing:
            print(f"{page}: {match.group(1)} stays as it was: no {missing.filename or missing}")
            return match.group(0)
        return f"<!-- measured scan {match.group(1)} -->\n" + "\n".join(lines) + "\n<!-- end -->"

    path = pathlib.Path(page)
    old = path.read_text()
    new = re.sub(r"<!-- measured scan ([^>]*?) -->\n.*?<!-- end -->", replaced, old, flags=re.S)
    path.write_text(new)
    print(f"{page}: {'written' if new != old else 'as it was'}")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    runs = Runs(sys.argv[1])
    for page in sys.argv[2:]:
        write(runs, page)


main()
