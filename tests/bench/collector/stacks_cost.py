#!/usr/bin/env python3
"""Measures what call stacks add. Programs recorded with --stacks off, findings and all take turns.

stacks_cost.py BUILD_DIR [--rounds N] [--launches N] [--torch N] [--choices CHOICE[,CHOICE...]] [--cases CASE[,CASE...]]
               [--seconds S] [--json FILE]

Prints medians and ranges for launch loops (1 and 16 threads, ns per launch) and two PyTorch programs (ms). `added` is
relative to --stacks off of the same round. Then prints what the traces have: calls with a stack, chains and losses.

  --choices     of none (without lapscope), off, findings, all; by default all four
  --torch N     rounds of the PyTorch programs; 0 leaves them out
  --cases       cases of the stream suite whose traces are also described; "all" for all in the catalogue of traces
  --seconds S   begins no run later than this

Needs a GPU, and PyTorch for two programs. Exit status: 0; 1 if a run failed; 77 without a GPU.
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
CHOICES = ("none", "off", "findings", "all")


class Failed(Exception):
    pass


def run(command, environment=None):
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120,
                          env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        raise Failed(f"{' '.join(command)} ended with {done.returncode}: {(done.stdout + done.stderr)[-300:]}")
    return done.stdout


def recorded(build, choice, trace, command):
    if choice == "none":
        return command
    return [str(build / "bin/lapscope"), "record", "-o", str(trace), "--no-calibrate", "--stacks", choice, "--", *command]


def counts(trace):
    """Returns counts of a trace: calls, calls with a stack, chains, frames per chain, and losses."""
    with sqlite3.connect(trace) as database:
        one = lambda query: database.execute(query).fetchone()
        calls, with_stack = one("SELECT count(*), count(callchainId) FROM CUPTI_ACTIVITY_KIND_RUNTIME")
        result = {"calls": calls, "with_stack": with_stack}
        if one("SELECT 1 FROM sqlite_master WHERE name = 'LAPSCOPE_STACKS'"):
            names = ("chains", "truncated", "notUnwound", "lost", "withoutCall", "withoutPython")
            result.update(zip(names, one(f"SELECT {', '.join(names)} FROM LAPSCOPE_STACKS")))
        if one("SELECT 1 FROM sqlite_master WHERE name = 'CUDA_CALLCHAINS'"):
            result["frames"] = round(one("SELECT count(*) * 1.0 / count(DISTINCT id) FROM CUDA_CALLCHAINS")[0], 1)
            result["python_frames"] = one("SELECT count(*) FROM CUDA_CALLCHAINS WHERE sourceLine IS NOT NULL")[0]
            result["modules"] = one("SELECT count(*) FROM LAPSCOPE_MODULES")[0]
        return result


def ns_of_loop(build, choice, trace, threads, launches):
    loop = [str(build / "tests/bench/collector/launch_loop"), "--threads", str(threads), "--launches", str(launches // threads)]
    for line in run(recorded(build, choice, trace, loop)).splitlines():
        if line.startswith("ns_per_launch:"):
            return float(line.split(":")[1])
    raise Failed("launch_loop said no ns_per_launch")


TORCH_TIMES = ("eager_ms", "gpt_ms", "lstm_ms", "average_ms")
TORCH = """
import sys
sys.path.insert(0, %r)
import torch_programs
for name, ms in torch_programs.measure(1): print(name, ms)
"""


def ms_of_torch(build, choice, trace):
    out = run(recorded(build, choice, trace, [sys.executable, "-c", TORCH % str(HERE)]))
    return {line.split()[0]: float(line.split()[1]) for line in out.splitlines() if "_ms " in line}


def in_turn(choices, number):
    first = number % len(choices)
    return choices[first:] + choices[:first]


def has_torch():
    done = subprocess.run([sys.executable, "-c", "import torch; torch.zeros(1, device='cuda')"], capture_output=True, check=False)
    return done.returncode == 0


def text_of(values):
    return f"{statistics.median(values):10.1f} ({min(values):.1f} to {max(values):.1f})" if values else "n/a"


def table(figures, programs):
    print(f"{'program':18} {'stacks':9} {'median (range)':36} added to off, median (range)")
    for program in programs:
        for choice in (one for one in CHOICES if any(one in figure for figure in figures[program])):
            values = [one[choice] for one in figures[program] if choice in one]
            added = [one[choice] - one["off"] for one in figures[program] if choice in one and "off" in one]
            print(f"{program:18} {choice:9} {text_of(values):36} {text_of(added) if choice in ('findings', 'all') else ''}")


def suite_commands(build, wanted):
    catalogue = HERE.parents[1] / "traces/catalogue.json"
    for entry in json.loads(catalogue.read_text())["traces"]:
        if "stream_suite" not in entry["command"] or (wanted != ["all"] and entry["case"] not in wanted):
            continue
        if entry["variant"] == "broken":
            command = entry["command"].split()
            yield entry["case"], [str(build / "workloads/stream_suite"), *command[1:]], entry["environment"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--launches", type=int, default=400_000)
    parser.add_argument("--torch", type=int, default=3)
    parser.add_argument("--choices", default=",".join(CHOICES), type=lambda text: tuple(text.split(",")))
    parser.add_argument("--cases", default="")
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    begin = time.monotonic()
    has_time = lambda: time.monotonic() - begin < options.seconds
    loops = {"launch, 1 thread": 1, "launch, 16 threads": 16}
    figures = {program: [] for program in (*loops, *TORCH_TIMES)}
    held = {}
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "t.sqlite"

        def measure(programs, choice, function):
            nonlocal failed
            try:
                trace.unlink(missing_ok=True)
                for program, value in function().items():
                    figures[program][-1][choice] = value
                if choice != "none":
                    held[f"{programs}, {choice}"] = counts(trace)
            except (Failed, subprocess.TimeoutExpired, sqlite3.Error) as error:
                failed = True
                print(error, file=sys.stderr)

        try:
            ns_of_loop(build, "none", trace, 1, 1000)
        except Failed as error:
            print(f"lapscope-skip: stacks_cost: {error}")
            return 77
        for number in range(options.rounds):
            turned = in_turn(options.choices, number)
            for program, threads in loops.items():
                figures[program].append({})
                for choice in turned:
                    if has_time():
                        measure(program, choice,
                                lambda: {program: ns_of_loop(build, choice, trace, threads, options.launches)})
        if options.torch > 0 and has_torch():
            for number in range(options.torch):
                for program in TORCH_TIMES:
                    figures[program].append({})
                for choice in in_turn(options.choices, number):
                    if has_time():
                        measure("PyTorch", choice, lambda: ms_of_torch(build, choice, trace))
        table(figures, [program for program in figures if figures[program]])
        cases = [case for case in options.cases.split(",") if case]
        for case, command, environment in suite_commands(build, cases) if cases else ():
            if not has_time():
                break
            try:
                trace.unlink(missing_ok=True)
                run(recorded(build, "findings", trace, command), environment)
                held[case] = counts(trace)
            except (Failed, subprocess.TimeoutExpired, sqlite3.Error) as error:
                print(f"{case}: {error}", file=sys.stderr)
    print()
    for program, what in held.items():
        print(f"{program:28} " + ", ".join(f"{name} {value}" for name, value in what.items()))
    if options.json:
        options.json.write_text(json.dumps({"figures": figures, "traces": held}, indent=1))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
