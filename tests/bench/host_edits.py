#!/usr/bin/env python3
"""Compares predictions for edits of host work with measured times.

  host_edits.py LAPSCOPE [--archive tests/traces/host-edits/traces.tar.xz] [--check PAGE]

The programs are cases of tests/gpu/programs/host_edits.py. Each was recorded once, and run without lapscope in two
versions: as written first, and with the edit. Prints a table in Markdown. --check compares it with the table on a page.
Programs that are kept aside were recorded and measured with the others, but nothing in the analyzer was changed because
of them.
"""
import argparse
import json
import pathlib
import statistics
import subprocess

import page_table

folder = pathlib.Path(__file__).resolve().parent.parent / "traces/host-edits"


def first_finding(lapscope, trace):
    """Returns (code, what is named, predicted wall in ms, its range in ms, corrected wall in ms)."""
    report = json.loads(subprocess.run([lapscope, "analyze", "--range", "measure", "--format", "json", trace],
                                       capture_output=True, text=True).stdout)
    scope = next(one for device in report["devices"] for one in device["ranges"] if one["name"] == "measure")
    if not scope["findings"]:
        return "none", "", None, None, None
    finding = scope["findings"][0]
    work = finding.get("host_work")
    named = work["kind"]["kind"] if work else ""
    predicted, band = finding["predicted"]["wall_ns"], finding["predicted"]["error_band"]
    ends = (band["low_ns"] / 1e6, band["high_ns"] / 1e6)
    return finding["code"], named, predicted / 1e6, ends, (predicted + finding["saving_ns"]) / 1e6


def spread(values):
    return f"{statistics.median(values):.0f} ({min(values):.0f} to {max(values):.0f})"


def rows_of(lapscope, archive, walls):
    rows, errors = [], {"": [], "aside": []}
    in_range = {"": 0, "aside": 0}
    with page_table.unpacked(archive) as place:
        for case, one in walls.items():
            code, named, predicted, ends, recorded = first_finding(lapscope, f"{place}/{case}.sqlite")
            fixed = statistics.median(one["fixed"])
            group = "aside" if one["aside"] else ""
            error = None if predicted is None else predicted / fixed - 1
            errors[group].append(error)
            in_range[group] += predicted is not None and ends[0] <= fixed <= ends[1]
            shown = [case, group, f"`{code}`" + (f", {named}" if named else ""), f"{recorded:.0f}", spread(one["broken"]),
                     f"{predicted:.0f} ({ends[0]:.0f} to {ends[1]:.0f})", spread(one["fixed"]), f"{100 * error:+.0f}"]
            rows.append("| " + " | ".join(shown) + " |")
    return rows, errors, in_range


def table(arguments):
    walls = json.loads((folder / "walls.json").read_text())
    rows, errors, in_range = rows_of(arguments.lapscope, arguments.archive, walls)
    lines = ["| program | | first finding | recorded, corrected | bare | predicted | bare, with the edit | error % |",
             "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |", *rows, ""]
    for group, name in (("", "Programs that are not marked"), ("aside", "Programs marked *aside*")):
        known = [one for one in errors[group] if one is not None]
        lines.append(f"{name}: {len(known)}. Median error: {100 * statistics.median(map(abs, known)):.0f} %. "
                     f"Errors below -10 %: {sum(one < -0.1 for one in known)}. "
                     f"Medians in the range of the prediction: {in_range[group]}.")
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--archive", default=folder / "traces.tar.xz")
    page_table.run("<!-- host_edits.py -->", table, parser)
