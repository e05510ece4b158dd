#!/usr/bin/env python3
"""Runs many small kernels in many streams. If hardware queues limit the program, queue-alias must be the finding,
although recording makes launches slower. If launches limit it, queue-alias must not be found.

queue_limited.py BUILD_DIR [--rounds N] [--keep FOLDER]

The limit is measured in bare runs with 8 and with 32 queues (CUDA_DEVICE_MAX_CONNECTIONS). With 32, the program is
quicker by at least a tenth (queues) or by at most a twentieth (launches). Between the two, the verdict is not checked.
Two sorts of recordings are made again, up to twice, and then not checked: those whose corrected wall is half as long
again, because other work disturbed them, and those without a correction, because their launches are too slow. Prints a
table. Exit status: 0 if all verdicts are right and both limits occur, 1 if one is wrong, 77 without a GPU or with too
few verdicts.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

# streams, kernels, cycles of each
QUEUE_LIMITED = ((20, 1152, 100_000), (12, 1200, 120_000), (32, 640, 160_000))
RUNS = 3  # of one process, all in the range "kernels"
LAUNCH_BOUND = ((20, 1152, 8_000), (32, 640, 12_000))


def run(command, connections):
    environment = dict(os.environ, CUDA_DEVICE_MAX_CONNECTIONS=str(connections))
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment)


def bare_ms(program, rounds):
    """Returns the medians with 8 and with 32 queues. The two take turns."""
    took = {8: [], 32: []}
    for _ in range(rounds):
        for connections, ms in took.items():
            ms += [float(line) for line in run(program, connections).stdout.split()]
    return {connections: statistics.median(ms) for connections, ms in took.items()}


def limit_of(ms):
    """Returns the limit by these medians, or "unclear"."""
    gain = 1 - ms[32] / ms[8]
    return "queues" if gain > 0.10 else "launches" if gain < 0.05 else "unclear"


def findings_of(lapscope, program, trace):
    """Returns the findings of the range "kernels", and its correction."""
    record = run([lapscope, "record", "-o", str(trace), "--", *program], 8)
    if record.returncode != 0:
        sys.exit(f"queue_limited.py: {record.stderr.strip()}")
    analyzed = run([lapscope, "analyze", str(trace), "--range", "kernels", "--format", "json"], 8)
    scope = json.loads(analyzed.stdout)["devices"][0]["ranges"][0]
    return [finding["code"] for finding in scope["findings"] or []], scope.get("correction")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the traces")
    options = parser.parse_args()
    build = options.build.resolve()
    lapscope = str(build / "bin/lapscope")
    program = str(build / "tests/gpu/programs/small_kernels")
    probe = run([program, "1", "1", "1"], 8)
    if probe.returncode == 77:
        print(f"lapscope-skip: no usable GPU here: {probe.stderr.strip()}")
        return 77
    all_right = True
    judged = set()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'streams kernels cycles':24} {'8 queues':>9} {'32':>8}  {'limit':8} {'recorded':>9} {'corrected':>9}  findings")
        for case in QUEUE_LIMITED + LAUNCH_BOUND:
            command = [program, *map(str, case)]
            ms = bare_ms(command, options.rounds)
            limit = limit_of(ms)
            trace = folder / f"small-kernels-{'-'.join(map(str, case))}.sqlite"
            for _ in range(3):
                found, correction = findings_of(lapscope, command, trace)
                if correction and correction["corrected_ns"] < 1.5e6 * RUNS * ms[8]:
                    break
            else:
                limit = "unclear"
            expected = "queues" if case in QUEUE_LIMITED else "launches"
            is_right = limit == "unclear" or (limit == expected and ("queue-alias" in found) == (limit == "queues"))
            all_right = all_right and is_right
            judged.add(limit)
            walls = [f"{correction[key] / 1e6:9.3f}" if correction else f"{'n/a':>9}" for key in ("recorded_ns", "corrected_ns")]
            print(f"{' '.join(map(str, case)):24} {ms[8]:9.3f} {ms[32]:8.3f}  {limit:8} "
                  f"{' '.join(walls)}  {', '.join(found) or 'none'}{'' if is_right else '  WRONG'}")
    if all_right and not {"queues", "launches"} <= judged:
        print("lapscope-skip: no verdict of both kinds could be judged on this machine")
        return 77
    return 0 if all_right else 1


if __name__ == "__main__":
    sys.exit(main())
