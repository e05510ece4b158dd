#!/usr/bin/env python3
"""Compares predicted with measured savings of programs of two ranks.

  rank_pairs.py LAPSCOPE [--check PAGE | --write PAGE]

The recordings are those of tests/traces/ranks/two. Its catalogue.json has the planted causes, and the walls of runs
without recording. Prints a table in Markdown.
"""
import json
import pathlib
import statistics
import subprocess

import page_table

folder = pathlib.Path(__file__).resolve().parent.parent / "traces/ranks/two"


def first_of(run):
    """The finding or question that lapscope shows first, and the ends of its saving as shares."""
    first = max(run["findings"] + run["questions"], key=lambda one: one["saving_ns"] + one["most_saving_ns"])
    return first, [first[key] / run["window_ns"] for key in ("saving_ns", "most_saving_ns")]


def percent(share):
    return f"{100 * share:.0f}"


def row(lapscope, recorded):
    out = subprocess.run([lapscope, "analyze", "--format", "json", folder / recorded["folder"]],
                         capture_output=True, text=True).stdout
    first, (least, most) = first_of(json.loads(out))
    walls = {variant: statistics.median(each) for variant, each in recorded["bare_ms"].items()}
    micro_batches = first.get("micro_batches", 0) * first.get("times_as_many", 0)
    fixed = walls.get(str(micro_batches), walls["fixed"])
    found = first["code"] + (f", rank {first['rank']}" if first["code"] == "straggler" else "")
    if micro_batches:
        found += f", {micro_batches} micro-batches"
    is_planted = first["code"] == recorded["first"] and first.get("rank") == recorded.get("rank", first.get("rank"))
    if "is_inconclusive" in recorded:
        is_planted, found = False, found + " (inconclusive)"
    elif not is_planted:
        found += f" (planted: {recorded['first']}" + (f", rank {recorded['rank']})" if "rank" in recorded else ")")
    predicted = percent(most) if percent(least) == percent(most) else f"{percent(least)} to {percent(most)}"
    name = recorded["folder"].removesuffix("-broken") + (", *kept aside*" if recorded.get("kept_aside") else "")
    text = f"| {name} | {found} | {predicted} % | "
    if not is_planted or "no_pair" in recorded:
        return is_planted, None, None, text + "not measured |"
    saved = 1 - fixed / walls["broken"]
    miss = max(0, least - saved, saved - most)
    of_wall = miss * walls["broken"] / fixed
    change = f"{percent(saved)} %" if saved >= 0 else f"{percent(-saved)} % slower"
    return is_planted, miss, of_wall, text + f"{walls['broken']:.1f} → {fixed:.1f}: {change} |"


def table(arguments):
    catalogue = json.loads((folder / "catalogue.json").read_text())["summaries"]
    rows = [row(arguments.lapscope, one) for one in catalogue if "first" in one]
    lines = ["| program | first | predicted saving | wall in ms, with the mistake → with this fix |",
             "| --- | --- | --- | --- |"]
    lines += [text for *_, text in sorted(rows, key=lambda one: "*kept aside*" in one[-1])]
    pairs = [one for one in rows if one[1] is not None]
    near = sum(miss <= 0.05 for _, miss, *_ in pairs)
    of_wall = sum(error <= 0.1 for *_, error, _ in pairs)
    lines += ["", f"The planted cause is first in {sum(one[0] for one in rows)} of {len(rows)} programs. Of {len(pairs)} "
                  f"measured savings, {near} are in the predicted range or at most 5 percentage points outside. "
                  f"For {of_wall} programs, the nearest predicted wall is at most 10 % off the measured wall."]
    return "\n".join(lines)


if __name__ == "__main__":
    page_table.run("<!-- rank_pairs.py -->", table)
