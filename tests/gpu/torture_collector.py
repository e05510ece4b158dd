#!/usr/bin/env python3
"""Kills a program that launches without pause, many times at random moments, and looks at the traces that are left.

torture_collector.py BUILD_DIR [--kills N] [--threads N[,N...]] [--flush-ms N] [--seed N] [--json FILE]

Every trace must open, pass SQLite's integrity check, say that its program was killed, hold no call twice, and lack at most
one flush period: the last call in it must have returned at most that long before the kill. The program counts its launches
in a mapped file, so that what is missing is known exactly. Every fifth time `lapscope record` is killed as well.

Exit status: 0 when all traces are so, 1 when one is not, 77 where there is no GPU.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import time

MOST_THREADS = 64


def progress_of(path):
    """The program's process id and what each of its threads has launched; None before it has begun."""
    size = 8 * (1 + MOST_THREADS)
    data = path.read_bytes() if path.exists() else b""
    if len(data) < size:
        return None
    pid, *launches = struct.unpack(f"{1 + MOST_THREADS}q", data[:size])
    return (pid, sum(launches)) if pid and sum(launches) else None


class Torture:
    def __init__(self, build, flush_ms):
        self.lapscope = str(build / "bin/lapscope")
        self.launch_loop = str(build / "tests/bench/collector/launch_loop")
        self.flush_ms = flush_ms
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lapscope-torture-"))

    def kill_once(self, threads, wait_s, kill_record):
        """Returns what was found, with a list of what is wrong."""
        trace = self.folder / "t.sqlite"
        progress = self.folder / "progress"
        progress.unlink(missing_ok=True)
        for left in self.folder.glob("t.*sqlite*"):
            left.unlink()
        record = subprocess.Popen(
            [self.lapscope, "record", "--no-calibrate", "-o", str(trace), "--flush-ms", str(self.flush_ms), "--", self.launch_loop]
            + ["--seconds", "60", "--threads", str(threads), "--progress", str(progress)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        deadline = time.monotonic() + 30
        begun = None
        while begun is None and time.monotonic() < deadline and record.poll() is None:
            begun = progress_of(progress)
            time.sleep(0.001)
        if begun is None:
            record.kill()
            return {"problems": [f"the program did not begin: {record.communicate()[1].strip()}"]}
        begun_ns = time.time_ns()
        time.sleep(wait_s)
        pid, _ = begun
        if kill_record:
            record.kill()
        killed_ns = time.time_ns()
        os.kill(pid, signal.SIGKILL)
        said = record.communicate()[1].strip()
        if kill_record:
            time.sleep(0.5)  # it is no child of ours that could be waited for
        problems = []
        if not kill_record and record.returncode != 128 + signal.SIGKILL:
            problems.append(f"exit status {record.returncode}: {said}")
        found = {"wait_s": wait_s, "threads": threads, "launched": progress_of(progress)[1], "problems": problems}
        found["record_killed"] = kill_record
        if trace.exists():
            self.examine(trace, killed_ns, kill_record, found)
        found.setdefault("kernels", 0)
        found.setdefault("missing_ms", (killed_ns - begun_ns) / 1e6)  # all of it
        if found["missing_ms"] > self.flush_ms:
            problems.append(f"the last {found['missing_ms']:.0f} ms are missing: {said}")
        return found

    def examine(self, trace, killed_ns, kill_record, found):
        problems = found["problems"]
        try:
            # Read-only would not do when `record` was killed: SQLite must find what lies in the -wal file.
            database = sqlite3.connect(trace)
            verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
            if verdict != "ok":
                problems.append(f"integrity_check: {verdict}")
            facts = dict(database.execute("SELECT name, value FROM LAPSCOPE_CAPTURE"))
            expected = "running" if kill_record else "cut-off"
            if facts.get("recording") != expected:
                problems.append(f"recording is '{facts.get('recording')}', expected '{expected}'")
            (session,) = database.execute("SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME").fetchone()
            kernels = "CUPTI_ACTIVITY_KIND_KERNEL"
            calls = "CUPTI_ACTIVITY_KIND_RUNTIME"
            names = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
            if kernels in names and calls in names:
                found["kernels"] = database.execute(f"SELECT count(*) FROM {kernels}").fetchone()[0]
                last_call, total, different = database.execute(
                    f"SELECT max(end), count(*), count(DISTINCT correlationId) FROM {calls}"
                ).fetchone()
                if total != different:
                    problems.append(f"{total - different} calls are there twice")
                found["missing_ms"] = (killed_ns - session - last_call) / 1e6
                found["calls"] = total
            losses = dict(database.execute("SELECT code, count FROM LAPSCOPE_LOSSES"))
            if losses:
                problems.append(f"losses: {losses}")
            database.close()
        except (sqlite3.Error, TypeError) as error:
            problems.append(f"{type(error).__name__}: {error}")
        analysis = subprocess.run([self.lapscope, "analyze", "--no-causes", str(trace)], capture_output=True, text=True, check=False)
        found["analyze"] = analysis.returncode
        if analysis.returncode not in (0, 3):
            problems.append(f"analyze: status {analysis.returncode}: {analysis.stderr.strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--threads", default="1,4")
    parser.add_argument("--flush-ms", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()

    torture = Torture(options.build.resolve(), options.flush_ms)
    probe = subprocess.run([torture.launch_loop, "--launches", "1"], capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        print(f"lapscope-skip: no usable GPU here: {probe.stderr.strip()}")
        return 77
    moments = random.Random(options.seed)
    runs = []
    for threads in [int(text) for text in options.threads.split(",")]:
        for kill in range(options.kills):
            # As many soon after the start, where files and tables are made, as later on.
            wait_s = moments.uniform(0, 0.3) if kill % 2 else moments.uniform(0.3, 2.5)
            runs.append(torture.kill_once(threads, wait_s, kill % 5 == 4))
            for problem in runs[-1]["problems"]:
                print(f"{threads} threads, killed after {wait_s:.3f} s: {problem}")
    shutil.rmtree(torture.folder, ignore_errors=True)
    if options.json:
        options.json.write_text(json.dumps(runs, indent=1))
    for threads in sorted({run["threads"] for run in runs if "threads" in run}):
        mine = [run for run in runs if run.get("threads") == threads]
        missing = [run["missing_ms"] for run in mine]
        print(
            f"{threads} threads: {len(mine)} kills, {sum(1 for run in mine if 'calls' in run)} traces with calls, missing at "
            f"the end {statistics.median(missing):.0f} ms (median), {max(missing):.0f} ms (most); "
            f"{sum(run['launched'] for run in mine)} launches, {sum(run['kernels'] for run in mine)} kernels in traces"
        )
    bad = sum(1 for run in runs if run["problems"])
    print(f"{len(runs)} kills, {bad} with something wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
