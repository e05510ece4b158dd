#!/usr/bin/env python3
"""Measures what captures add to an iteration, and captures of the last seconds, on a GPU:
`capture_turns.py LAPSCOPE [--rounds N] [--programs P,...] [--captures C,...] [--only turns|slow]`.

turns  Three armed loops of PyTorch, one process each. Each round has a window without a capture and a window in each sort
       of capture. Prints how much longer an iteration is in a capture than in the same round without one.
slow   A loop of PyTorch with one slow iteration, captured with --keep 1s --when-slower 4. The trace must have the slow
       iteration, and at most one second.

Needs PyTorch and a GPU. Exit status: 0; 1 if a check fails.
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

import armed_runs
from armed_runs import ctl, wait_for

WINDOW = 0.6  # seconds
CAPTURES = {"all": [], "light": ["--light"], "kept": ["--keep", "1s"], "kept-light": ["--keep", "1s", "--light"]}

# The loop ends when the file `end` exists. It prints the end and the duration of each iteration.
TURNS = armed_runs.PACE.split("folder = os.environ")[0] + '''
folder = os.environ["PACE_FOLDER"]
done = []
while not os.path.exists(f"{folder}/end"):
    slow = os.path.exists(f"{folder}/slow")
    begin = time.monotonic()
    torch.cuda.nvtx.range_push("step")
    work()
    if slow:
        os.remove(f"{folder}/slow")
        torch.cuda.nvtx.range_push("late")
        time.sleep(0.2)
        torch.cuda.nvtx.range_pop()
    torch.cuda.nvtx.range_pop()
    done.append((time.monotonic(), (time.monotonic() - begin) * 1e3))
    if len(done) == 100: open(f"{folder}/ready", "w").close()
    if len(done) > 100_000: del done[:50_000]
print("times", json.dumps(done))
'''


class Running:
    """One of the armed loops."""

    def __init__(self, lapscope, folder, program):
        folder.mkdir()
        self.folder, self._lapscope, self.out = folder, lapscope, str(folder / "out") + "/"
        script = folder / "turns.py"
        script.write_text(TURNS)
        self._process = subprocess.Popen(
            [lapscope, "record", "--armed", "--no-calibrate", "-o", self.out, "--", sys.executable, str(script), program],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "PACE_FOLDER": str(folder)})
        self.is_ready = wait_for((folder / "ready").exists, 90)

    def ctl(self, *words):
        return ctl(self._lapscope, self.out, *words)

    def end(self):
        (self.folder / "end").touch()
        stdout, stderr = self._process.communicate(timeout=100)
        if self._process.returncode != 0:
            print(f"the program ended with {self._process.returncode}: {stderr}")
        return armed_runs.own_times(stdout)


def turns(lapscope, work, programs, captures, rounds):
    fine = True
    for program in programs:
        run = Running(lapscope, work / f"turns-{program}", program)
        fine &= run.is_ready
        run.ctl("start", "--for", "300ms")  # the first capture enables everything
        time.sleep(1.5)
        windows = []
        for _ in range(rounds):
            for what in (None, *captures):
                if what:
                    fine &= run.ctl("start", *CAPTURES[what])[0] == 0
                begin = time.monotonic()
                time.sleep(WINDOW)
                windows.append((what, begin, time.monotonic()))
                if what:
                    fine &= run.ctl("stop")[0] == 0
        done = run.end()
        medians = [(what, statistics.median([ms for end, ms in done if begin + ms / 1e3 < end < until] or [0])) for what, begin, until in windows]
        off = [ms for what, ms in medians if what is None]
        print(f"{program}: without a capture {statistics.median(off):.3f} ms ({min(off):.3f} to {max(off):.3f})")
        for what in captures:
            added = [100 * (ms / off[i] - 1) for i, ms in enumerate([ms for one, ms in medians if one == what])]
            print(f"{program}, {what}: {statistics.median(added):+.1f} % (quartiles {statistics.quantiles(added)[0]:+.1f} to "
                  f"{statistics.quantiles(added)[2]:+.1f}), {statistics.median(ms for one, ms in medians if one == what):.3f} ms", flush=True)
    return fine


def slow(lapscope, work):
    run = Running(lapscope, work / "slow", "launches")
    answer = run.ctl("start", "--keep", "1s", "--when-slower", "4")
    time.sleep(2.5)
    print("status:", run.ctl("status")[1].strip())
    (run.folder / "slow").touch()
    fine = answer[0] == 0 and wait_for(lambda: ", 1 captured until now" in run.ctl("status")[1], 30)
    run.end()
    trace = next(pathlib.Path(run.out).glob("*.sqlite"))
    database = sqlite3.connect(trace)
    begin, end, why = database.execute("SELECT start, end, endedBy FROM LAPSCOPE_STRETCHES").fetchone()
    late = database.execute("SELECT count(*) FROM NVTX_EVENTS LEFT JOIN StringIds ON id = textId WHERE coalesce(text, value) = 'late' AND end - start >= 200000000").fetchone()[0]
    kernels, first = database.execute("SELECT count(*), min(end) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()
    losses = database.execute("SELECT code, count FROM LAPSCOPE_LOSSES WHERE count > 0").fetchall()
    database.close()
    verdict = json.loads(subprocess.run([lapscope, "analyze", "--format", "json", str(trace)], capture_output=True, text=True, check=False).stdout)
    gaps = [finding["code"] for finding in verdict["devices"][0]["findings"]][:3]
    print(f"slow: {(end - begin) / 1e6:.0f} ms, ended by '{why}', {late} late range, {kernels} kernels, losses {losses}, {trace.stat().st_size // 1024} kB, {gaps}")
    return fine and late == 1 and why == "slow iteration" and kernels > 1000 and first >= begin and 0.95e9 < end - begin < 1.05e9 and not losses


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lapscope")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--programs", default="launches,lstm,gpt")
    parser.add_argument("--captures", default=",".join(CAPTURES))
    parser.add_argument("--only", choices=["turns", "slow"])
    options = parser.parse_args()
    lapscope = os.path.abspath(options.lapscope)
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if options.only in (None, "turns"):
            fine = turns(lapscope, work, options.programs.split(","), options.captures.split(","), options.rounds)
        if options.only in (None, "slow"):
            fine = slow(lapscope, work) and fine
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
