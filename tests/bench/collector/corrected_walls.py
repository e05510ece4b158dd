#!/usr/bin/env python3
"""Corrected walls against bare ones, for cases of stream_suite.

corrected_walls.py BUILD_DIR [--bare N] [--seconds S] [--cases NAME,...] [--keep FOLDER] [--json FILE]

Records each case with bare runs in turn, and compares what the host took for its NVTX range: recorded, without
the recorder's own time, and bare. Those named come first; as many of the others follow as fit into the time.
Needs a GPU, and a calibration (`lapscope doctor --calibrate`). Exit status: 0; 1 when nothing could be compared.
"""
import argparse
import json
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time


def cases_of(suite):
    """(case, variant) of all cases that one GPU and no library can run."""
    listed = json.loads(subprocess.run([suite, "--list", "--format", "json"], capture_output=True, text=True, check=True).stdout)
    return [(case["name"], variant["name"]) for case in listed["cases"] if case["gpus"] <= 1 and not case["libraries"]
            for variant in case["variants"]]


def recorded_median(trace, name):
    with sqlite3.connect(trace) as database:
        rows = database.execute("SELECT ns FROM LAPSCOPE_RUNS WHERE isRecorded = 1 AND range = ?", (name,))
        return statistics.median(ns for (ns,) in rows)


def measure(build, case, variant, bare, trace):
    """One row; or a text that says why there is none."""
    lapscope = str(build / "bin/lapscope")
    suite = str(build / "workloads/stream_suite")
    record = subprocess.run([lapscope, "record", "--bare", str(bare), "-o", str(trace), "--",
                             suite, case, "--variant", variant], capture_output=True, text=True, check=False)
    if record.returncode != 0:
        return f"exit status {record.returncode}: {record.stderr.strip().splitlines()[-1:]}"
    analyzed = subprocess.run([lapscope, "analyze", str(trace), "--range", case, "--format", "json"],
                              capture_output=True, text=True, check=False)
    try:
        report = json.loads(analyzed.stdout)
        scope = next(one for device in report["devices"] for one in device["ranges"] if one["name"] == case)
    except (ValueError, StopIteration):
        return f"cannot be analyzed: {analyzed.stderr.strip()}"
    walls = scope.get("bare") or {}
    correction = scope.get("correction")
    if not walls.get("median_ns") or not correction or not correction["host"]:
        why = [row["message"] for row in report["trace"]["health"] if row["code"] == "not-calibrated"]
        return f"not compared: bare {walls}, correction {correction} {why}"
    low, high = walls["range_ns"]
    corrected = correction["host"]["corrected_ns"]
    return {"case": case, "variant": variant, "recorded_ns": correction["host"]["recorded_ns"],
            "recorded_median_ns": recorded_median(trace, case), "corrected_ns": corrected,
            "bare_ns": walls["median_ns"], "bare_range_ns": [low, high],
            "error": corrected / walls["median_ns"] - 1, "is_in_range": low <= corrected <= high,
            "first_recorded": correction["first_recorded"], "first_corrected": correction["first_corrected"],
            "findings": [finding["code"] for finding in scope["findings"]], "verdict": scope["verdict"]}


def show(row):
    ms = lambda ns: f"{ns / 1e6:.3f}"
    low, high = row["bare_range_ns"]
    print(f"| {row['case']} {row['variant']} | {ms(row['recorded_ns'])} | {ms(row['recorded_median_ns'])} "
          f"| {ms(row['corrected_ns'])} | {ms(row['bare_ns'])} | {ms(low)} to {ms(high)} "
          f"| {100 * row['recorded_ns'] / row['bare_ns'] - 100:+.1f} | {100 * row['error']:+.1f} "
          f"| {'yes' if row['is_in_range'] else 'no'} | {', '.join(row['findings']) or '-'} "
          f"| {row['first_recorded'] or ''}{' -> ' + row['first_corrected'] if row['first_corrected'] else ''} |",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description="Corrected walls against bare ones.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--bare", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--cases", default="", help="that come first")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the traces")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    first = [name for name in options.cases.split(",") if name]
    cases = cases_of(str(options.build / "workloads/stream_suite"))
    cases.sort(key=lambda case: first.index(case[0]) if case[0] in first else len(first))
    until = time.monotonic() + options.seconds
    rows, left_out = [], []
    print("| case | recorded ms | median | corrected | bare | range | recorded % | corrected % | in range | findings "
          "| first |\n| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="lapscope-bench-") as folder:
        for case, variant in cases:
            if time.monotonic() > until:
                left_out.append(f"{case} {variant}")
                continue
            trace = (options.keep or pathlib.Path(folder)) / f"{case}-{variant}.sqlite"
            row = measure(options.build, case, variant, options.bare, trace)
            if isinstance(row, str):
                print(f"| {case} {variant} | {row} |", flush=True)
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
    print(f"\n{len(rows)} cases: median error {100 * statistics.median(errors):.1f} %; worst that is not within the range "
          f"of the bare runs {100 * worst['error']:+.1f} % ({worst['case']} {worst['variant']}); recorded, the median "
          f"was {100 * statistics.median(abs(row['recorded_ns'] / row['bare_ns'] - 1) for row in rows):.1f} % off")


if __name__ == "__main__":
    main()
