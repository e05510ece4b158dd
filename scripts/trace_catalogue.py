#!/usr/bin/env python3
"""The catalogue of recorded traces: what record_traces.sh needs beyond a shell.

trace_catalogue.py variants CASES_JSON [CASE...]   one CASE:VARIANT:ONCE:OPTION_OF_RECORD a line
trace_catalogue.py write OUT_DIR                   shrinks the traces, checks their sizes, writes catalogue.json

OUT_DIR has the traces, and in bare/ the list of cases and what each bare program printed.
"""
import json
import pathlib
import sqlite3
import statistics
import sys

SMALL_PAGE = 1024
MOST_BYTES = 200_000
MOST_BYTES_IN_ALL = 12_000_000
FIELDS = {
    "case": "the case of stream_suite, and the NVTX range of its measured region",
    "variant": "broken, fixed, control, or a step between broken and fixed",
    "trace": "the file, beside this one",
    "command": "what was recorded, run in the folder that lapscope was installed to",
    "environment": "variables that the program sets for itself before CUDA starts",
    "causes": "the codes of what is planted; empty where nothing is to be found",
    "expected": "from the closed form of the variant and the times of its parts, which the recorded program measured "
    "alone in the same run: wall_ms of the range, of the GPU with most operations, with a relative tolerance; "
    "overlap_ratio of the range with an absolute one",
    "bare_wall_ms": "medians of what the program itself measured, without lapscope: of this variant, and of the "
    "first (broken) and last (fixed) one of its case; null where that was not run",
    "repeats": "runs that the median is of",
    "gpu, driver, date": "of the recording",
}


def variants(path, wanted):
    cases = json.loads(pathlib.Path(path).read_text())["cases"]
    unknown = set(wanted) - {case["name"] for case in cases}
    if unknown:
        sys.exit(f"record_traces: there is no case {', '.join(sorted(unknown))}; stream_suite --list shows them")
    for case in cases:
        if wanted and case["name"] not in wanted:
            continue
        # Loading NCCL alone makes 2,000 records of device memory: half of such a trace.
        option = "--no-memory" if "NCCL" in case["libraries"] else ""
        for variant in case["variants"]:
            print(f"{case['name']}:{variant['name']}:{'yes' if case['once'] else 'no'}:{option}")


def printed(path):
    """What a bare program printed: key -> values, one for each process."""
    values = {}
    for line in path.read_text().splitlines():
        key, _, value = line.partition(": ")
        values.setdefault(key, []).append(value)
    return values


def shrink(path):
    """Small pages: a trace has many tables of few rows. Leaves one that has them as it is, byte for byte."""
    trace = sqlite3.connect(path)
    if trace.execute("PRAGMA page_size").fetchone()[0] != SMALL_PAGE:
        trace.execute(f"PRAGMA page_size = {SMALL_PAGE}")
        trace.execute("VACUUM")
    trace.close()
    return path.stat().st_size


def captured(path):
    trace = sqlite3.connect(path)
    capture = dict(trace.execute("SELECT * FROM LAPSCOPE_CAPTURE"))
    gpu = trace.execute("SELECT name FROM TARGET_INFO_GPU").fetchone()[0]
    trace.close()
    return capture, gpu


def median_of(values, key):
    return statistics.median(float(value) for value in values[key])


def overlap_tolerance(variant, expected):
    """The ratio is 1 - wall / sum: what the wall time may be off, the ratio is off by that share of 1 - ratio."""
    return max(variant["overlap_tolerance"], round(variant["wall_tolerance"] * (1 - expected), 3))


def entry(out, case, variant, walls):
    name = f"{case['name']}-{variant['name']}"
    trace = out / f"{name}.sqlite"
    values = printed(out / "bare" / f"{name}.txt")
    recorded = printed(out / "bare" / f"{name}.recorded")
    capture, gpu = captured(trace)
    wall = {"value": round(median_of(recorded, "expected_gpu_wall_ms"), 3), "tolerance": variant["wall_tolerance"]}
    ratio = round(median_of(recorded, "expected_overlap"), 3)
    overlap = {"value": ratio, "tolerance": overlap_tolerance(variant, ratio)}
    return {
        "case": case["name"],
        "variant": variant["name"],
        "trace": trace.name,
        "command": capture["command"],
        "environment": variant["environment"],
        "causes": variant["causes"],
        "expected": {"wall_ms": wall, "overlap_ratio": overlap},
        "bare_wall_ms": {
            "this": walls[variant["name"]],
            "broken": walls.get("broken"),
            "fixed": walls.get("fixed"),
        },
        "repeats": sum(int(count) for count in values["repeats"]),
        "gpu": gpu,
        "driver": capture["driver-version"],
        "date": capture["created"][:10],
    }


def write(out):
    good = True
    total = 0
    entries = []
    for case in json.loads((out / "bare" / "cases.json").read_text())["cases"]:
        ran = [v for v in case["variants"] if (out / "bare" / f"{case['name']}-{v['name']}.txt").exists()]
        walls = {
            v["name"]: round(median_of(printed(out / "bare" / f"{case['name']}-{v['name']}.txt"), "wall_ms"), 3)
            for v in ran
        }
        for variant in ran:
            trace = out / f"{case['name']}-{variant['name']}.sqlite"
            size = shrink(trace)
            total += size
            if size > MOST_BYTES:
                print(f"{trace.name} has {size} bytes; a trace kept here has {MOST_BYTES} at most", file=sys.stderr)
                good = False
            entries.append(entry(out, case, variant, walls))
    if total > MOST_BYTES_IN_ALL:
        print(f"the traces have {total} bytes; {MOST_BYTES_IN_ALL} are the limit", file=sys.stderr)
        good = False
    catalogue = {"schema": "lapscope-catalogue/1", "fields": FIELDS, "traces": entries}
    (out / "catalogue.json").write_text(json.dumps(catalogue, indent=1, ensure_ascii=False) + "\n")
    print(f"{len(entries)} traces, {total} bytes: {out / 'catalogue.json'}")
    return good


def main():
    if len(sys.argv) >= 3 and sys.argv[1] == "variants":
        variants(sys.argv[2], sys.argv[3:])
    elif len(sys.argv) == 3 and sys.argv[1] == "write":
        sys.exit(0 if write(pathlib.Path(sys.argv[2])) else 1)
    else:
        sys.exit(__doc__)


main()
