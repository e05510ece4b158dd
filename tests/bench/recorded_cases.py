"""Recorded traces, with the planted causes and the times of the fixed programs, for ablate.py and accuracy.py."""
import collections
import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts"), str(ROOT / "tests/bench")]
import pair_accuracy  # noqa: E402
import sealed_set  # noqa: E402
import trace_catalogue  # noqa: E402

ASIDE = " aside"
# More predictions for broken variants, and predictions for single fixes of variants that need several.
STEPS = [
    ("nccl-all-reduce", "broken", ["stream-order", "sm-saturated"], "nccl-all-reduce", "fixed"),
    ("nccl-all-reduce", "broken", ["stream-order"], "nccl-all-reduce", "separate-streams"),
    ("nccl-all-reduce", "separate-streams", ["sm-saturated"], "nccl-all-reduce", "fixed"),
    ("nccl-all-reduce", "high-priority", ["sm-saturated"], "nccl-all-reduce", "fixed"),
    ("pipeline", "broken", ["stream-order"], "pipeline", "fixed"),
    ("pipeline", "broken", ["stream-order"], "pipeline", "stream-per-buffer"),
    ("pipeline", "broken", ["stream-order:3"], "buffer-depth", "triple"),
    ("buffer-depth", "broken", ["stream-order"], "buffer-depth", "fixed"),
    ("buffer-depth", "broken", ["stream-order:3"], "buffer-depth", "triple"),
    ("queue-alias", "fixed", ["queue-alias:8"], "queue-alias", "broken"),
]

# A trace that is analyzed in a scope. `program`: its name in the list of programs with which a rule was made.
# `planted`: a cause, "" if there is none, or None if it is unknown.
Case = collections.namedtuple("Case", "group program name trace scope planted")
# A prediction for a case's trace with fixes. `measured`: the bare time of the fixed program in ms.
Pair = collections.namedtuple("Pair", "group program name trace scope fixes measured")


def range_of(name):
    return ("--range", name) if name else ()


def of_catalogue(folder, group, aside):
    """Returns the cases of a catalogue of stream_suite. With `aside`, cases that are kept aside form their own
    group."""
    entries = json.loads((folder / "catalogue.json").read_text())["traces"]
    walls = {(e["case"], e["variant"]): e["bare_wall_ms"]["this"] for e in entries}
    planted = {}
    for e in entries:
        planted.setdefault(e["case"], e["causes"][0] if e["causes"] else "")

    def group_of(*cases):
        return group + ASIDE if aside and any(trace_catalogue.is_kept_aside(case) for case in cases) else group

    cases, pairs = [], []
    for e in entries:
        case, variant = e["case"], e["variant"]
        if e["trace"] is None:
            continue
        name, scope, trace = f"{case}-{variant}", range_of(case), folder / e["trace"]
        cases.append(Case(group_of(case), case, name, trace, scope, e["causes"][0] if e["causes"] else ""))
        steps = [step for step in STEPS if step[:2] == (case, variant)]
        if not steps and variant == "broken":
            steps = [(case, variant, [planted[case]], case, "fixed")]
        for _, _, fixes, to, to_variant in steps:
            if (to, to_variant) not in walls:
                continue
            label = f"{name}: {' '.join(fixes)} to {to}-{to_variant}"
            pairs.append(Pair(group_of(case, to), case, label, trace, scope, tuple(fixes), walls[to, to_variant]))
    return cases, pairs


def of_pairs(folder):
    cases, pairs = [], []
    for pair in json.loads((folder / "pairs.json").read_text())["pairs"]:
        group = "pairs" + (ASIDE if pair_accuracy.is_kept_aside(pair) else "")
        broken, fixed = pair["variants"]["broken"], pair["variants"]["fixed"]
        scope = range_of(pair["range"])
        for variant, planted in ((broken, pair["cause"]), (fixed, "")):
            if pair["failed"] or not variant["trace"] or not (folder / variant["trace"]).exists():
                continue
            label = f"{pair['name']}-{'broken' if planted else 'fixed'}"
            cases.append(Case(group, pair["name"], label, folder / variant["trace"], scope, planted))
        if not pair["failed"] and broken["trace"] and (folder / broken["trace"]).exists():
            walls = pair_accuracy.all_of(fixed["wall_ms"])
            if walls:
                pairs.append(Pair(group, pair["name"], pair["name"], folder / broken["trace"], scope, (pair["cause"],),
                                  statistics.median(walls)))
    return cases, pairs


def of_frameworks(traces):
    """Programs recorded with call stacks. pairs.json has the times of the fixed programs."""
    folder = traces / "frameworks"
    walls = {pair["name"]: pair for pair in json.loads((traces / "pairs/pairs.json").read_text())["pairs"]}
    cases, pairs = [], []
    for e in json.loads((folder / "catalogue.json").read_text())["traces"]:
        name = e["program"].replace("_", "-").replace(" --", "-")
        pair = walls.get(name)
        scope = range_of(pair["range"] if pair else "")
        cases.append(Case("frameworks", name, name, folder / e["trace"], scope, e["cause"]))
        if pair and not pair["failed"] and pair["variants"]["fixed"]["wall_ms"]:
            measured = statistics.median(pair_accuracy.all_of(pair["variants"]["fixed"]["wall_ms"]))
            pairs.append(Pair("frameworks", name, name, folder / e["trace"], scope, (pair["cause"],), measured))
    return cases, pairs


def of_unseen(folder):
    """Programs whose planted causes are listed in the test for which they were recorded."""
    table = (ROOT / "tests/analyzer/findings/unseen.test.cpp").read_text()
    planted = dict(re.findall(r'\{"([\w-]+)", "([\w-]+)", "[\w-]*", "[\w-]*"\}', table))
    cases = []
    for trace in sorted(folder.glob("*.sqlite")):
        program, _, variant = trace.stem.rpartition("-")
        cases.append(Case("unseen", program, trace.stem, trace, (), planted[program] if variant == "broken" else ""))
    return cases, []


def of_outside(folder):
    """simpleMultiCopy does ten rounds with one stream, and then ten with four. The latter take 3.46 ms bare
    (research/real-programs.md)."""
    copies, reduce = folder / "simpleMultiCopy.sqlite", folder / "map_reduce.sqlite"
    one, four = ("--window", "91.383", "98.053"), ("--window", "98.113", "101.713")
    return ([Case("outside", "simpleMultiCopy", "simpleMultiCopy-one", copies, one, "stream-order"),
             Case("outside", "simpleMultiCopy", "simpleMultiCopy-four", copies, four, ""),
             Case("outside", "map-reduce", "map_reduce", reduce, ("--whole",), "module-load")],
            [Pair("outside", "simpleMultiCopy", "simpleMultiCopy", copies, one, ("stream-order", "host-sync"), 3.46)])


def of_opened(folder):
    """The sealed set, unpacked into a folder."""
    walls = sealed_set.walls_of(folder)
    cases, pairs = [], []
    for one in json.loads((folder / "planted.json").read_text()):
        is_control = one["causes"] == ["none"]
        planted = "" if is_control else one["causes"][0]
        name = f"{one['name']}-control" if is_control else f"{one['name']}-broken"
        trace, scope = folder / f"{name}.sqlite", range_of(sealed_set.RANGE)
        cases.append(Case("opened", one["name"], name, trace, scope, planted))
        if not is_control:
            measured = statistics.median(walls[one["name"], "fixed"])
            pairs.append(Pair("opened", one["name"], name, trace, scope, tuple(one["causes"]), measured))
    return cases, pairs


def of_cases(folder):
    cases, pairs = [], []
    for one in json.loads((folder / "cases.json").read_text())["cases"]:
        trace, scope = folder / one["trace"], range_of(one["range"])
        cases.append(Case("cases", one["name"], one["name"], trace, scope, one["planted"]))
        if one.get("fix") and one.get("fixed_wall_ms"):
            pairs.append(Pair("cases", one["name"], one["name"], trace, scope, tuple(one["fix"]), one["fixed_wall_ms"]))
    return cases, pairs


def all_there_is(traces, cases_folder=None, opened=None):
    """`opened`: the folder with the unpacked sealed set."""
    parts = []
    if (traces / "catalogue.json").exists():
        parts.append(of_catalogue(traces, "suite", True))
    if (traces / "pairs/pairs.json").exists():
        parts.append(of_pairs(traces / "pairs"))
    for name, read in (("unseen", lambda: of_unseen(traces / "unseen")), ("frameworks", lambda: of_frameworks(traces)),
                       ("h100", lambda: of_catalogue(traces / "h100", "h100", False)),
                       ("outside", lambda: of_outside(traces / "outside"))):
        if (traces / name).exists():
            parts.append(read())
    # These programs have no planted mistake, and their findings are no errors. Only changes are counted.
    for name, scope in (("threads", range_of("loop")), ("oddities", ())):
        if (traces / name).exists():
            files = sorted((traces / name).glob("*.sqlite"))
            parts.append(([Case(name, trace.stem, trace.stem, trace, scope, None) for trace in files], []))
    if cases_folder:
        parts.append(of_cases(cases_folder))
    if opened:
        parts.append(of_opened(opened))
    return [case for cases, _ in parts for case in cases], [pair for _, pairs in parts for pair in pairs]
