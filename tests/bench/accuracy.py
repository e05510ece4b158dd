#!/usr/bin/env python3
"""Compares predictions for recorded programs with the measured times of the fixed programs, and computes the bands.

accuracy.py LAPSCOPE            prints research/what-if-accuracy.md
accuracy.py LAPSCOPE --write    writes this page, the tables of docs/trust.md and analyzer/findings/recorded_accuracy.h;
                                LAPSCOPE must then be built again
accuracy.py LAPSCOPE --check    exit status 1 if one of these comes from another analysis, LAPSCOPE prints other bands
                                than this program computes, or a goal is missed
accuracy.py LAPSCOPE --before OTHER   compares the errors of two lapscopes by group
--elsewhere FOLDER   with --write: predicts tests/traces/elsewhere.json again, with recordings that are not in the repository
"""
import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import pathlib
import re
import sqlite3
import sys
import tempfile

sys.dont_write_bytecode = True
import accuracy_goals  # noqa: E402
import accuracy_page  # noqa: E402
import conformal  # noqa: E402
import pair_accuracy  # noqa: E402
import recorded_cases  # noqa: E402
import sealed_set  # noqa: E402
from recorded_cases import ROOT  # noqa: E402

MS = 1e6
TRACES = ROOT / "tests/traces"
ELSEWHERE = TRACES / "elsewhere.json"
PAGE = ROOT / "research/what-if-accuracy.md"
TRUST = ROOT / "docs/trust.md"
HEADER = ROOT / "analyzer/findings/recorded_accuracy.h"
# In these kinds of tests/traces/pairs, all pairs are one program with different sizes or kernels.
ONE_PROGRAM = ("side-by-side", "inputs", "outputs", "last-waves")


@dataclasses.dataclass
class Row:
    """A prediction and the bare time of the program with its fixes, in ms."""
    group: str
    program: str  # variants of a program share it
    name: str
    gpu: str
    fixes: tuple
    measured: float
    wall: float = 0  # recorded, without the recorder's time if known
    replay: float = 0  # replay of the unchanged run
    near: float = 0
    far: float = 0
    corrected: bool = False
    band: tuple = None  # printed by lapscope
    certainty: str = ""

    @property
    def is_aside(self):
        return self.group.endswith(recorded_cases.ASIDE)


def gpu_of(trace):
    with sqlite3.connect(f"file:{trace}?mode=ro", uri=True) as database:
        return database.execute("SELECT name FROM TARGET_INFO_GPU").fetchone()[0]


def predict(lapscope, trace, scope, fixes):
    """Returns the longest scope with its prediction, and otherwise why there is none."""
    words = [word for fix in fixes for word in ("--fix", fix)]
    said, why = pair_accuracy.asked(lapscope, "whatif", "--no-config", *scope, *words, trace)
    return (pair_accuracy.longest(said["scopes"]), "") if said and said.get("scopes") else (None, why or "nothing is in scope")


def fill(row, scope, parts=1):
    predicted, band = scope["predicted"], scope["predicted"]["error_band"]
    row.wall, row.replay = scope["wall_ns"] / MS / parts, scope["replay"]["wall_ns"] / MS / parts
    row.near, row.far = predicted["least_wall_ns"] / MS / parts, predicted["wall_ns"] / MS / parts
    row.corrected = scope["correction"] is not None
    row.band = (band["low_ns"] / MS / parts, band["high_ns"] / MS / parts) if band else None
    row.certainty = predicted.get("certainty", "")


def program_of(pair, kinds):
    kind = kinds.get(pair.name, "")
    return kind if kind in ONE_PROGRAM else pair.scope[1].split()[0] if kind == "suite" else pair.program


def recorded_rows(lapscope, jobs, opened):
    _, pairs = recorded_cases.all_there_is(TRACES, opened=opened)
    described = json.loads((TRACES / "pairs/pairs.json").read_text())["pairs"]
    kinds = {pair["name"]: pair["kind"] for pair in described}

    def row_of(pair):
        row = Row(pair.group, program_of(pair, kinds), pair.name, gpu_of(pair.trace), pair.fixes, pair.measured)
        scope, why = predict(lapscope, pair.trace, pair.scope, pair.fixes)
        if not scope:
            sys.exit(f"accuracy: {pair.name}: {why}")
        fill(row, scope)
        return row

    return list(jobs.map(row_of, pairs))


def elsewhere_rows():
    """Returns the predictions that were stored with --write, because their recordings are not in the repository."""
    rows = []
    for one in json.loads(ELSEWHERE.read_text())["pairs"]:
        row = Row("elsewhere", one["program"], f"{one['program']}, {one['trace']}", one["gpu"], tuple(one["fixes"]),
                  one["bare_fixed_ms"])
        for key in ("wall", "replay", "near", "far"):
            setattr(row, key, one[f"{key}_ms"])
        row.corrected = one["corrected"]
        rows.append(row)
    return rows


def predict_elsewhere(lapscope, folder):
    known = json.loads(ELSEWHERE.read_text())
    for one in known["pairs"]:
        trace = folder / one["trace"]
        if hashlib.sha256(trace.read_bytes()).hexdigest() != one["sha256"]:
            sys.exit(f"accuracy: {trace} is another recording than elsewhere.json is of")
        scope, why = predict(lapscope, trace, recorded_cases.range_of(one["range"]), one["fixes"])
        if not scope:
            sys.exit(f"accuracy: {trace}: {why}")
        parts = 1
        if one["of_each_iteration"]:
            said, _ = pair_accuracy.asked(lapscope, "analyze", "--no-config", trace)
            parts = max(device["steady"]["instances"] for device in said["devices"] if device["steady"])
        row = Row("", "", "", "", (), 0)
        fill(row, scope, parts)
        one.update({f"{key}_ms": round(getattr(row, key), 6) for key in ("wall", "replay", "near", "far")}, corrected=row.corrected)
    ELSEWHERE.write_text(json.dumps(known, indent=1) + "\n")


def made_with():
    """Returns the programs that a rule of the model names, by the table in docs."""
    pages = (page.read_text() for page in sorted((ROOT / "docs").glob("*.md")))
    table = next(page for page in pages if "<!-- rules:" in page).partition("<!-- rules:")[2].partition("<!-- end of rules")[0]
    head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("|"))
    return {name.strip() for row in rows for name in row[head.index("made with")].split(",") if name}


def evidence_of(rows):
    """Returns the rows on which bands rest: nothing was fitted to their programs, and no rule names them."""
    named = made_with()
    return [row for row in rows
            if (row.is_aside or row.group in ("frameworks", "outside", "elsewhere", "opened")) and not {row.program, row.name} & named]


class Accuracy:
    def __init__(self, rows):
        self.rows = rows
        self.evidence = evidence_of(rows)
        self.groups = conformal.groups_of(self.evidence)
        self.gpus = sorted({row.gpu for row in self.evidence})
        here, there = ({row.name: row for row in rows if row.group.startswith(group)} for group in ("suite", "h100"))
        self.other_gpu = conformal.other_machine(here, there)
        self.left_out = conformal.left_out(self.evidence)
        self.covered = conformal.covered(self.left_out)

    def wider(self, row):
        return 1 if row.gpu in self.gpus else self.other_gpu


def header_of(known):
    groups = "".join(
        f'    {{PredictionKind::{one.kind}, "{one.fix}", FixClass::{one.fixes}, {one.programs}, {one.pairs}, '
        f"{one.median_error:.4f}, {one.low:.4f}, {one.high:.4f}}},\n" for one in known.groups)
    gpus = "".join(f'    "{gpu}",\n' for gpu in known.gpus)
    return f"""// Written by tests/bench/accuracy.py; research/what-if-accuracy.md has each pair.
// clang-format off
#pragma once

#include <array>
#include <string_view>

#include "analyzer/findings/error_band.h"

namespace lapscope::analyzer {{

inline constexpr std::array<Residuals, {len(known.groups)}> recorded_residuals{{{{
{groups}}}}};
inline constexpr std::array<std::string_view, {len(known.gpus)}> recorded_gpus{{
{gpus}}};
inline constexpr RecordedAccuracy recorded_accuracy{{
    recorded_residuals, recorded_gpus, {known.other_gpu:.4f}, {{{len(known.left_out)}, {known.covered:.4f}}}}};

}}  // namespace lapscope::analyzer
"""


def trust_page(known):
    text = TRUST.read_text()
    for what, lines in accuracy_page.trust_tables(known).items():
        text = re.sub(rf"(<!-- accuracy {what} -->\n).*?(<!-- end -->)", lambda match: match[1] + lines + match[2], text, flags=re.S)
    return text


def bands_that_differ(known):
    """Returns the rows whose bands in lapscope differ from those of this program. Both compute them from the same
    residuals."""
    for row in known.rows:
        if row.group == "elsewhere":
            continue
        low, high, _ = conformal.band_of(row, known.groups, known.wider(row))
        if row.band is None or abs(row.band[0] - low) > 2e-6 or abs(row.band[1] - high) > 2e-6:
            yield f"{row.name}: {row.band}, but {low:.6f} to {high:.6f} follows"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("lapscope")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--before")
    parser.add_argument("--elsewhere", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.elsewhere:
        predict_elsewhere(arguments.lapscope, arguments.elsewhere)
    with tempfile.TemporaryDirectory() as opened, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as jobs:
        opened = pathlib.Path(opened)
        sealed_set.unpacked(TRACES / "sealed/sealed.tar.xz", opened)
        known = Accuracy(recorded_rows(arguments.lapscope, jobs, opened) + elsewhere_rows())
        if arguments.before:
            before = recorded_rows(arguments.before, jobs, opened)
            accuracy_page.write_side_by_side(before, known, sys.stdout)
            return 0
        traces = accuracy_goals.Traces(arguments.lapscope, TRACES, jobs)
    page = accuracy_page.page_of(known, traces)
    written = ((PAGE, page), (HEADER, header_of(known)), (TRUST, trust_page(known)))
    if arguments.write:
        for file, text in written:
            file.write_text(text)
        return 0
    if not arguments.check:
        print(page, end="")
        return 0
    missed = [f"{file.name} is not what the analysis says today: accuracy.py LAPSCOPE --write"
              for file, text in written if file.read_text() != text]
    missed += bands_that_differ(known)
    missed += accuracy_goals.goals_missed(known, traces)
    print("\n".join(missed) or "all goals are met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
