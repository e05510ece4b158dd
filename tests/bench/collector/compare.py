#!/usr/bin/env python3
"""Compares programs without a collector, with a bare CUPTI consumer, and with lapscope.

compare.py BUILD_DIR [--json FILE] [--rounds N] [--only NAME[,NAME...]] [--long SECONDS]

The collectors take turns, so a machine that gets slower slows all of them down. Figures are medians over the rounds.
"bare" requests lapscope's records from CUPTI and discards them. "bare-flush" also requests partly filled buffers every
200 ms, as lapscope does. A collector's cost is the time of a launch with it, minus the time without it.

  --long SECONDS       how long the program of `long-1` and `long-16` launches (60)

Needs a GPU, and PyTorch for `add-…`. Exit status: 0; 1 if a program failed; 77 without a GPU.
"""
import argparse
import json
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
COLLECTORS = ("none", "bare", "bare-flush", "lapscope")


def scenarios(launch_loop, long_seconds):
    """Returns the programs: name -> (command, most rounds)."""
    many = 99
    add = [sys.executable, str(HERE / "add_loop.py")]
    return {
        "empty-1": ([launch_loop, "--launches", "300000"], many),
        "empty-16": ([launch_loop, "--launches", "40000", "--threads", "16"], many),
        "graph-1": ([launch_loop, "--pattern", "graph", "--launches", "300"], many),
        "graph-16": ([launch_loop, "--pattern", "graph", "--launches", "20", "--threads", "16"], many),
        "churn": ([launch_loop, "--pattern", "churn"], many),
        "add-1": (add + ["100000", "1"], 3),
        "add-16": (add + ["6000", "16"], 3),
        "long-1": ([launch_loop, "--seconds", str(long_seconds)], 1),
        "long-16": ([launch_loop, "--seconds", str(long_seconds), "--threads", "16"], 1),
    }


class Bench:
    def __init__(self, build):
        self.lapscope = str(build / "bin/lapscope")
        self.launch_loop = str(build / "tests/bench/collector/launch_loop")
        self.bare = str(build / "tests/bench/collector/libbare_consumer.so")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lapscope-bench-"))

    def run(self, command, collector):
        """Runs once. Returns what the program printed, and what was measured from outside."""
        environment = dict(os.environ)
        trace = self.folder / "t.sqlite"
        if collector == "lapscope":
            command = [self.lapscope, "record", "--no-calibrate", "-o", str(trace), "--"] + command
        elif collector != "none":
            environment["CUDA_INJECTION64_PATH"] = self.bare
            if collector == "bare-flush":
                environment["BARE_CONSUMER_FLUSH_MS"] = "200"
        with open(self.folder / "out", "w+") as out, open(self.folder / "err", "w+") as err:
            child = subprocess.Popen(command, env=environment, stdout=out, stderr=err)
            _, status, usage = os.wait4(child.pid, 0)
            ended = time.time_ns()
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            printed = dict(line.split(": ", 1) for line in out.read().splitlines() if ": " in line)
            said = err.read()
        if child.returncode != 0:
            raise RuntimeError(f"status {child.returncode} of {' '.join(command)}: {said}")
        run = {key: float(value) for key, value in printed.items() if key != "last_line_utc_ns"}
        run["end_ms"] = (ended - int(printed["last_line_utc_ns"])) / 1e6
        run["peak_rss_mib"] = usage.ru_maxrss / 1024
        run["cpu_s"] = usage.ru_utime + usage.ru_stime
        if collector == "lapscope":
            run.update(self.content(trace))
        return run

    @staticmethod
    def content(trace):
        size = trace.stat().st_size
        database = sqlite3.connect(f"file:{trace}?mode=ro", uri=True)
        (ops,) = database.execute(
            "SELECT coalesce(sum(received), 0) FROM LAPSCOPE_RECORDS WHERE name = 'CONCURRENT_KERNEL'"
        ).fetchone()
        losses = dict(database.execute("SELECT code, count FROM LAPSCOPE_LOSSES"))
        facts = dict(database.execute("SELECT name, value FROM LAPSCOPE_CAPTURE"))
        database.close()
        trace.unlink()
        return {
            "trace_bytes": size,
            "kernels": ops,
            "lost": sum(losses.values()),
            "losses": losses,
            "complete": facts.get("recording") == "complete",
        }


def median(runs, key):
    values = [run[key] for run in runs if key in run]
    return statistics.median(values) if values else None


def spread(runs, key):
    values = [run[key] for run in runs if key in run]
    return (min(values), max(values)) if values else (None, None)


def added(results, collector, key="ns_per_launch"):
    """Returns what a collector adds to a launch, in ns. The base is the bare program of the same round."""
    pairs = zip(results[collector], results["none"])
    return statistics.median(run[key] - base[key] for run, base in pairs)


def machine():
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader", "-i", "0"]
    gpu, driver = subprocess.run(query, capture_output=True, text=True, check=True).stdout.strip().split(", ")
    return {"gpu": gpu, "driver": driver, "cores": os.cpu_count(), "date": time.strftime("%Y-%m-%d", time.gmtime())}


def table(figures):
    lines = [
        f"{'scenario':10} {'collector':11} {'ns/launch':>10} {'range':>19} {'added':>8} {'x bare':>7} {'wall ms':>9} "
        f"{'x none':>7} {'RSS MiB':>8} {'GPU MiB':>8} {'end ms':>7} {'B/launch':>8} {'lost':>6}"
    ]
    for scenario, results in figures.items():
        for collector, runs in results.items():
            low, high = spread(runs, "ns_per_launch")
            more = added(results, collector) if collector != "none" else None
            bare = added(results, "bare") if "bare" in results and more is not None else None
            ratio = more / bare if bare else None
            kernels = median(runs, "kernels")
            size = median(runs, "trace_bytes")
            wall = median(runs, "wall_ms") / median(results["none"], "wall_ms")

            def text(value, digits):
                return "" if value is None else f"{value:.{digits}f}"

            lines.append(
                f"{scenario:10} {collector:11} {median(runs, 'ns_per_launch'):10.0f} "
                f"{f'{low:.0f} to {high:.0f}':>19} {text(more, 0):>8} {text(ratio, 2):>7} "
                f"{median(runs, 'wall_ms'):9.1f} {wall:7.3f} {median(runs, 'peak_rss_mib'):8.0f} "
                f"{median(runs, 'gpu_memory_mib'):8.0f} {median(runs, 'end_ms'):7.0f} "
                f"{text(size / kernels if kernels else None, 1):>8} {text(median(runs, 'lost'), 0):>6}"
            )
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--long", type=float, default=60)
    options = parser.parse_args()

    bench = Bench(options.build.resolve())
    probe = subprocess.run([bench.launch_loop, "--launches", "1"], capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        print(f"lapscope-skip: no usable GPU here: {probe.stderr.strip()}")
        return 77
    wanted = [name for name in options.only.split(",") if name]
    figures = {}
    failed = 0
    for name, (command, rounds) in scenarios(bench.launch_loop, options.long).items():
        if wanted and name not in wanted:
            continue
        # Long runs show lasting effects. Collectors without lasting effects run for a shorter time.
        collectors = ("none", "bare-flush", "lapscope") if name.startswith("long") else COLLECTORS
        shorter = {"none": "2", "bare-flush": "10"}
        results = {collector: [] for collector in collectors}
        try:
            for _ in range(min(rounds, options.rounds)):
                for collector in collectors:
                    if name.startswith("long") and collector in shorter:
                        results[collector].append(bench.run(command[:2] + [shorter[collector]] + command[3:], collector))
                    else:
                        results[collector].append(bench.run(command, collector))
        except (RuntimeError, sqlite3.Error, KeyError, OSError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed = 1
        if all(results.values()):
            figures[name] = results
    print("\n".join(table(figures)))
    for name, results in figures.items():
        last = results["lapscope"][-1]
        print(
            f"{name}: {last['kernels']:.0f} kernels recorded, losses {last['losses'] or 'none'}, "
            f"{'complete' if last['complete'] else 'NOT complete'}"
            + "".join(
                f", {collector} left {run['threads_more']:.0f} threads and {run['descriptors_more']:.0f} descriptors more"
                for collector, run in ((c, r[-1]) for c, r in results.items())
                if "threads_more" in run
            )
        )
    if options.json:
        options.json.write_text(json.dumps({"machine": machine(), "scenarios": figures}, indent=1))
    shutil.rmtree(bench.folder, ignore_errors=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
