#!/usr/bin/env python3
"""Measures the cost of each kind of record. Programs run under many ways of recording, called arms, which take turns.

record_kinds.py BUILD_DIR [--beside BUILD_DIR] [--rounds N] [--repeats N] [--seconds S] [--only ARM[,ARM...]]
                [--torch PROGRAM[,PROGRAM...] | --no-torch | --only-ranks] [--json FILE]

In each round, each program runs once under every arm, in a changing order. A run repeats its program in one process,
after a warm-up. `added` is a time minus the median of the same round without recording: the median and the range. `x
kernels` compares this with a CUPTI client that records only kernels.

  --beside DIR  another build, for example of an older source: arm "beside" uses its collector
  --seconds S   begins no run later than this; only complete rounds count

Needs a GPU, PyTorch for five programs, and a second GPU for one more (--only-ranks: only that one). Exit status: 0; 1
if a run failed; 77 without a GPU.
"""
import argparse
import collections
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ISSUE_ONLY = "CONCURRENT_KERNEL,MEMCPY,MEMCPY2,MEMSET,RUNTIME"

# name -> (who records, what, other settings). What: a request in the format of LAPSCOPE_REQUEST.
ARMS = {
    "none": ("none", "", {}),
    "bare run": ("range timer", "", {}),  # runs the program as `record --bare` does
    "kernels": ("bare", "", {"BARE_CONSUMER_KINDS": "CONCURRENT_KERNEL"}),
    "issuing": ("bare", "", {"BARE_CONSUMER_KINDS": ISSUE_ONLY}),
    "issuing + DRIVER": ("bare", "", {"BARE_CONSUMER_KINDS": ISSUE_ONLY + ",DRIVER"}),
    "issuing + SYNCHRONIZATION": ("bare", "", {"BARE_CONSUMER_KINDS": ISSUE_ONLY + ",SYNCHRONIZATION"}),
    "issuing + CUDA_EVENT": ("bare", "", {"BARE_CONSUMER_KINDS": ISSUE_ONLY + ",CUDA_EVENT"}),
    "bare default": ("bare", "", {}),
    "bare default + graph callbacks": ("bare", "", {"BARE_CONSUMER_GRAPH_CALLBACKS": "1"}),
    "default": ("lapscope", "", {}),
    "beside": ("lapscope beside", "", {}),
    "armed": ("lapscope", "", {"LAPSCOPE_CAPTURE": "armed;"}),
    "no host samples": ("lapscope", "samples=off", {}),
    "no stacks": ("lapscope", "stacks=off", {}),
    "- stacks; callbacks; samples": ("lapscope", "stacks=off,-callbacks,samples=off", {}),
    "light": ("lapscope", "+light", {}),
    "all-calls": ("lapscope", "+all-calls", {}),
    "+ what only costs": ("lapscope", "+memory,+event-times,+launch-attributes,+compilation", {}),
    "- driver-calls": ("lapscope", "-driver-calls", {}),
    "- nvtx": ("lapscope", "-nvtx", {}),
    "- synchronization": ("lapscope", "-synchronization", {}),
    "- events": ("lapscope", "-events", {}),
    "- callbacks": ("lapscope", "-callbacks", {}),
    "- these five": ("lapscope", "-driver-calls,-nvtx,-synchronization,-events,-callbacks", {}),
    "- overhead": ("lapscope", "-overhead", {}),
    "+ compilation": ("lapscope", "+compilation", {}),
    "+ memory": ("lapscope", "+memory", {}),
    "+ event-times": ("lapscope", "+event-times", {}),
    "+ launch-attributes": ("lapscope", "+launch-attributes", {}),
    "+ quiet calls": ("lapscope", "+all-calls,-memory,-event-times,-launch-attributes,-compilation", {}),
    "flush 2 s": ("lapscope", "", {"LAPSCOPE_FLUSH_MS": "2000"}),
    "Kineto CUDA": ("kineto", "cuda", {}),
    "Kineto CPU+CUDA": ("kineto", "cpu,cuda", {}),
}


class Bench:
    def __init__(self, build, beside, repeats, torch_programs):
        self.repeats = repeats
        self.chosen = torch_programs
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lapscope-bench-"))
        collector = "lib*/lapscope/liblapscope_collector.so"
        self.collectors = {"lapscope": next(build.glob(collector))}
        if beside:
            self.collectors["lapscope beside"] = next(beside.glob(collector))
        self.bare = build / "tests/bench/collector/libbare_consumer.so"
        self.small = build / "tests/bench/collector/small_programs"
        self.range_timer = next(build.glob("lib*/lapscope/liblapscope_range_timer.so"))

    def variables(self, arm):
        who, request, settings = ARMS[arm]
        found = dict(settings)
        if who == "bare":
            found["CUDA_INJECTION64_PATH"] = str(self.bare)
            found["BARE_CONSUMER_REQUEST"] = request
        elif who == "range timer":
            found["NVTX_INJECTION64_PATH"] = str(self.range_timer)
            found["LAPSCOPE_RANGE_TIMES"] = str(self.folder / "ranges")
        elif who in self.collectors:
            collector = str(self.collectors[who])
            found["CUDA_INJECTION64_PATH"] = collector
            if "-nvtx" not in request:
                found["NVTX_INJECTION64_PATH"] = collector
            found["LAPSCOPE_OUTPUT"] = str(self.folder / "t.sqlite")
            found["LAPSCOPE_CONTROL"] = str(self.folder)
            found["LAPSCOPE_REQUEST"] = request
            found.setdefault("LAPSCOPE_FLUSH_MS", "200")
        return found

    def small_programs(self, arm):
        if ARMS[arm][0] == "kineto":
            return None
        done = subprocess.run(
            [self.small, "--repeats", str(self.repeats)],
            env={**os.environ, **self.variables(arm)},
            capture_output=True, text=True, check=False, timeout=120,
        )
        if done.returncode != 0:
            raise RuntimeError(f"small_programs under '{arm}': {done.stderr.strip()}")
        pairs = (line.split(": ") for line in done.stdout.splitlines() if ": " in line)
        return [(name, float(value)) for name, value in pairs]

    def torch_programs(self, arm):
        return self.in_forks(arm, 1, lambda programs, _: programs.measure(self.repeats, self.chosen or programs.PROGRAMS))

    def torch_ranks(self, arm):
        """Runs a process on each of the first two GPUs. Returns the measurements of the first."""
        port = free_port()
        return self.in_forks(arm, 2, lambda programs, rank: programs.measure_rank(rank, 2, port, self.repeats))

    def in_forks(self, arm, count, measure):
        """Runs in forks of this process, which has imported PyTorch but has not used CUDA."""
        result = self.folder / "result.json"
        result.unlink(missing_ok=True)
        children = [self.fork(arm, rank, measure, result) for rank in range(count)]
        if any([os.waitpid(child, 0)[1] != 0 for child in children]):  # a list, so that every child is waited for
            raise RuntimeError(f"torch_programs under '{arm}' failed")
        return [tuple(pair) for pair in json.loads(result.read_text())]

    def fork(self, arm, rank, measure, result):
        child = os.fork()
        if child:
            return child
        status = 1
        try:
            os.environ.update(self.variables(arm))
            if rank:
                os.environ["LAPSCOPE_OUTPUT"] = str(self.folder / f"t{rank}.sqlite")
            import torch_programs

            start_profiler(arm)
            times = measure(torch_programs, rank)
            if rank == 0:
                result.write_text(json.dumps(times))
            status = 0
        except BaseException as error:  # the child must not return to the parent's code
            print(f"torch_programs under '{arm}': {error!r}", file=sys.stderr)
        os._exit(status)

    def trace_content(self):
        """Returns the number of records of each kind in the last trace, and the most frequent functions."""
        trace = self.folder / "t.sqlite"
        if not trace.exists():
            return None
        database = sqlite3.connect(trace)
        kinds = database.execute("SELECT name, received FROM LAPSCOPE_RECORDS WHERE received > 0 ORDER BY 2 DESC").fetchall()
        calls = database.execute(
            "SELECT s.value, count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN StringIds s ON s.id = r.nameId"
            " GROUP BY 1 ORDER BY 2 DESC LIMIT 24"
        ).fetchall()
        losses = database.execute("SELECT code, count FROM LAPSCOPE_LOSSES WHERE count > 0").fetchall()
        database.close()
        return {"kinds": kinds, "calls": calls, "losses": losses}

    def forget_trace(self):
        for path in self.folder.glob("*.sqlite*"):
            path.unlink()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start_profiler(arm):
    who, what, _ = ARMS[arm]
    if who != "kineto":
        return
    from torch.profiler import ProfilerActivity, profile

    chosen = {"cpu": ProfilerActivity.CPU, "cuda": ProfilerActivity.CUDA}
    start_profiler.running = profile(activities=[chosen[name] for name in what.split(",")])
    start_profiler.running.start()


def medians(runs):
    """Returns the median of each program, from [(program, value)] of one run."""
    values = collections.defaultdict(list)
    for name, value in runs:
        values[name].append(value)
    return {name: statistics.median(found) for name, found in values.items()}


def spans(values):
    """Returns the median, the least and the most."""
    return (statistics.median(values), min(values), max(values)) if values else None


def added(rounds, program, arm):
    """Returns each time minus the median of the same round without recording."""
    return [
        value - medians(r["none"])[program]
        for r in rounds
        if arm in r and program in medians(r.get("none", ()))
        for name, value in r[arm]
        if name == program
    ]


def tables(rounds):
    programs = list(dict.fromkeys(name for runs in rounds for results in runs.values() for name, _ in results))
    programs.sort(key=lambda name: name.startswith("call_"))
    lines = []
    for program in programs:
        is_call = program.startswith("call_")
        if is_call and not lines[-1].startswith("call_"):
            lines += ["", "single calls, ns: none | kernels | default | beside | light | all-calls (medians), then what default adds with its range"]
        if is_call:
            cells = []
            for arm in ("none", "kernels", "default", "beside", "light", "all-calls"):
                found = spans([value for r in rounds for name, value in r.get(arm, ()) if name == program])
                cells.append(f"{found[0]:8.0f}" if found else "       -")
            more = spans(added(rounds, program, "default"))
            lines.append(f"{program:20}" + " |".join(cells) + (f"   {more[0]:+6.0f} ({more[1]:+.0f} to {more[2]:+.0f})" if more else ""))
            continue
        base = spans(added(rounds, program, "kernels"))
        none = spans([value for r in rounds for name, value in r.get("none", ()) if name == program])
        lines += ["", f"{program:20} {'median':>9} {'range':>19} {'added':>8} {'range':>17} {'% none':>7} {'x kernels':>9} {'runs':>5}"]
        for arm in ARMS:
            found = [value for r in rounds for name, value in r.get(arm, ()) if name == program]
            if not found:
                continue
            middle, least, most = spans(found)
            line = f"{arm:20} {middle:9.2f} {f'{least:.2f} to {most:.2f}':>19}"
            more = spans(added(rounds, program, arm))
            if arm != "none" and more:
                share = more[0] / none[0] * 100
                ratio = f"{more[0] / base[0]:9.2f}" if base and base[0] > 0 else " " * 9
                line += f" {more[0]:8.2f} {f'{more[1]:.2f} to {more[2]:.2f}':>17} {share:7.1f} {ratio}"
            else:
                line += " " * 44
            lines.append(f"{line} {len(found):5}")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--beside", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--only", default="")
    parser.add_argument("--torch", default="")
    parser.add_argument("--no-torch", action="store_true")
    parser.add_argument("--only-ranks", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    deadline = time.monotonic() + options.seconds

    beside = options.beside.resolve() if options.beside else None
    bench = Bench(options.build.resolve(), beside, options.repeats, [name for name in options.torch.split(",") if name])
    probe = subprocess.run([bench.small, "--repeats", "1"], capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        print(f"lapscope-skip: no usable GPU here: {probe.stderr.strip()}")
        return 77
    has_torch = not options.no_torch
    if has_torch:
        sys.path.insert(0, str(HERE))
        try:
            import torch_programs  # before any fork
        except ImportError as error:
            print(f"without PyTorch: {error}")
            has_torch = False
    possible = [name for name, (who, _, _) in ARMS.items() if beside or who != "lapscope beside"]
    chosen = [name for name in options.only.split(",") if name] or possible
    programs = {} if options.only_ranks else {"small": bench.small_programs}
    if has_torch and not options.only_ranks:
        programs["torch"] = bench.torch_programs
    if has_torch and torch_programs.torch.cuda.device_count() > 1:  # asks NVML, because CUDA must not be used before the forks
        programs["ranks"] = bench.torch_ranks
    rounds, contents, failed = [], {}, 0
    for index in range(options.rounds):
        turned = chosen[index % len(chosen):] + chosen[:index % len(chosen)]
        this_round = {}
        for arm in turned if index % 2 == 0 else reversed(turned):
            if time.monotonic() > deadline:
                break
            results = []
            for kind, program in programs.items():
                if kind != "small" and arm == "bare run":  # only small programs have no NVTX ranges
                    continue
                try:
                    results += program(arm) or []
                    content = bench.trace_content()
                    if content and (kind, arm) not in contents:
                        contents[kind, arm] = content
                except (RuntimeError, OSError, ValueError, sqlite3.Error, subprocess.TimeoutExpired) as error:
                    print(error, file=sys.stderr)
                    failed = 1
                bench.forget_trace()
            this_round[arm] = results
        rounds.append(this_round)
        if options.json:
            options.json.write_text(json.dumps({"rounds": rounds, "contents": {" / ".join(k): v for k, v in contents.items()}}))
        if time.monotonic() > deadline:
            break
    print(f"{sum(len(r) == len(chosen) for r in rounds)} whole rounds of {len(chosen)} arms")
    print("\n".join(tables(rounds)))
    for (kind, arm), content in contents.items():
        if arm in ("default", "beside", "light", "all-calls"):
            print(f"\n{kind} under {arm}: " + ", ".join(f"{name} {count}" for name, count in content["kinds"]))
            print("  calls: " + ", ".join(f"{name} {count}" for name, count in content["calls"]))
            print(f"  losses: {content['losses'] or 'none'}")
    shutil.rmtree(bench.folder, ignore_errors=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
