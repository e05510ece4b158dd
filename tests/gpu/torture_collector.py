#!/usr/bin/env python3
"""Kills, starves and disturbs recorded programs, and checks the traces that remain. Prints one table.

torture_collector.py BUILD_DIR [--kills N] [--jobs N] [--seconds N] [--threads N] [--rate N] [--flush-ms N] [--forks N]
                     [--seed N] [--folder FOLDER] [--fake] [--captures] [--json FILE] [--keep FOLDER]
                     [--only TEXT]

Kills happen at random instants, N of each sort: of the program, of `lapscope record`, or of both, by SIGKILL, SIGTERM
and SIGINT. Other disturbances happen a twentieth as often:
- a full disk, a folder that becomes read-only, a trace that is removed
- limits of memory and of descriptors, no HOME, no folder for temporary files
- those of tests/gpu/programs/hostile.cpp: closed descriptors, a replaced malloc, a seccomp filter, another root, 10,000
threads
- once, a program that forks and executes --forks others

Every trace must pass SQLite's integrity check and be readable by `lapscope analyze`. It must contain no call twice, and
lack at most one flush period before the kill. A kill before the first record leaves no trace, which is counted. No
other file and no process may remain. A program that is not killed must end as it does without lapscope.

--jobs      number of runs at a time, all on one GPU
--rate      launches of each thread per second, limited by the speed of the disk; 0: without pause
--seconds   time after which the rest is given up; the table has the number of runs of each sort, also after SIGTERM
--folder    folder of the traces
--keep      folder for the traces of runs with problems
--fake      uses the fake libcupti and a program of the tests, without a GPU
--captures  runs the programs armed, and captures them again and again with `ctl`. Time before a kill may lie between two
            captures, so missing time is not checked

Exit status: 0 if all is right, 1 if not, 77 without a GPU.
"""
import argparse
import concurrent.futures
import ctypes
import dataclasses
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
LONG_S = 60
CTL_STATUSES = (0, 3, 4)  # exit statuses of `lapscope ctl`: done; not done by all; nothing is armed
BEGIN_MS = 1500  # the most time until a program's first record
LATE_MS = 100  # the most time from a kill to the noted time of it, on a busy machine


@dataclasses.dataclass
class Found:
    situation: str
    problems: list = dataclasses.field(default_factory=list)
    has_trace: bool = False
    captures: int = 0
    same_ids: int = 0
    calls: int = 0
    missing_ms: float = None
    seconds: float = 0
    skipped: str = ""


def children_of(pid):
    try:
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def runs(pid, program):
    """Returns whether a child of `record` runs the program. Another child only receives the signals of the
    process group, and a new child has not yet called exec."""
    try:
        return os.path.samefile(f"/proc/{pid}/exe", program)
    except OSError:
        return False


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(holds, seconds):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.002)
    return holds()


class Workplace:
    """Programs and options. Each run has its own folder."""

    def __init__(self, build, options):
        self.build = build
        self.options = options
        self.processes, self.lock, self.failed_ctl = [], threading.Lock(), 0
        self.lapscope = str(build / "bin/lapscope")
        self.hostile = build / "tests/gpu/programs/libhostile.so"
        tests = build / "tests"
        if options.fake:
            self.program = str(tests / "collector/inject/fake_cuda_program")
            self.cupti = ["--cupti", str(tests / "collector/inject/libfake_cupti.so")]
        else:
            self.program = str(tests / "bench/collector/launch_loop")
            self.cupti = []

    def endless(self, progress):
        if self.options.fake:
            return [self.program, "init", f"repeat-work={LONG_S * 900}"]
        return self.launches(LONG_S, progress)

    def launching_ms(self, progress):
        """Returns for how long a program has launched at least, from its progress file. None if this is unknown."""
        if self.options.fake or self.options.rate <= 0:
            return None
        if not progress.exists():  # the program makes this file before its first launch
            return 0.0
        content = progress.read_bytes()
        pid_and_launches = struct.unpack(f"{len(content) // 8}q", content[: len(content) // 8 * 8])
        return 1000 * max(pid_and_launches[1:], default=0) / self.options.rate

    def short(self):
        seconds = 3 if self.options.captures else 1
        if self.options.fake:
            return [self.program, "init", f"repeat-work={seconds * 900}"]
        return self.launches(seconds)

    def launches(self, seconds, progress=None):
        program = [self.program, "--seconds", str(seconds), "--threads", str(self.options.threads), "--rate", str(self.options.rate)]
        return program + (["--progress", str(progress)] if progress else [])

    def start(self, command, **options):
        """Starts a command in its own session, so that all its processes can be ended."""
        process = subprocess.Popen(command, text=True, start_new_session=True, **options)
        with self.lock:
            self.processes.append(process)
        return process

    def end_all(self):
        with self.lock:
            for process in self.processes:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)

    def output(self, folder):
        """Returns the output of `record`: a trace, or a folder with a trace per capture."""
        return folder / ("out" if self.options.captures else "t.sqlite")

    def traces(self, folder):
        output = self.output(folder)
        return sorted(output.glob("*.sqlite")) if output.is_dir() else [output] if output.exists() else []

    def record(self, folder, program):
        output, armed = str(self.output(folder)), []
        if self.options.captures:
            output, armed = output + "/", ["--armed"]
        how = [*armed, "--no-calibrate", *self.cupti, "-o", output, "--flush-ms", str(self.options.flush_ms)]
        return [self.lapscope, "record", *how, "--", *program]

    def capture(self, folder, record):
        """Captures until `record` has ended. `ctl` may come too early, too late or during a kill, but must end."""
        rng = random.Random(str(folder))
        while record.poll() is None:
            sort = rng.choice([[], ["--light"], ["--keep", "1s"]])
            end = rng.choice([["--for", "200ms"], ["--iterations", "3"], []])
            for words in (["start", *sort, *([] if "--keep" in sort and "--iterations" in end else end)], ["stop"]):
                ctl = self.start([self.lapscope, "ctl", str(self.output(folder)), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                try:
                    self.failed_ctl += ctl.wait(30) not in CTL_STATUSES
                except subprocess.TimeoutExpired:
                    ctl.kill()
                    self.failed_ctl += 1
                time.sleep(rng.uniform(0, 0.4))

    def start_recording(self, folder, program, **options):
        record = self.start(self.record(folder, program), **options)
        if self.options.captures:
            threading.Thread(target=self.capture, args=(folder, record), daemon=True).start()
        return record

    def examine(self, folder, found, killed_ns=None, launching_ms=None, may_write=False):
        """Checks the traces. `killed_ns`: when the program was killed. `launching_ms`: for how long it had launched
        then."""
        for trace in self.traces(folder):
            self.examine_trace(trace, found, None if self.options.captures else killed_ns, launching_ms, may_write)

    def examine_trace(self, trace, found, killed_ns, launching_ms, may_write):
        found.has_trace = True
        found.captures += self.options.captures
        analysis = subprocess.run([self.lapscope, "analyze", "--no-causes", str(trace)], capture_output=True, text=True, check=False)
        if analysis.returncode not in (0, 3):
            found.problems.append(f"analyze: status {analysis.returncode}: {analysis.stderr.strip()}")
        try:
            # After a kill of `record`, SQLite must read the -wal file, so it cannot open the trace read-only.
            with sqlite3.connect(trace) as database:
                verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
                if verdict != "ok":
                    found.problems.append(f"integrity_check: {verdict}")
                names = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
                if "CUPTI_ACTIVITY_KIND_RUNTIME" not in names:
                    return
                (session,) = database.execute("SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME").fetchone()
                last_call, calls, different, ids = database.execute(
                    "SELECT max(end), count(*), count(DISTINCT correlationId || ' ' || start), count(DISTINCT correlationId) "
                    "FROM CUPTI_ACTIVITY_KIND_RUNTIME"
                ).fetchone()
                found.calls += calls
                if calls != different:
                    found.problems.append(f"{calls - different} calls are there twice")
                elif calls != ids and not self.options.captures:
                    found.problems.append(f"{calls - ids} calls have the id of another call")
                elif calls != ids:  # CUPTI's mistake, if captures end and begin during the first call: research/collector-safety.md
                    found.same_ids += 1
                if killed_ns is not None and last_call is not None:
                    found.missing_ms = max(0.0, (killed_ns - session - last_call) / 1e6)
                    if launching_ms is not None:  # earlier, the program only starts CUDA
                        found.missing_ms = min(found.missing_ms, launching_ms)
                    if found.missing_ms > self.options.flush_ms + LATE_MS:
                        found.problems.append(f"the last {found.missing_ms:.0f} ms are missing")
                losses = dict(database.execute("SELECT code, count FROM LAPSCOPE_LOSSES")) if "LAPSCOPE_LOSSES" in names else {}
                if losses and not may_write:
                    found.problems.append(f"losses: {losses}")
            database.close()
        except (sqlite3.Error, TypeError) as error:
            found.problems.append(f"{type(error).__name__}: {error}")

    def look_around(self, folder, found, allowed):
        if self.options.captures:
            allowed = allowed | {"out"}
        left = sorted(path.name for path in folder.iterdir() if path.name not in allowed)
        if left:
            found.problems.append(f"left behind: {', '.join(left)}")

    def kill(self, folder, found, who, number, wait_s):
        progress = folder / "progress"
        record = self.start_recording(folder, self.endless(progress), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        started = []

        def has_program():
            started[:] = [pid for pid in children_of(record.pid) if runs(pid, self.program)]
            return bool(started) or record.poll() is not None

        if not wait_until(has_program, 30) or not started:
            record.kill()
            found.problems.append(f"the program did not begin: {record.communicate()[1].strip()}")
            return
        program = started[0]
        time.sleep(wait_s)
        if who in ("recorder", "both"):
            os.kill(record.pid, number)
        killed_ns = time.time_ns()
        if who in ("program", "both"):
            os.kill(program, number)
        else:
            time.sleep(0.1)
            if is_alive(program):
                killed_ns = time.time_ns()
                os.kill(program, signal.SIGKILL)
        try:
            said = record.communicate(timeout=30)[1].strip()
        except subprocess.TimeoutExpired:
            record.kill()
            said = record.communicate()[1].strip()
            found.problems.append("`record` did not end within 30 s")
        if who == "program" and record.returncode != 128 + number:
            found.problems.append(f"exit status {record.returncode} instead of {128 + number}: {said}")
        if not wait_until(lambda: not is_alive(program), 15):
            found.problems.append("the program lives on")
            os.kill(program, signal.SIGKILL)
        # A killed recorder leaves SQLite's other files beside a trace. Reading the trace merges them.
        self.examine(folder, found, killed_ns, self.launching_ms(progress))
        progress.unlink(missing_ok=True)
        if not found.has_trace and not self.options.captures and 1000 * wait_s > self.options.flush_ms + BEGIN_MS:
            found.problems.append(f"no trace, {wait_s:.1f} s after the start: {said}")
        self.look_around(folder, found, {"t.sqlite"} | ({"t.sqlite-wal", "t.sqlite-shm"} if who != "program" else set()))

    def run_to_its_end(self, folder, found, program, env=None, before=None, prepare=None, meanwhile=None, may_lack=False,
                       fails_by_chance=False):
        """Runs a program with and without lapscope. Both must end alike. `fails_by_chance`: both fail, perhaps in
        different ways."""
        alone = self.start(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, preexec_fn=before)
        bare, _ = alone.communicate()
        if prepare:
            prepare(folder)
        record = self.start_recording(folder, program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, preexec_fn=before)
        if meanwhile:
            wait_until(lambda: self.traces(folder), 20)
            time.sleep(0.1)
            meanwhile(folder)
        try:
            out, said = record.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            record.kill()
            out, said = record.communicate()
            found.problems.append("it did not end within 300 s")
        # CUDA alone can already fail with these limits of descriptors or memory.
        wanted = alone.returncode if alone.returncode >= 0 else 128 - alone.returncode
        if record.returncode != wanted and not (fails_by_chance and wanted != 0 and record.returncode != 0):
            found.problems.append(f"exit status {record.returncode} instead of {wanted}: {said.strip()[-200:]}")
        if self.options.fake and out != bare:
            found.problems.append("standard output differs")
        self.examine(folder, found, may_write=may_lack)
        # In a read-only folder, these files cannot be removed.
        beside = set() if os.stat(folder).st_mode & 0o200 else {"t.sqlite-wal", "t.sqlite-shm"}
        self.look_around(folder, found, {"t.sqlite", "root"} | beside)
        return said

    # Each function gets its own folder.

    def full_disk(self, folder, found):
        def before():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))

        self.run_to_its_end(folder, found, self.short(), before=before, may_lack=True)

    def read_only_folder(self, folder, found):
        def before():
            # Root may write anywhere, unless it lacks this capability.
            cap_dac_override, pr_capbset_drop = 1, 24
            if os.geteuid() == 0:
                ctypes.CDLL(None).prctl(pr_capbset_drop, cap_dac_override, 0, 0, 0)

        self.run_to_its_end(folder, found, self.short(), before=before, meanwhile=lambda where: self.where_traces_are(where).chmod(0o555), may_lack=True)
        self.where_traces_are(folder).chmod(0o755)

    def where_traces_are(self, folder):
        return self.output(folder) if self.options.captures else folder

    def removed(self, folder, found):
        self.run_to_its_end(folder, found, self.short(), meanwhile=self.remove_traces)

    def remove_traces(self, folder):
        for trace in self.traces(folder):
            trace.unlink(missing_ok=True)

    def forks(self, folder, found):
        loop = f'i=0; while [ $i -lt {self.options.forks} ]; do /bin/true; i=$((i+1)); done; exec "$@"'
        self.run_to_its_end(folder, found, ["sh", "-c", loop, "sh", *self.short()])

    def little_memory(self, folder, found):
        # CUDA reserves as much address space as the GPUs have memory, so it fails with and without lapscope.
        self.run_to_its_end(folder, found, ["sh", "-c", 'ulimit -v 3000000; exec "$@"', "sh", *self.short()], may_lack=True)

    def few_descriptors(self, folder, found):
        self.run_to_its_end(folder, found, ["sh", "-c", 'ulimit -n 16; exec "$@"', "sh", *self.short()], may_lack=True)

    def no_home(self, folder, found):
        env = {name: value for name, value in os.environ.items() if name not in ("HOME", "XDG_CACHE_HOME")}
        self.run_to_its_end(folder, found, self.short(), env=env)

    def no_temporary_folder(self, folder, found):
        self.run_to_its_end(folder, found, self.short(), env={**os.environ, "TMPDIR": "/nonexistent"})

    def hostile_program(self, folder, found, what):
        if not self.hostile.exists():
            found.skipped = "libhostile.so is not built"
            return
        if what == "chroot" and os.geteuid() != 0:
            found.skipped = "only root may change its root"
            return
        root = folder / "root"
        setting = [f"LD_PRELOAD={self.hostile}", f"HOSTILE={what}", f"HOSTILE_ROOT={root}"]
        root.mkdir()
        # Without its descriptors, CUDA aborts, or reports that the device is busy.
        self.run_to_its_end(folder, found, ["env", *setting, *self.short()], may_lack=True, fails_by_chance=what == "descriptors")

    def situations(self):
        """Returns name -> (function, how often)."""
        kills = self.options.kills
        others = max(1, kills // 20)
        # This takes longest, so it begins first.
        rows = {f"{self.options.forks} forks and execs": (lambda folder, found, rng: self.forks(folder, found), 1)}
        for who in ("program", "recorder", "both"):
            for number in SIGNALS:
                rows[f"{number.name} to {who}"] = (
                    lambda folder, found, rng, who=who, number=number: self.kill(
                        folder, found, who, number, rng.uniform(0, 0.4) if rng.random() < 0.3 else rng.uniform(0.4, 4)
                    ),
                    kills,
                )
        for name, make in {
            "no room on the disk": self.full_disk,
            "folder not to be written any more": self.read_only_folder,
            "trace removed": self.removed,
            "ulimit -v": self.little_memory,
            "ulimit -n 16": self.few_descriptors,
            "no HOME": self.no_home,
            "no temporary folder": self.no_temporary_folder,
        }.items():
            rows[name] = (lambda folder, found, rng, make=make: make(folder, found), others)
        for what, name in {
            "descriptors": "all descriptors closed",
            "malloc": "malloc replaced",
            "seccomp": "seccomp filter",
            "chroot": "another root",
            "threads": "10,000 threads",
        }.items():
            rows[name] = (lambda folder, found, rng, what=what: self.hostile_program(folder, found, what), others)
        return rows


def print_table(rows, wanted, runs):
    print(f"{'situation':<36}{'made':>6}{'traces':>8}{'none':>6}{'readable':>10}{'median ms':>11}{'most ms':>9}{'wrong':>7}")
    for name in rows:
        mine = [run for run in runs if run.situation == name]
        skipped = next((run.skipped for run in mine if run.skipped), "")
        if skipped:
            print(f"{name:<36}  not run: {skipped}")
            continue
        traces = [run for run in mine if run.has_trace]
        missing = [run.missing_ms for run in traces if run.missing_ms is not None]
        readable = sum(1 for run in traces if not any(text.startswith(("analyze", "integrity")) for text in run.problems))
        print(
            f"{name:<36}{f'{len(mine)}' if len(mine) == wanted[name] else f'{len(mine)}/{wanted[name]}':>6}{len(traces):>8}{len(mine) - len(traces):>6}"
            f"{readable:>10}{statistics.median(missing) if missing else 0:>11.0f}{max(missing, default=0):>9.0f}"
            f"{sum(1 for run in mine if run.problems):>7}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rate", type=float, default=5000)
    parser.add_argument("--flush-ms", type=int, default=200)
    parser.add_argument("--forks", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--fake", action="store_true")
    parser.add_argument("--captures", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--only", default="", help="only situations whose names contain this text")
    options = parser.parse_args()

    workplace = Workplace(options.build.resolve(), options)
    if not options.fake:
        probe = subprocess.run([workplace.program, "--launches", "1"], capture_output=True, text=True, check=False)
        if probe.returncode != 0:
            print(f"lapscope-skip: no usable GPU here: {probe.stderr.strip()}")
            return 77
    rows = {name: row for name, row in workplace.situations().items() if options.only in name}
    wanted = {name: times for name, (_, times) in rows.items()}
    # Sorts take turns, so that the table has some runs of each even if time is short.
    todo = [(name, turn) for turn in range(max(wanted.values())) for name in rows if turn < wanted[name]]
    runs, lock, is_over = [], threading.Lock(), threading.Event()

    def make(name, turn):
        if is_over.is_set():
            return
        found = Found(name)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="lapscope-torture-", dir=options.folder))
        begun = time.monotonic()
        try:
            rows[name][0](folder, found, random.Random(f"{options.seed} {name} {turn}"))
        except (OSError, subprocess.SubprocessError) as error:
            found.problems.append(f"{type(error).__name__}: {error}")
        found.seconds = time.monotonic() - begun
        if options.keep and found.problems:
            try:
                shutil.copytree(folder, options.keep / folder.name, symlinks=True, ignore=shutil.ignore_patterns(".lapscope", "root"))
            except OSError as error:
                found.problems.append(f"not kept: {error}")
        shutil.rmtree(folder, ignore_errors=True)
        with lock:
            if is_over.is_set():  # the main thread has ended it
                return
            runs.append(found)
            for problem in found.problems:
                print(f"{name}: {problem}", flush=True)

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    pool = concurrent.futures.ThreadPoolExecutor(options.jobs)
    try:
        concurrent.futures.wait([pool.submit(make, *one) for one in todo], options.seconds)
    except KeyboardInterrupt:
        pass
    with lock:
        is_over.set()
    pool.shutdown(wait=False, cancel_futures=True)
    workplace.end_all()
    pool.shutdown()
    if options.json:
        options.json.write_text(json.dumps([dataclasses.asdict(run) for run in runs], indent=1))
    print_table(rows, wanted, runs)
    bad = sum(1 for run in runs if run.problems) + workplace.failed_ctl
    if options.captures:
        print(f"{sum(run.captures for run in runs)} captures, in {sum(run.same_ids for run in runs)} of them calls of one thread have one id; "
              f"{workplace.failed_ctl} of `ctl` did not end as it should")
    print(f"{len(runs)} runs, {sum(1 for run in runs if run.situation.startswith('SIG'))} of them kills, {bad} with something wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
