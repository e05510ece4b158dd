#!/usr/bin/env python3
"""Compares corrected walls with bare walls of PyTorch programs, of many tiny kernels, and of the cases of stream_suite.

corrected_walls.py BUILD_DIR [--bare N] [--seconds S] [--cases NAME,...] [--no-torch] [--programs FILE] [--but EARLIER.json]
    [--keep FOLDER] [--json FILE]

Records each program with bare runs in between. Compares three host times of its NVTX range: recorded, corrected and
bare. Named cases come first. Other cases follow while there is time. Cases in an earlier result (--but) are not run
again, and its rows are part of the sums. --programs names more programs, which come before the cases: a JSON list of
[name, NVTX range, [command, arguments]].

Needs a GPU, a calibration (`lapscope doctor --calibrate`), and PyTorch for five programs. Exit status: 0; 1 if nothing
could be compared.
"""
import argparse
import json
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time


HERE = pathlib.Path(__file__).resolve().parent


def gpus():
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    return len(listed.stdout.splitlines())


def programs_of(build, with_torch, more):
    """Yields (name, its NVTX range, command, GPUs) of all programs for which this machine has the GPUs. `more`: from
    --programs."""
    yield from ((*program, 1) for program in more)
    if with_torch:
        yield from ((f"PyTorch {name}", name, [sys.executable, str(HERE / "torch_programs.py"), name], 1)
                    for name in ("eager", "gpt", "lstm", "average", "plans"))
    small = str(build / "tests/bench/collector/small_programs")
    yield from ((f"small programs: {name}", name, [small, "--only", name, "--repeats", "3"], 1)
                for name in ("launches", "streams", "graphs", "updated-graphs"))
    suite = str(build / "workloads/stream_suite")
    listed = json.loads(subprocess.run([suite, "--list", "--format", "json"], capture_output=True, text=True, check=True).stdout)
    available = gpus()
    for case in listed["cases"]:
        if case["gpus"] > available:
            print(f"{case['name']} needs {case['gpus']} GPUs and was not run.")
            continue
        for variant in case["variants"]:
            yield f"{case['name']} {variant['name']}", case["name"], [suite, case["name"], "--variant", variant["name"]], \
                case["gpus"]


def environment_for(gpus_needed):
    """Hides unneeded GPUs, so that CUDA starts faster."""
    return {**os.environ, "CUDA_VISIBLE_DEVICES": ",".join(map(str, range(gpus_needed)))}


def recorded_median(trace, name):
    with sqlite3.connect(trace) as database:
        rows = database.execute("SELECT ns FROM LAPSCOPE_RUNS WHERE isRecorded = 1 AND range = ?", (name,))
        return statistics.median(ns for (ns,) in rows)


def measure(build, name, in_range, command, gpus_needed, bare, trace):
    """Returns one row, or a text that says why there is none."""
    lapscope = str(build / "bin/lapscope")
    record = subprocess.run([lapscope, "record", "--bare", str(bare), "-o", str(trace), "--", *command],
                            capture_output=True, text=True, check=False, env=environment_for(gpus_needed))
    if record.returncode != 0:
        return f"exit status {record.returncode}: {record.stderr.strip().splitlines()[-1:]}"
    analyzed = subprocess.run([lapscope, "analyze", str(trace), "--range", in_range, "--format", "json"],
                              capture_output=True, text=True, check=False)
    try:
        report = json.loads(analyzed.stdout)
        scope = next(one for device in report["devices"] for one in device["ranges"] if one["name"] == in_range)
    except (ValueError, StopIteration):
        return f"cannot be analyzed: {analyzed.stderr.strip()}"
    walls = scope.get("bare") or {}
    correction = scope.get("correction")
    if not walls.get("median_ns") or not correction or not correction["host"]:
        why = [row["message"] for row in report["trace"]["health"] if row["code"] == "not-calibrated"]
        return f"not compared: bare {walls}, correction {correction} {why}"
    low, high = walls["range_ns"]
    corrected = correction["host"]["corrected_ns"]
    taken_off = correction["host"]["recorded_ns"] - corrected
    median = recorded_median(trace, in_range)
    return {"name": name, "recorded_ns": correction["host"]["recorded_ns"],
            "recorded_median_ns": median, "corrected_ns": corrected,
            "bare_ns": walls["median_ns"], "bare_range_ns": [low, high],
            "error": correction["host"]["bare_error"],
            # The same error for the median of all recorded runs, which scatters less than the one run of the trace.
            "error_of_median": (median - taken_off) / walls["median_ns"] - 1, "is_in_range": low <= corrected <= high,
            "first_recorded": correction["first_recorded"], "first_corrected": correction["first_corrected"],
            "findings": [finding["code"] for finding in scope["findings"]], "verdict": scope["verdict"]}


def show(row):
    ms = lambda ns: f"{ns / 1e6:.3f}"
    low, high = row["bare_range_ns"]
    print(f"| {row['name']} | {ms(row['recorded_ns'])} | {ms(row['recorded_median_ns'])} "
          f"| {ms(row['corrected_ns'])} | {ms(row['bare_ns'])} | {ms(low)} to {ms(high)} "
          f"| {100 * row['recorded_ns'] / row['bare_ns'] - 100:+.1f} | {100 * row['error']:+.1f} | {100 * row['error_of_median']:+.1f} "
          f"| {'yes' if row['is_in_range'] else 'no'} | {', '.join(row['findings']) or '-'} "
          f"| {row['first_recorded'] or ''}{' -> ' + row['first_corrected'] if row['first_corrected'] else ''} |",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description="Corrected walls against bare ones.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--bare", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--cases", default="", help="that come first")
    parser.add_argument("--no-torch", action="store_true")
    parser.add_argument("--programs", type=pathlib.Path, help="a JSON list of [name, NVTX range, [command, arguments]]")
    parser.add_argument("--but", type=pathlib.Path, help="a result of --json")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the traces")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    first = [name for name in options.cases.split(",") if name]
    more = json.loads(options.programs.read_text(encoding="utf-8")) if options.programs else []
    programs = list(programs_of(options.build, not options.no_torch, more))
    suite = str(options.build / "workloads/stream_suite")
    programs.sort(key=lambda program: (program[1] not in first, program[2][0] == suite))
    until = time.monotonic() + options.seconds
    rows = json.loads(options.but.read_text(encoding="utf-8")) if options.but else []
    named_ones = {program[0] for program in programs if program[1] in first}
    rows = [row for row in rows if row["name"] not in named_ones]  # these are run again
    has = {row["name"] for row in rows}
    programs = [program for program in programs if program[0] not in has]
    left_out = []
    print("| program | recorded ms | median | corrected | bare | range | recorded % | corrected % | of the median % | in range | findings "
          "| first |\n| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="lapscope-bench-") as folder:
        for name, in_range, command, gpus_needed in programs:
            if time.monotonic() > until:
                left_out.append(name)
                continue
            trace = (options.keep or pathlib.Path(folder)) / f"{name.replace(': ', '-').replace(' ', '-')}.sqlite"
            row = measure(options.build, name, in_range, command, gpus_needed, options.bare, trace)
            if isinstance(row, str):
                print(f"| {name} | {row} |", flush=True)
                continue
            rows.append(row)
            show(row)
    if left_out:
        print(f"\nno time was left for {len(left_out)}: {', '.join(left_out)}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    if not rows:
        sys.exit(1)
    errors = [abs(row["error"]) for row in rows]
    worst = max(rows, key=lambda row: 0 if row["is_in_range"] else abs(row["error"]))
    print(f"\n{len(rows)} programs: median error {100 * statistics.median(errors):.1f} %; worst that is not within the range "
          f"of the bare runs {100 * worst['error']:+.1f} % ({worst['name']}); recorded, the median "
          f"was {100 * statistics.median(abs(row['recorded_ns'] / row['bare_ns'] - 1) for row in rows):.1f} % off. Of the "
          f"medians of recorded runs: median error {100 * statistics.median(abs(row['error_of_median']) for row in rows):.1f} %, "
          f"worst {100 * max(abs(row['error_of_median']) for row in rows):.1f} %")


if __name__ == "__main__":
    main()
