#!/usr/bin/env python3
"""Compares the tables "What it may gain" of docs/causes with the reports of research/ that have their figures.

    tests/docs/gains.py [--write]     --write puts predictions into the pages

A row names its program in the link to research/what-if-accuracy.md. Its prediction and its time with the fix are those
of this program there, rounded. So is the time before, if it was recorded. If not, it is a bare time of
research/stream-suite.md.
"""
import decimal
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"\[([^]]+)\]\(../../research/what-if-accuracy\.md#pair-by-pair\)")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of(page):
    return [cells(line) for line in (ROOT / "research" / page).read_text().splitlines() if line.startswith("| ")]


def rounded(text):
    """"2.422 to 2.431" as "2.42 to 2.43", and "2.422 to 2.422" as "2.42"."""
    ends = [decimal.Decimal(one).quantize(decimal.Decimal("0.01"), decimal.ROUND_HALF_UP) for one in text.split(" to ")]
    return " to ".join(dict.fromkeys(map(str, ends)))


# (program, fix): rows of the table "Pair by pair" as (recorded, predicted, fixed)
PAIRS = {}
for row in rows_of("what-if-accuracy.md"):
    if len(row) >= 8 and row[2].startswith("`"):
        PAIRS.setdefault((row[1].removesuffix("-broken"), row[2].strip("`").split(":")[0]), []).append(row[3:6])
BARE = {row[0]: rounded(row[2].split()[0]) for row in rows_of("stream-suite.md") if row[1:2] == ["broken"]}


def complaint(cause, row, program):
    """Returns what is wrong with a row, or the row with the prediction that the report has."""
    before, fixed, predicted = row[1:4]
    pair = next((pair for pair in PAIRS.get((program, cause), []) if rounded(pair[2]) == fixed), None)
    if pair is None:
        return f"no pair of {program} with `{cause}` has {fixed}", row
    known = rounded(pair[0]) + " recorded" if before.endswith(" recorded") else BARE.get(program)
    if before != known:
        return f"{program}: {before} before, but its report has {known}", row
    right = predicted.replace(predicted.split(",")[0], rounded(pair[1]), 1)
    if right != predicted:
        return f"{program}: {predicted} predicted, but the report has {right}", row[:3] + [right] + row[4:]
    return "", row


found = failed = 0
for path in sorted((ROOT / "docs/causes").glob("*.md")):
    lines = path.read_text().splitlines()
    for i, line in enumerate(lines):
        named = LINK.search(line)
        if not named or not line.startswith("|"):
            continue
        found += 1
        wrong, row = complaint(path.stem, cells(line), named[1])
        if wrong:
            failed += 1
            print(f"{path.relative_to(ROOT)}:{i + 1}: {wrong}")
            lines[i] = "| " + " | ".join(row) + " |"
    if "--write" in sys.argv:
        path.write_text("\n".join(lines) + "\n")
print(f"{found} rows")
sys.exit(0 if "--write" in sys.argv or (found >= 20 and not failed) else 1)
