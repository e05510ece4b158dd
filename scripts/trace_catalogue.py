#!/usr/bin/env python3
"""Reads and writes the catalogue of recorded traces, for record_traces.sh and keep_recordings.sh.

trace_catalogue.py variants CASES_JSON [CASE...]   prints lines of the form CASE:VARIANT:ONCE
trace_catalogue.py write OUT_DIR                   shrinks the traces, checks their sizes, writes catalogue.json
trace_catalogue.py keep [--planted] KEPT_DIR OUT_DIR...
                                                   copies traces and entries to KEPT_DIR; others there stay. If
                                                   OUT_DIR has only bare runs of a variant, its trace stays, too.
                                                   --planted: copies only traces of variants with a planted cause
trace_catalogue.py describe CASES_JSON KEPT_DIR    updates causes, environment and tolerances in the entries of KEPT_DIR
                                                   from the program's list of cases

OUT_DIR has the traces. OUT_DIR/bare has the list of cases (stream_suite --list --format json), the output of each
program, bare and recorded, and the analysis of each recording.
"""
import json
import pathlib
import re
import shutil
import sqlite3
import statistics
import sys

SMALL_PAGE = 512
MOST_BYTES = 260_000
MOST_BYTES_IN_ALL = 12_000_000
NOT_THERE = "n/a"
FIELDS = {
    "case": "the case of stream_suite, and the NVTX range of its measured region",
    "variant": "broken, fixed, control, or a step between broken and fixed",
    "trace": "the file, beside this one; null where only the bare runs are kept",
    "command": "what was recorded, run in the folder that lapscope was installed to",
    "record": "the command line that recorded it there; n/a for a trace that does not say with what options",
    "environment": "variables that the program sets for itself before CUDA starts",
    "causes": "the codes of what is planted; empty where nothing is to be found",
    "planted": "the lines of the mistake of a broken variant, in the sources that the program was built from; n/a where "
    "the list of cases does not say it",
    "expected": "from the closed form of the variant and the times of its parts, which the recorded program measured "
    "alone in the same run: wall_ms of the range, of the GPU with most operations, with a relative tolerance; "
    "overlap_ratio of the range with an absolute one, which follows from what wall and sum may be off",
    "bare_wall_ms": "what the program itself measured, without lapscope: the median of this variant with the least and "
    "the most of its runs, and the medians of the first (broken) and last (fixed) one of its case, null where there is "
    "none; expected is the closed form with the times of the parts in these processes; gpu and date are of these runs",
    "shown": "what lapscope analyze said of the range when it was recorded: overlap_ratio, idle_ratio, gaps, the "
    "causes of idle time as shares of the wall time from 0.001 up, and findings, their codes; older entries lack these",
    "repeats": "runs that the median is of: those after the first one of each process, or, where a process shows the "
    "case only once, the first",
    "kept_aside": "whether nothing may be fitted to, or chosen by, what this case shows, so that its errors say what "
    "those of new programs are like: a third of the cases, by the FNV-1a hash (64 bits) of the case's name modulo 3",
    "gpu, driver, date": "of the recording",
    "lapscope, cupti, cuda": "the versions that recorded, CUPTI's as cuptiGetVersion counts, and the CUDA that "
    "stream_suite was built with; n/a where neither the trace nor the list of cases says it",
}


def is_kept_aside(case):
    """Returns whether a case is kept aside, by a hash of its name (64-bit FNV-1a, modulo 3), so that nobody chooses."""
    value = 0xCBF29CE484222325
    for byte in case.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value % 3 == 0


def variants(path, wanted):
    cases = json.loads(pathlib.Path(path).read_text())["cases"]
    unknown = set(wanted) - {case["name"] for case in cases}
    if unknown:
        sys.exit(f"record_traces: there is no case {', '.join(sorted(unknown))}; stream_suite --list shows them")
    for case in cases:
        if wanted and case["name"] not in wanted:
            continue
        for variant in case["variants"]:
            print(f"{case['name']}:{variant['name']}:{'yes' if case['once'] else 'no'}")


def printed(path):
    """Returns the output of bare runs as key -> values, with one value for each process."""
    values = {}
    for line in path.read_text().splitlines():
        key, _, value = line.partition(": ")
        values.setdefault(key, []).append(value)
    return values


def shrink(path):
    """Gives a trace small pages, because it has many tables with few rows. A trace with small pages stays the same."""
    trace = sqlite3.connect(path)
    if trace.execute("PRAGMA page_size").fetchone()[0] != SMALL_PAGE:
        trace.execute(f"PRAGMA page_size = {SMALL_PAGE}")
        trace.execute("VACUUM")
    trace.close()


def captured(path):
    trace = sqlite3.connect(path)
    capture = dict(trace.execute("SELECT * FROM LAPSCOPE_CAPTURE"))
    gpu = trace.execute("SELECT name FROM TARGET_INFO_GPU").fetchone()[0]
    trace.close()
    return capture, gpu


def median_of(values, key):
    return round(statistics.median(float(value) for value in values[key]), 3)


def bare_runs(values):
    """Returns the walls of all processes. First runs are not warm, and are returned only if there are no other runs."""
    runs = {key: walls for key, walls in values.items() if re.fullmatch(r"run_\d+_wall_ms", key)}
    warm = [wall for key, walls in runs.items() if key != "run_1_wall_ms" for wall in walls]
    return [float(wall) for wall in warm or runs["run_1_wall_ms"]]


def measured_bare(values):
    """Returns the part of a catalogue entry that describes bare runs."""
    walls = bare_runs(values)
    return {
        "bare_wall_ms": {
            "this": round(statistics.median(walls), 3),
            "least": min(walls),
            "most": max(walls),
            "broken": None,
            "fixed": None,
            "expected": median_of(values, "expected_wall_ms"),
            "gpu": values["device"][0],
            "date": values["date"][0],
        },
        "repeats": len(walls),
    }


def expectation(variant, wall_ms, ratio):
    """The ratio is 1 - wall / sum. Its error is the sum of the errors of wall and sum, times 1 - ratio."""
    overlap = round((variant["wall_tolerance"] + variant["sum_tolerance"]) * (1 - ratio), 3)
    return {
        "wall_ms": {"value": wall_ms, "tolerance": variant["wall_tolerance"]},
        "overlap_ratio": {"value": ratio, "tolerance": overlap},
    }


def shown(path):
    ranges = [r for device in json.loads(path.read_text())["devices"] for r in device.get("ranges", [])]
    scope = max(ranges, key=lambda r: r["ops"])
    wall = scope["measures"]["wall"]["value"]
    shares = {code: round(ns / wall, 5) for code, ns in scope["gaps"]["by_cause"].items()}
    return {
        "overlap_ratio": round(scope["measures"]["overlap_ratio"]["value"], 5),
        "idle_ratio": round(scope["measures"]["idle_ratio"]["value"], 5),
        "gaps": {code: share for code, share in sorted(shares.items(), key=lambda i: -i[1]) if share >= 0.001},
        "findings": [finding["code"] for finding in scope["findings"]],
    }


def record_line(capture, trace):
    options = capture.get("record-options")
    if options is None:
        return NOT_THERE
    return " ".join(["bin/lapscope record", *options.split(" ")]).strip() + f" -o {trace} -- {capture['command']}"


def entry(out, case, variant, cuda):
    name = f"{case['name']}-{variant['name']}"
    trace = out / f"{name}.sqlite"
    values = printed(out / "bare" / f"{name}.txt")
    recorded = printed(out / "bare" / f"{name}.recorded")
    capture, gpu = captured(trace)
    return {
        "case": case["name"],
        "variant": variant["name"],
        "trace": trace.name,
        "command": capture["command"],
        "record": record_line(capture, trace.name),
        "environment": variant["environment"],
        "causes": variant["causes"],
        "planted": variant.get("planted", NOT_THERE),
        "expected": expectation(
            variant, median_of(recorded, "expected_gpu_wall_ms"), median_of(recorded, "expected_overlap")
        ),
        **measured_bare(values),
        "shown": shown(out / "bare" / f"{name}.json"),
        "gpu": gpu,
        "driver": capture["driver-version"],
        "date": capture["created"][:10],
        "lapscope": capture["tool-version"],
        "cupti": capture["cupti-version"],
        "cuda": cuda,
    }


def recorded_in(out):
    """Returns a list of (case, variant, whether the folder has its trace), and the list of cases."""
    listed = json.loads((out / "bare" / "cases.json").read_text())
    there = []
    for case in listed["cases"]:
        for variant in case["variants"]:
            name = f"{case['name']}-{variant['name']}"
            if (out / "bare" / f"{name}.txt").exists():  # Otherwise it could not run there, or it failed.
                there.append((case, variant, (out / f"{name}.sqlite").exists()))
    return there, listed


def entries_of(out):
    there, listed = recorded_in(out)
    entries = []
    for case, variant, has_trace in there:
        if has_trace:
            shrink(out / f"{case['name']}-{variant['name']}.sqlite")
            entries.append(entry(out, case, variant, listed.get("cuda", NOT_THERE)))
    return entries


def take_walls(entries, out):
    """Updates the walls of entries whose variants have bare runs but no trace in the folder."""
    for case, variant, has_trace in recorded_in(out)[0]:
        key = case["name"], variant["name"]
        if has_trace or key not in entries:
            continue
        measured = measured_bare(printed(out / "bare" / f"{key[0]}-{key[1]}.txt"))
        gpu = measured["bare_wall_ms"]["gpu"]
        if gpu != entries[key]["gpu"]:
            sys.exit(f"{key[0]}-{key[1]}: the bare runs are of {gpu}, and the trace is of {entries[key]['gpu']}")
        entries[key].update(measured)


def write(folder, entries):
    """Writes the catalogue of a folder. Returns False if a trace or all of them together are too large."""
    good = True
    total = 0
    walls = {(e["case"], e["variant"]): e["bare_wall_ms"]["this"] for e in entries}
    for e in entries:
        for variant in ("broken", "fixed"):
            e["bare_wall_ms"][variant] = walls.get((e["case"], variant))
        e["kept_aside"] = is_kept_aside(e["case"])
        if e["trace"] is None:
            continue
        size = (folder / e["trace"]).stat().st_size
        total += size
        if size > MOST_BYTES:
            print(f"{e['trace']} has {size} bytes; a trace kept here has {MOST_BYTES} at most", file=sys.stderr)
            good = False
    if total > MOST_BYTES_IN_ALL:
        print(f"the traces have {total} bytes; {MOST_BYTES_IN_ALL} are the limit", file=sys.stderr)
        good = False
    catalogue = {"schema": "lapscope-catalogue/1", "fields": FIELDS, "traces": entries}
    path = folder / "catalogue.json"
    path.write_text(json.dumps(catalogue, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(entries)} traces, {total} bytes: {path}")
    return good


def read(folder):
    path = folder / "catalogue.json"
    return json.loads(path.read_text())["traces"] if path.exists() else []


def key_of(e):
    return e["case"], e["variant"]


def keep(kept, folders, planted_alone):
    entries = {key_of(e): e for e in read(kept)}
    order = []
    for folder in folders:
        for e in entries_of(folder):
            if planted_alone and not e["causes"]:
                e["trace"] = None
            else:
                shutil.copyfile(folder / e["trace"], kept / e["trace"])
            entries[key_of(e)] = e
        take_walls(entries, folder)
        cases = json.loads((folder / "bare" / "cases.json").read_text())["cases"]
        order = [(case["name"], variant["name"]) for case in cases for variant in case["variants"]] or order
    # Orders entries as the program lists them. Entries that it does not list come last, in their previous order.
    place = {key: i for i, key in enumerate(order)}
    return write(kept, sorted(entries.values(), key=lambda e: place.get(key_of(e), len(order))))


def describe(path, kept):
    cases = json.loads(pathlib.Path(path).read_text())["cases"]
    stated = {(case["name"], variant["name"]): variant for case in cases for variant in case["variants"]}
    entries = read(kept)
    for e in entries:
        variant = stated.get(key_of(e))
        if variant is None:
            sys.exit(f"{kept / 'catalogue.json'} has {' '.join(key_of(e))}, which {path} does not list")
        e["causes"] = variant["causes"]
        e["environment"] = variant["environment"]
        expected = e["expected"]
        e["expected"] = expectation(variant, expected["wall_ms"]["value"], expected["overlap_ratio"]["value"])
    return write(kept, entries)


def main():
    arguments = [argument for argument in sys.argv[2:] if argument != "--planted"]
    folders = [pathlib.Path(argument) for argument in arguments]
    if arguments and sys.argv[1] == "variants":
        variants(arguments[0], arguments[1:])
    elif len(arguments) == 1 and sys.argv[1] == "write":
        sys.exit(0 if write(folders[0], entries_of(folders[0])) else 1)
    elif len(arguments) >= 2 and sys.argv[1] == "keep":
        sys.exit(0 if keep(folders[0], folders[1:], "--planted" in sys.argv) else 1)
    elif len(arguments) == 2 and sys.argv[1] == "describe":
        sys.exit(0 if describe(arguments[0], folders[1]) else 1)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
