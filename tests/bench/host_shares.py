#!/usr/bin/env python3
"""How far the shares of host time that samples show are from what programs measure themselves with a clock.

  host_shares.py LAPSCOPE [--check PAGE | --write PAGE]

The programs are tests/gpu/programs/host_time.py, each recorded three times; tests/traces/host/clocks.json has what they measured. Prints a
table in Markdown: by clock and by samples, in percent, and in how many recordings the clock is in the range that the samples give.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

folder = pathlib.Path(__file__).resolve().parent.parent / "traces/host"
BEGIN, END = "<!-- host_shares.py -->", "<!-- end -->"

# By case and part: what a row of `lapscope analyze --by function` that belongs to it has.
parts = {
    ("two_functions", "long_work"): "spin ← long_work",
    ("two_functions", "short_work"): "spin ← short_work",
    ("lock", "lock"): "waiting for a lock or thread",
    ("sleep", "sleep"): "sleeping",
    ("read", "read"): "logging and I/O",
    ("collect", "collect"): "garbage collection",
    ("loader_in_thread", "loader"): "data loading",
    ("loader_in_worker", "loader"): "waiting for a process",
}
ROW = re.compile(r"\s(\d+\.\d+) %\s+± (\d+\.\d+) %\s+(\S.*)")


def shown(lapscope, trace, text):
    """The share of the rows with this text, and the largest of their ±, in percent."""
    out = subprocess.run([lapscope, "analyze", "--range", "measure", "--by", "function", trace],
                         capture_output=True, text=True).stdout
    of_range = out.split("host time between calls")[1]  # the whole recording comes after it
    rows = [row for row in map(ROW.search, of_range.splitlines()) if row and text in row[3]]
    return sum(float(row[1]) for row in rows), max((float(row[2]) for row in rows), default=0)


def table(lapscope):
    clocks = json.loads((folder / "clocks.json").read_text())
    lines = ["| case | part | by its own clock % | by samples % | in the range |", "| --- | --- | ---: | ---: | ---: |"]
    errors, inside = [], 0
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(folder / "traces.tar.xz") as packed:
            packed.extractall(place, filter="data") if hasattr(tarfile, "data_filter") else packed.extractall(place)
        for (case, part), text in parts.items():
            clock, seen, fits = [], [], 0
            for i, one in enumerate(clocks[case]):
                share, band = shown(lapscope, f"{place}/{i + 1}/{case}.sqlite", text)
                clock.append(100 * one[part])
                seen.append(share)
                fits += abs(share - clock[-1]) <= band
                errors.append(abs(share - clock[-1]))
            inside += fits
            each = lambda values: ", ".join(f"{value:.1f}" for value in values)
            lines.append(f"| {case} | `{part}` | {each(clock)} | {each(seen)} | {fits} of {len(seen)} |")
    errors.sort()
    lines += ["", f"The median error is {errors[len(errors) // 2]:.1f} percentage points, the largest {errors[-1]:.1f}; "
                  f"{inside} of {len(errors)} are in the range."]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lapscope")
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--write", type=pathlib.Path)
    arguments = parser.parse_args()
    text = table(arguments.lapscope)
    page = arguments.check or arguments.write
    if page is None:
        print(text)
        return
    before, rest = page.read_text().split(BEGIN)
    after = rest.split(END, 1)[1]
    whole = f"{before}{BEGIN}\n{text}\n{END}{after}"
    if arguments.write:
        page.write_text(whole)
    elif whole != page.read_text():
        sys.exit(f"host_shares: the table of {page} is another one now:\n{text}")


if __name__ == "__main__":
    main()
