#!/usr/bin/env python3
"""Records pairs of programs, broken and fixed, and measures them without a recorder, on a machine with a GPU.

record_pairs.py LAPSCOPE BUILD_DIR OUT [--only NAME...] [--gpus N] [--seconds N] [--managed]

LAPSCOPE is the program, in a folder bin beside lib. BUILD_DIR has workloads/stream_suite, workloads/side_by_side and
the programs of pair_programs.py in tests/gpu/programs. They are copied to /opt/lapscope (--prefix) and run there, so
that no path of this machine gets into a trace. NAME is a pair or one of these groups, which are recorded in this order:

  side-by-side   equal kernels in separate streams against one alone, and beside copies
  causes         the programs of tests/gpu/programs/cause_pairs.cu
  threads        those of tests/gpu/programs/thread_pairs.cu
  inputs         those of tests/gpu/programs/input_pairs.cu
  outputs        those of tests/gpu/programs/output_pairs.cu
  last-waves     those of tests/gpu/programs/last_waves.cu
  suite          cases of stream_suite with realistic kernels
  independent    those of tests/gpu/programs/independent, and some of tests/gpu/programs/pairs. Their author did not
                 know how lapscope works. No variant of a control has a mistake
  frameworks     the other programs of tests/gpu/programs/pairs

Each pair has the bare walls of 9 runs: 3 processes of each variant, which take turns, each with 3 runs after a warm-up.
Then each variant is recorded once. OUT gets the traces and pairs.json, which is written after every pair. Failures are
in pairs.json and on stderr, and the rest goes on. After --seconds, nothing new begins. A later call for other pairs
adds to OUT. Managed memory needs --managed, because some shared machines do not allow it.

Exit status: 0 if all was recorded, 1 if not, 77 without a GPU.
"""
import argparse
import contextlib
import json
import os
import pathlib
import queue
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time

from pair_programs import BOUNDS, FRAMEWORKS, INDEPENDENT_FRAMEWORKS, PROGRAMS, SUITE, name_of

HERE = pathlib.Path(__file__).resolve().parent
VARIANTS = ("broken", "fixed")
PROCESSES = 3
REPEATS = 3
LIMIT_S = 120
MOST_BYTES = 1_000_000
SMALL_PAGE = 512


def say(text):
    print(f"record_pairs: {time.monotonic() - STARTED:6.1f} s  {text}", file=sys.stderr, flush=True)


STARTED = time.monotonic()


class Failed(Exception):
    """Something went wrong. The message is a sentence."""


class Program:
    """A process whose output is read line by line as it comes."""

    def __init__(self, command, folder, waits=False):
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "NCCL_NVLS_ENABLE": "0"}
        environment["WAIT_FOR_TURN"] = "1" if waits else ""
        self.command = [str(part) for part in command]
        self.lines = []
        self.errors = []
        self._new = queue.Queue()
        self._process = subprocess.Popen(self.command, cwd=folder, env=environment, stdin=subprocess.PIPE, text=True,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        self._readers = [threading.Thread(target=self._read, args=(self._process.stdout, True), daemon=True),
                         threading.Thread(target=self._read, args=(self._process.stderr, False), daemon=True)]
        for reader in self._readers:
            reader.start()

    def _read(self, stream, is_output):
        for line in stream:
            (self.lines if is_output else self.errors).append(line.rstrip("\n"))
            if is_output:
                self._new.put(line)
        if is_output:
            self._new.put(None)

    def wait_until_ready(self, limit_s=LIMIT_S):
        """Waits until the program is ready or has ended, up to the limit. `finish` then says what is wrong."""
        end = time.monotonic() + limit_s
        with contextlib.suppress(queue.Empty):
            while (line := self._new.get(timeout=max(0.1, end - time.monotonic()))) is not None:
                if line.strip() == "ready":
                    return

    def finish(self, limit_s=LIMIT_S):
        """Gives the program its turn, and returns its output. Raises Failed."""
        with contextlib.suppress(OSError):
            self._process.stdin.write("\n")
            self._process.stdin.close()
        try:
            status = self._process.wait(limit_s)
        except subprocess.TimeoutExpired:
            self.stop()
            raise Failed(f"{self.text()} did not end within {limit_s} s") from None
        for reader in self._readers:
            reader.join(5)
        if status != 0:
            raise Failed(f"{self.text()} ended with status {status}: {self.last_words()}")
        return "\n".join(self.lines) + "\n"

    def last_words(self):
        return next((line for line in reversed(self.errors + self.lines[-1:]) if line.strip()), "it printed nothing")

    def stop(self):
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def text(self):
        return " ".join(self.command)


def values_of(printed):
    """Returns lines "key: value" as key -> values."""
    values = {}
    for line in printed.splitlines():
        key, colon, value = line.partition(": ")
        if colon:
            values.setdefault(key, []).append(value)
    return values


def walls_of(printed):
    walls = [float(value) for value in values_of(printed).get("wall_ms", [])]
    if not walls:
        raise Failed("a program printed no wall_ms")
    return walls


def shrink(trace):
    """Gives a trace small pages, because it has many tables with few rows. Returns what it says of the machine."""
    if not trace.exists():
        raise Failed(f"{trace.name} was not written")
    try:
        with contextlib.closing(sqlite3.connect(trace)) as database:
            database.execute(f"PRAGMA page_size = {SMALL_PAGE}")
            database.execute("VACUUM")
            capture = dict(database.execute("SELECT * FROM LAPSCOPE_CAPTURE"))
            gpus = [row[0] for row in database.execute("SELECT name FROM TARGET_INFO_GPU")]
    except sqlite3.Error as error:
        raise Failed(f"{trace.name} cannot be read: {error}") from None
    if trace.stat().st_size > MOST_BYTES:
        say(f"{trace.name} has {trace.stat().st_size} bytes; {MOST_BYTES} are wanted at most")
    return {"gpu": gpus[0] if gpus else "n/a", "driver": capture.get("driver-version", "n/a"),
            "date": capture.get("created", "n/a")[:10], "lapscope": capture.get("tool-version", "n/a")}


class Session:
    def __init__(self, arguments):
        self.arguments = arguments
        self.out = arguments.out.resolve()
        self.prefix = arguments.prefix
        self.file = self.out / "pairs.json"
        self.pairs = []
        self.failed = False
        self.machine = {}
        if self.file.exists():
            kept = json.loads(self.file.read_text())
            self.pairs, self.machine = kept["pairs"], kept["machine"]

    def may_begin(self, what):
        if time.monotonic() - STARTED < self.arguments.seconds:
            return True
        say(f"{what}: no time is left for it")
        self.failed = True
        return False

    def start(self, command, waits=False):
        return Program(command, self.prefix, waits)

    def run(self, command):
        return self.start(command).finish()

    def run_many(self, command, sign):
        """Runs a program with many kernels. One kernel can fail while others print their lines, which contain the
        sign."""
        process = self.start(command)
        try:
            return process.finish()
        except Failed as problem:
            if not any(sign in line for line in process.lines):
                raise
            say(str(problem))
            return "\n".join(process.lines) + "\n"

    def recording(self, trace, command):
        return ["bin/lapscope", "record", "-o", self.out / trace, "--", *command]

    def record(self, trace, command):
        printed = self.run(self.recording(trace, command))
        self.machine = shrink(self.out / trace)
        return printed

    def keep(self, pairs):
        names = {pair["name"] for pair in pairs}
        self.pairs = [pair for pair in self.pairs if pair["name"] not in names] + pairs
        for pair in pairs:
            if pair.get("failed"):
                self.failed = True
                say(f"{pair['name']}: {pair['failed']}")
        text = json.dumps({"schema": "lapscope-pairs/1", "machine": self.machine, "pairs": self.pairs}, indent=1)
        part = self.file.with_suffix(".part")
        part.write_text(text + "\n")
        part.replace(self.file)


def pair_of(name, kind, cause, scope="measured", **more):
    """Makes an entry of pairs.json. `wall_ms` has a list for each process."""
    variants = {variant: {"trace": None, "wall_ms": [], "recorded_wall_ms": []} for variant in VARIANTS}
    return {"name": name, "kind": kind, "cause": cause, "range": scope, **more, "variants": variants, "failed": ""}


# Programs that print wall_ms.


def commands_of(command, variant, repeats):
    return [*command, variant, str(repeats)]


def record_programs(session, program, kind, name, cause):
    pair = pair_of(name, kind, cause)
    try:
        for _ in range(PROCESSES):
            for variant in VARIANTS:
                command = commands_of([f"programs/{program}", name], variant, REPEATS)
                pair["variants"][variant]["wall_ms"].append(walls_of(session.run(command)))
        for variant, half in pair["variants"].items():
            trace = f"{name}-{variant}.sqlite"
            command = commands_of([f"programs/{program}", name], variant, 1)
            half["recorded_wall_ms"] = walls_of(session.record(trace, command))
            half["trace"] = trace
    except Failed as problem:
        pair["failed"] = str(problem)
    session.keep([pair])


def record_frameworks(session, kind, programs):
    """Starts all processes, which import at the same time for several seconds. Then each uses the GPU alone, in
    turn."""
    ready = []
    for program, framework, cause, _ in programs:
        name = name_of(program)
        pair = pair_of(name, kind, cause, framework=framework)
        file, *options = program.split()
        command = [session.arguments.python, f"programs/pairs/{file}.py", *options]
        fix = {"broken": [], "fixed": ["--fixed"]}
        turns = []
        for _ in range(PROCESSES):
            for variant in VARIANTS:
                turns.append((variant, None, [*command, *fix[variant], "--repeats", str(REPEATS)]))
        for variant in VARIANTS:
            trace = f"{name}-{variant}.%r.sqlite" if program.split()[0] == "ddp" else f"{name}-{variant}.sqlite"
            turns.append((variant, trace, session.recording(trace, [*command, *fix[variant]])))
        ready.append((pair, [(variant, trace, session.start(line, waits=True)) for variant, trace, line in turns]))
    for _, turns in ready:
        for _, _, process in turns:
            process.wait_until_ready()
    say(f"{', '.join(pair['name'] for pair, _ in ready)}: imported")
    for pair, turns in ready:
        for variant, trace, process in turns:
            if pair["failed"] and not pair["variants"]["broken"]["wall_ms"]:
                process.stop()  # not even the first run worked
                continue
            half = pair["variants"][variant]
            try:
                walls = walls_of(process.finish())
                if trace:
                    half["trace"] = trace.replace("%r", "0")
                    session.machine = shrink(session.out / half["trace"])
                    half["recorded_wall_ms"] = walls
                else:
                    half["wall_ms"].append(walls)
            except Failed as problem:
                pair["failed"] = str(problem)
        session.keep([pair])
        say(f"{pair['name']}: {summary(pair)}")


# Cases of the suite, with many kernels in one process: each kernel, share and bound is a pair.


def suite_command(case, variant, share, bounds, repeats):
    return ["workloads/stream_suite", case, "--variant", variant, "--kernel", "each", "--share", share,
            "--bound", ",".join(bounds), "--repeats", str(repeats)]


def record_suite(session, case, fix, share, cause):
    names = {"broken": "broken", "fixed": fix}
    pairs = {}
    works = pathlib.Path("works") / f"{case}.txt"

    def take(printed, variant, trace=None):
        for key, values in values_of(printed).items():
            choice, _, what = key.rpartition("_wall")
            if what == "_ms":
                pair = pairs.setdefault(choice, pair_of(f"{case}-{choice}", "suite", cause, f"{case} {choice}"))
                half = pair["variants"][variant]
                walls = [float(value) for value in values[0].split()]
                if trace:
                    half["trace"], half["recorded_wall_ms"] = trace, walls
                else:
                    half["wall_ms"].append(walls[1:])  # the first run is a warm-up
            elif key.endswith("_failed") or key.endswith("_skipped"):
                name = key.rpartition("_")[0]
                pair = pairs.setdefault(name, pair_of(f"{case}-{name}", "suite", cause, f"{case} {name}"))
                pair["failed"] = values[0]

    def run(command, variant, trace=None):
        printed = session.run_many(session.recording(trace, command) if trace else command, "_wall_ms: ")
        if trace:
            session.machine = shrink(session.out / trace)
        take(printed, variant, trace)
        return printed

    problem_of_all = ""
    try:
        for turn in range(PROCESSES):
            for variant in VARIANTS:
                command = suite_command(case, names[variant], share, BOUNDS, REPEATS + 1)
                if turn == 0 and variant == "broken":
                    # The first process decides how much work each kernel does. All others do the same.
                    (session.prefix / works).write_text(run(command, variant) + "\n")
                else:
                    run([*command, "--works", works], variant)
        for bound in BOUNDS:
            for variant in VARIANTS:
                command = [*suite_command(case, names[variant], share, [bound], 1), "--works", works]
                run(command, variant, f"{case}-{bound}-{variant}.sqlite")
    except Failed as problem:
        problem_of_all = str(problem)
        if not pairs:
            pairs[""] = pair_of(f"{case}-kernels", "suite", cause)
    for pair in pairs.values():
        complete = all(half["trace"] and len(half["wall_ms"]) == PROCESSES for half in pair["variants"].values())
        if not complete and not pair["failed"]:
            pair["failed"] = problem_of_all or "not all of its runs could be made"
    session.keep(list(pairs.values()))


# Kernels side by side. Broken: one after the other ("apart"). Fixed: "together".


def record_side_by_side(session):
    program = ["workloads/side_by_side", "--format", "json"]
    works = pathlib.Path("works") / "side-by-side.json"
    forms = {"broken": "apart", "fixed": "together"}
    traces = {"broken": "side-by-side-apart.sqlite", "fixed": "side-by-side-together.sqlite"}
    seen = "side-by-side-apart-seen.sqlite"
    pairs = {}

    def take(printed, variant, recorded=False):
        for row in json.loads(printed)["kernels"]:
            if row["failed"]:
                pairs[row["name"]] = pair_of(f"side-by-side-{row['name']}", "side-by-side", "host-sync")
                pairs[row["name"]]["failed"] = row["failed"]
                continue
            lists = {f"x{count}": us for count, us in row["us"].items() if count != "1"}
            lists["copies"] = row["beside_copies_us"]
            for what, us in lists.items():
                name = f"{row['name']} {what}"
                pair = pairs.setdefault(name, pair_of(f"side-by-side-{name.replace(' ', '-')}", "side-by-side", "host-sync",
                                                      name, seen_trace=seen))
                half = pair["variants"][variant]
                walls = [round(each / 1e3, 4) for each in us]
                if recorded:
                    half["trace"], half["recorded_wall_ms"] = traces[variant], walls
                else:
                    half["wall_ms"].append(walls)

    problem_of_all = ""
    try:
        for turn in range(PROCESSES):
            command = [*program, "--repeats", REPEATS]
            table = session.run_many(command if turn == 0 else [*command, "--works", works], '"kernels"')
            (session.out / f"side-by-side-table-{turn + 1}.json").write_text(table)
            if turn == 0:
                (session.prefix / works).write_text(table)
        program += ["--works", works]
        for _ in range(PROCESSES):
            for variant, form in forms.items():
                take(session.run_many([*program, "--form", form, "--repeats", REPEATS], '"kernels"'), variant)
        for variant, form in forms.items():
            command = session.recording(traces[variant], [*program, "--form", form, "--repeats", 1])
            take(session.run_many(command, '"kernels"'), variant, recorded=True)
            session.machine = shrink(session.out / traces[variant])
        session.run_many(session.recording(seen, [*program, "--form", "apart", "--seen", "--repeats", 1]), '"kernels"')
        shrink(session.out / seen)
    except (Failed, ValueError, KeyError) as problem:
        problem_of_all = str(problem)
        pairs = pairs or {"": pair_of("side-by-side-kernels", "side-by-side", "host-sync")}
    for pair in pairs.values():
        pair["failed"] = pair["failed"] or problem_of_all
    session.keep(list(pairs.values()))


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


def summary(pair):
    walls = {variant: [wall for process in half["wall_ms"] for wall in process]
             for variant, half in pair["variants"].items()}
    if pair["failed"] or not all(walls.values()):
        return "failed"
    return ", ".join(f"{variant} {median(all_of_it):.3f} ms ({min(all_of_it):.3f} to {max(all_of_it):.3f})"
                     for variant, all_of_it in walls.items())


def copy_programs(arguments):
    prefix = arguments.prefix
    home = arguments.lapscope.resolve().parent.parent
    for part in ("bin", "lib"):
        if (home / part).resolve() != (prefix / part).resolve():
            shutil.rmtree(prefix / part, ignore_errors=True)
            shutil.copytree(home / part, prefix / part)
    for folder in ("workloads", "programs", "works"):
        (prefix / folder).mkdir(parents=True, exist_ok=True)
    for program in ("workloads/stream_suite", "workloads/side_by_side"):
        shutil.copy2(arguments.build / program, prefix / "workloads")
    for _, program, _ in PROGRAMS:
        shutil.copy2(arguments.build / "tests/gpu/programs" / program, prefix / "programs")
    shutil.copytree(HERE / "programs/pairs", prefix / "programs/pairs", dirs_exist_ok=True)


def wanted_in(arguments):
    groups = {"side-by-side": ["side-by-side"], **{group: list(pairs) for group, _, pairs in PROGRAMS}}
    if not arguments.managed:
        groups["causes"].remove("managed-memory")
    groups["independent"] += [name_of(program) for program, *_ in INDEPENDENT_FRAMEWORKS]
    groups["suite"] = [case for case, *_ in SUITE]
    groups["frameworks"] = [name_of(program) for program, _, _, gpus in FRAMEWORKS if gpus <= arguments.gpus]
    every = [name for names in groups.values() for name in names]
    wanted = []
    for name in arguments.only or groups:
        if name not in groups and name not in every:
            sys.exit(f"record_pairs: there is no pair '{name}' here; there are {', '.join([*groups, *every])}")
        wanted += groups.get(name, [name])
    return [name for name in every if name in wanted]


def parsed(argv):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("lapscope", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--gpus", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--managed", action="store_true")
    parser.add_argument("--imports", type=int, default=2, help="pairs of frameworks that import at the same time")
    parser.add_argument("--python", default="python3")
    parser.add_argument("--prefix", type=pathlib.Path, default=pathlib.Path("/opt/lapscope"))
    return parser.parse_args(argv)


def main(argv):
    arguments = parsed(argv)
    wanted = wanted_in(arguments)
    arguments.out.mkdir(parents=True, exist_ok=True)
    copy_programs(arguments)
    session = Session(arguments)
    try:
        session.run(["workloads/side_by_side", "--kernel", "arithmetic", "--share", "all", "--at-once", "1", "--no-copies",
                     "--repeats", "1"])
    except Failed as problem:
        print(f"lapscope-skip: no usable GPU here: {problem}")
        return 77 if "status 77" in str(problem) else 1
    if "side-by-side" in wanted and session.may_begin("side-by-side"):
        record_side_by_side(session)
        say("side-by-side: done")
    for group, program, pairs in PROGRAMS:
        for name, cause in pairs.items():
            if name in wanted and session.may_begin(name):
                record_programs(session, program, group, name, cause)
                say(f"{name}: done")
    for case, fix, share, cause in SUITE:
        if case in wanted and session.may_begin(case):
            record_suite(session, case, fix, share, cause)
            say(f"{case}: done")
    for kind, programs in (("independent", INDEPENDENT_FRAMEWORKS), ("frameworks", FRAMEWORKS)):
        left = [entry for entry in programs if name_of(entry[0]) in wanted]
        for first in range(0, len(left), arguments.imports):
            some = left[first:first + arguments.imports]
            if session.may_begin(", ".join(entry[0] for entry in some)):
                record_frameworks(session, kind, some)
    for pair in session.pairs:
        print(f"{pair['name']}: {pair['failed'] or summary(pair)}")
    return 1 if session.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
