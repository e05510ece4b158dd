"""A line of a table: what lapscope predicts for a fix, and what the program that was changed so takes.

usage: compare_fix.py                                              the table's head
       compare_fix.py LAPSCOPE FOLDER BEFORE AFTER FIX SCOPE…      SCOPE: as of lapscope whatif
       compare_fix.py findings RESULT.json                         the findings of a range or bracket, or of the whole
"""

import json
import re
import statistics
import subprocess
import sys

HEAD = ["program", "changed", "fix", "before, bare", "before, recorded", "predicted", "after, recorded", "after, bare"]


def bare_ms(folder, name):
    """What the program itself has measured, in ms."""
    with open(f"{folder}/{name}.bare.txt", encoding="utf-8") as file:
        found = re.search(r"(?:median step|measured) ([\d.]+) ms", file.read())
    return float(found[1]) if found else None


def scopes(lapscope, trace, fix, scope):
    """The median over the ranges of what was recorded and what is predicted, in ms."""
    command = [lapscope, "whatif", trace, "--fix", fix, "--format", "json", *scope]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if not result.stdout:
        sys.exit(result.stderr.strip())
    reported = json.loads(result.stdout)["scopes"]
    return (
        statistics.median(scope["wall_ns"] for scope in reported) / 1e6,
        statistics.median(scope["predicted"]["wall_ns"] for scope in reported) / 1e6,
    )


def shown(value):
    if value is None:
        return "n/a"
    return f"{value:.3f}" if isinstance(value, float) else f"`{value}`"


def line(cells):
    print("| " + " | ".join(cells) + " |")


if len(sys.argv) == 1:
    line(HEAD)
    line(["---"] * 3 + ["---:"] * 5)
elif sys.argv[1] == "findings":
    with open(sys.argv[2], encoding="utf-8") as file:
        device = json.load(file)["devices"][0]
    judged = device["ranges"][0] if device["ranges"] else device
    wall = judged["window"]["end"] - judged["window"]["start"]
    print(f"{wall / 1e6:.3f} ms, replay {100 * judged['replay']['error']:+.2f} %")
    for finding in judged["findings"]:
        print(f"{finding['code']}: {finding['saving_ns'] / 1e6:.3f} ms, {finding['what']}")
        for site in finding["sites"]:
            alone = "" if site["saving_ns"] is None else f"{site['saving_ns'] / 1e6:.3f} ms alone, "
            print(f"    {alone}{site['occurrences']} ops, {site['what']} {site['range']}")
    for advice in judged["advice"]:
        print(f"{advice['step']}: {advice['text']}")
else:
    lapscope, folder, before, after, fix, *scope = sys.argv[1:]
    recorded, predicted = scopes(lapscope, f"{folder}/{before}.sqlite", fix, scope)
    changed, _ = scopes(lapscope, f"{folder}/{after}.sqlite", fix, scope)
    cells = [before, after, fix, bare_ms(folder, before), recorded, predicted, changed, bare_ms(folder, after)]
    line([shown(cell) for cell in cells])
