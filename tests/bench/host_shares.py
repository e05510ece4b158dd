#!/usr/bin/env python3
"""Compares the shares of host time from samples with those that programs measured with a clock.

  host_shares.py LAPSCOPE [--check PAGE | --write PAGE]

The programs are cases of tests/gpu/programs/host_time.py, each recorded three times. tests/traces/host/clocks.json has
their own measurements. Prints a table in Markdown: shares by clock and by samples, and in how many recordings the range
from the samples contains the clock's value.
"""
import json
import pathlib
import re
import subprocess

import page_table

folder = pathlib.Path(__file__).resolve().parent.parent / "traces/host"

# By case and part: a text in the matching rows of `lapscope analyze --by function`.
parts = {
    ("two_functions", "long_work"): "spin ← long_work",
    ("two_functions", "short_work"): "spin ← short_work",
    ("lock", "lock"): "waiting for a lock or thread",
    ("sleep", "sleep"): "sleeping",
    ("read", "read"): "logging and I/O",
    ("collect", "collect"): "garbage collection",
    ("loader_in_thread", "loader"): "data loading",
    # The clock measures the whole call: waiting for the batch and unpickling it, which is data loading.
    ("loader_in_worker", "loader"): " loader ",
}
ROW = re.compile(r"\s(\d+\.\d+) %\s+± (\d+\.\d+) %\s+(\S.*)")


def shown(lapscope, trace, text):
    """Returns the sum of the rows with this text, and the largest of their ±, in percent."""
    out = subprocess.run([lapscope, "analyze", "--range", "measure", "--by", "function", trace],
                         capture_output=True, text=True).stdout
    of_range = out.split("host time between calls")[1]  # a section on the whole recording follows
    rows = [row for row in map(ROW.search, of_range.splitlines()) if row and text in row[3]]
    return sum(float(row[1]) for row in rows), max((float(row[2]) for row in rows), default=0)


def table(arguments):
    clocks = json.loads((folder / "clocks.json").read_text())
    lines = ["| case | part | by its own clock % | by samples % | in the range |", "| --- | --- | ---: | ---: | ---: |"]
    errors, inside = [], 0
    with page_table.unpacked(folder / "traces.tar.xz") as place:
        for (case, part), text in parts.items():
            clock, seen, fits = [], [], 0
            for i, one in enumerate(clocks[case]):
                share, band = shown(arguments.lapscope, f"{place}/{i + 1}/{case}.sqlite", text)
                clock.append(100 * one[part])
                seen.append(share)
                fits += abs(share - clock[-1]) <= band
                errors.append(abs(share - clock[-1]))
            inside += fits
            each = lambda values: ", ".join(f"{value:.1f}" for value in values)
            lines.append(f"| {case} | `{part}` | {each(clock)} | {each(seen)} | {fits} of {len(seen)} |")
    errors.sort()
    lines += ["", f"The median error is {errors[len(errors) // 2]:.1f} percentage points, the largest {errors[-1]:.1f}. "
                  f"In {inside} of {len(errors)} cases, the clock's value is in the range."]
    return "\n".join(lines)


if __name__ == "__main__":
    page_table.run("<!-- host_shares.py -->", table)
