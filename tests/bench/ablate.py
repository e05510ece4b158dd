#!/usr/bin/env python3
"""Measures what each number and rule of the model contributes on recordings that did not shape the model.

ablate.py LAPSCOPE [--cases FOLDER] [--jobs N] [--only NAME...] [--part K/N] [--out FILE.json] [--traces FOLDER]
ablate.py --list LAPSCOPE
ablate.py --join FILE.json... [--out FILE.json]

LAPSCOPE must be built with -DLAPSCOPE_ABLATION=ON. A variant of the model lacks one rule, or has one number switched
off (see OFF), halved or doubled. The program analyzes each trace with each variant, and predicts each planted fix. The
traces are those of tests/traces and, with --cases, of a folder with a cases.json:

    {"cases": [{"name": ..., "trace": FILE in the folder, "range": NVTX range or null,
                "planted": a cause, or "" in a fixed twin or a control, "fix": [what to predict],
                "fixed_wall_ms": bare wall of the fixed program, or null if it was not measured}]}

Each group of programs is scored separately. Groups in MADE_WITH shaped the model, so they show nothing of its worth. A
variant is worse in a group if one of these is true:
- fewer planted causes come first
- more fixed twins and controls have a finding above 10 per cent
- the median error of the predictions grows by more than a point
- more bands miss
- something new fails
A rule or a number pays if its variant is worse in another group. Sums leave out the programs that it names as its
origin. Predictions whose miss changes by more than a point are also counted, because a median hides one of ten.

--only NAME      variants of these numbers and rules, or of NAME=VALUE; without a name: only the base
--part K/N       every N-th variant, beginning with the K-th (1 to N); every part has the base
--join           reads the results of parts, and prints one table
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

sys.dont_write_bytecode = True
import pair_accuracy  # noqa: E402
from recorded_cases import ROOT, Case, all_there_is  # noqa: E402
from ablation_scores import MADE_WITH, judged  # noqa: E402

MS = 1e6
VARIABLE = "LAPSCOPE_ASSUME"
MOST_SECONDS = 120
MOST_BYTES = 8 << 30
NEVER = 10**15  # ns, bytes, times: beyond this, nothing happens
# Values that switch a number off. 0 does so for all others. None: no value does, such as for a limit of the hardware.
OFF = {
    "clocks_apart": NEVER, "least_load": NEVER, "dealing_out": 1, "clock_step": NEVER, "share_of_link": 1, "both_directions": 1,
    "shares_of_one": 10**9, "enough_examples": 1, "kernels_at_once": 10**6, "register_unit": 1, "most_connections": None,
    "streams_for_one": 1, "buffers_for_copies": 1, "majority": None, "uneven": 10**9,
    "bound_engine": 1, "most_unaccounted": 10**6, "longest_fault": NEVER, "longest_pause": None,
    "usual_connections": None, "system_shared_memory": 1, "chance": None,
}
# name: as the table shows it; text: the variable; the base has none. made_with: programs, by their names.
Variant = collections.namedtuple("Variant", "name kind text made_with")
BASE = Variant("base", "base", "", ())
SAVED_EVERY = 20  # variants; an interrupted run loses at most this many


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def said(lapscope, text, arguments):
    """Returns the JSON result and its hash, or None after a failure. Status 3, inconclusive, is a result."""
    environment = {key: value for key, value in os.environ.items() if key != VARIABLE}
    if text:
        environment[VARIABLE] = text
    try:
        done = subprocess.run([lapscope, "--no-config", *arguments, "--format", "json"], capture_output=True, env=environment,
                              timeout=MOST_SECONDS, check=False, preexec_fn=limit_memory)
        return json.loads(done.stdout), hashlib.sha256(done.stdout).hexdigest()[:16]
    except (ValueError, subprocess.TimeoutExpired):
        return None, ""


def scope_of(report, is_range):
    """Returns the longest requested range. Without a range: the steady state of the device with most ops."""
    if is_range:
        ranges = [one for device in report["devices"] for one in device["ranges"]]
        return max(ranges, key=lambda one: one["measures"]["wall"]["value"] or 0, default=None)
    return max((device["steady"] or device for device in report["devices"]), key=lambda one: one["ops"], default=None)


def analyzed(lapscope, text, case):
    """Returns `first`, the code of the first finding; `largest`, the largest finding's share; `blind`, the error of the
    model check."""
    report, digest = said(lapscope, text, ["analyze", *case.scope, "--call-sites", "1", "--path", "1", str(case.trace)])
    scope = scope_of(report, "--range" in case.scope) if report else None
    if scope is None:
        return {"failed": True}
    findings = [(one["code"], one["saving_share"]) for one in scope.get("findings", [])]
    return {"digest": digest, "first": findings[0][0] if findings else "",
            "largest": max((share for _, share in findings), default=0),
            "blind": (scope.get("replay") or {}).get("blind_error")}


def predicted(lapscope, text, pair):
    fixes = [word for fix in pair.fixes for word in ("--fix", fix)]
    report, digest = said(lapscope, text, ["whatif", *pair.scope, *fixes, str(pair.trace)])
    if not report or not report.get("scopes"):
        return {"failed": True}
    scope = pair_accuracy.longest(report["scopes"])["predicted"]
    least, most = sorted((scope["wall_ns"] / MS, scope["least_wall_ns"] / MS))
    band = scope["error_band"]
    held = band and band["low_ns"] / MS <= pair.measured <= band["high_ns"] / MS
    return {"digest": digest, "error": scope["wall_ns"] / MS / pair.measured - 1,
            "miss": pair_accuracy.miss(least, most, pair.measured), "band": bool(band), "held": bool(held)}


def answer(lapscope, text, one):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    result = (analyzed if isinstance(one, Case) else predicted)(lapscope, text, one)
    result["seconds"] = used() - before  # of all cores, not elapsed time
    return result


def shown(value):
    return f"{value:.10g}"


def programs_in(text):
    """Returns the names of programs in a text: words of several parts."""
    return tuple(sorted({word for word in re.findall(r"[\w.-]+\b", text) if "-" in word or word != word.lower()}))


def listed(lapscope):
    """Returns (numbers, rules). A number has name, unit, value and the programs of its origin. A rule has name and
    programs."""
    done = subprocess.run([lapscope], capture_output=True, text=True, env={**os.environ, VARIABLE: "list"}, check=False)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    numbers = [(row[1], row[2], float(row[3]), programs_in(row[4])) for row in rows if row[0] == "number"]
    rules = [(row[1], programs_in(row[3])) for row in rows if row[0] == "rule"]
    if not numbers or not rules:
        sys.exit(f"ablate: {lapscope} has no {VARIABLE}; build it with -DLAPSCOPE_ABLATION=ON")
    return numbers, rules


def variants_of_number(name, unit, value, made_with=()):
    """Off, halved and doubled; a share stays in [0, 1], a count is whole. What is the same as another one is left out."""
    wanted = [("off", OFF.get(name, 0)), ("half", value / 2), ("double", 2 * value)]
    taken = {value}
    for kind, number in wanted:
        if number is None:
            continue
        # For some shares, "off" is a value above 1, which no share reaches.
        number = min(number, 1) if unit == "share" and kind != "off" else number
        number = math.ceil(number) if unit != "share" and value == int(value) else number
        if number not in taken:
            taken.add(number)
            yield Variant(name, kind, f"{name}={shown(number)}", made_with)


def all_variants(numbers, rules, only):
    variants = [Variant(name, "off", f"{name}=0", made_with) for name, made_with in rules]
    for number in numbers:
        variants += variants_of_number(*number)
    if only is None:
        return variants
    chosen = [variant for variant in variants if variant.name in only]
    asked = [name for name in only if "=" in name]
    unknown = set(only) - {variant.name for variant in variants} - set(asked)
    if unknown:
        sys.exit(f"ablate: there is no number or rule {', '.join(sorted(unknown))}; --list lists them")
    return chosen + [Variant(text.partition("=")[0], "asked", text, ()) for text in asked]


def percent(value):
    return "" if value is None else f"{100 * value:.1f}"


def write_scores(scores):
    print("| group | traces | planted first | fixed or control with a finding > 10 % | predicted | median error % "
          "| 90th % | median outside both ends % | bands held | blind replay, median % | failed |\n| --- |" + " ---: |" * 10)
    for group, one in scores.items():
        made = " (made with)" if group in MADE_WITH else ""
        print(f"| {group}{made} | {one['traces']} | {one['first']} of {one['planted']} | {one['false']} of {one['silent']} "
              f"| {one['predicted']} of {one['pairs']} | {percent(one['median'])} | {percent(one['ninth_tenth'])} "
              f"| {percent(one['miss'])} | {one['held']} of {one['bands']} | {percent(one['blind'])} | {one['failed']} |")


def in_words(differences):
    return "; ".join(f"{group}: {', '.join(words)}" for group, words in differences.items())


def write_row(row):
    verdict = ("pays" if row["kind"] == "off" else "worse") if row["worse_where_not_made_with"] else ""
    more, less = len(row["changed"]["misses_more"]), len(row["changed"]["misses_less"])
    print(f"| `{row['text']}` | {row['kind']} | {sum(row['different'].values())} | {verdict} | {in_words(row['worse'])} "
          f"| {in_words(row['better'])} | {more} / {less} | {row['seconds']:.0f} |", flush=True)


def write_verdicts(rows):
    """Returns the rows of all variants by the name of their number or rule."""
    by_name = {}
    for row in rows:
        by_name.setdefault(row["name"], []).append(row)
    sorts = {"pays": [], "no trace changes": [], "changes something, nothing is worse without it": [], "better without it": [],
             "cannot be off; worse if halved or doubled": [], "cannot be off; nothing is worse": []}
    for name, own in by_name.items():
        off = next((row for row in own if row["kind"] == "off"), None)
        if off is None:
            is_worse = any(row["worse_where_not_made_with"] for row in own)
            sorts["cannot be off; worse if halved or doubled" if is_worse else "cannot be off; nothing is worse"].append(name)
        elif off["worse_where_not_made_with"]:
            sorts["pays"].append(name)
        elif not any(off["different"].values()):
            sorts["no trace changes"].append(name)
        else:
            is_better = any(group not in MADE_WITH for group in off["better"])
            sorts["better without it" if is_better else "changes something, nothing is worse without it"].append(name)
    for what, names in sorts.items():
        print(f"- {what}: {len(names)}{': ' if names else ''}{', '.join(names)}")


HEAD = ("| variant | | traces that say anything else | | worse | better | predictions that miss by 1 point more / less | core s |\n"
        "| --- | --- | ---: | --- | --- | --- | ---: | ---: |")


def write_file(path, base_row, rows):
    path.write_text(json.dumps({"base": base_row, "variants": rows}, indent=1) + "\n")


def joined(files):
    parts = [json.loads(file.read_text()) for file in files]
    bases = {json.dumps(part["base"]["scores"], sort_keys=True) for part in parts}
    if len(bases) != 1:
        sys.exit("ablate: these files have different bases; run all parts with the same program and traces")
    rows = [row for part in parts for row in part["variants"]]
    write_scores(parts[0]["base"]["scores"])
    print("\n" + HEAD)
    for row in rows:
        write_row(row)
    print()
    write_verdicts(rows)
    return parts[0]["base"], rows


def part_of(text):
    part, _, parts = text.partition("/")
    if not (part.isdigit() and parts.isdigit() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"'{text}' is no part; write K/N, as 1/3")
    return int(part), int(parts)


def swept(lapscope, variants, cases, pairs, jobs):
    """Yields each variant with its answers, in order. The base comes first."""
    all_runs = [*cases, *pairs]
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        # The longest runs come first, so that none runs alone at the end.
        order = sorted(range(len(all_runs)), key=lambda i: -all_runs[i].trace.stat().st_size)
        coming = collections.deque()
        left = iter([BASE, *variants])

        def begin():
            variant = next(left, None)
            if variant:
                coming.append((variant, {i: pool.submit(answer, lapscope, variant.text, all_runs[i]) for i in order}))

        for _ in range(3):  # so that no process is idle
            begin()
        while coming:
            variant, futures = coming.popleft()
            answers = {all_runs[i]: futures[i].result() for i in range(len(all_runs))}
            begin()
            yield variant, answers


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("lapscope", nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--join", nargs="+", type=pathlib.Path)
    parser.add_argument("--cases", type=pathlib.Path)
    parser.add_argument("--traces", type=pathlib.Path, default=ROOT / "tests/traces")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--part", type=part_of, default=(1, 1))
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.join:
        base_row, rows = joined(arguments.join)
        if arguments.out:
            write_file(arguments.out, base_row, rows)
        return
    if not arguments.lapscope:
        parser.error("give the program; --list lists what it can leave out")
    lapscope = str(pathlib.Path(arguments.lapscope).resolve())
    numbers, rules = listed(lapscope)
    variants = all_variants(numbers, rules, arguments.only)
    if arguments.list:
        for variant in variants:
            print(variant.kind, variant.text)
        return
    part, parts = arguments.part
    variants = variants[part - 1::parts]
    cases, pairs = all_there_is(arguments.traces, arguments.cases)
    began, runs, base, rows = time.monotonic(), 0, None, []
    for variant, answers in swept(lapscope, variants, cases, pairs, arguments.jobs):
        runs += len(answers)
        if base is None:
            base = answers
            base_row = judged(variant, cases, pairs, base, base)
            write_scores(base_row["scores"])
            print("\n" + HEAD)
        row = judged(variant, cases, pairs, base, answers)
        if variant is not BASE:
            rows.append(row)
        write_row(row)
        if arguments.out and len(rows) % SAVED_EVERY == 0:
            write_file(arguments.out, base_row, rows)
    if arguments.out:
        write_file(arguments.out, base_row, rows)
    print()
    write_verdicts(rows)
    seconds = time.monotonic() - began
    core = sum(row["seconds"] for row in [base_row, *rows])
    print(f"\n{len(rows)} variants and the base, {runs} runs in {seconds:.0f} s with {arguments.jobs} at once; "
          f"{core:.0f} s of runs, {core / (len(rows) + 1):.1f} s a variant")


if __name__ == "__main__":
    main()
