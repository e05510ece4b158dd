#!/usr/bin/env python3
"""Runs programs with and without the collector, and compares their output and how they end.

collector_programs.py BUILD_DIR [--jobs N] [--only NAME[,NAME...]] [--json FILE] [--timeout SECONDS]

Prints a table: how each program ended, whether output, error output and exit status were the same, and what the traces
contain. Exit status: 0 if all programs behaved alike and all traces are right, 1 if not, 77 without a GPU.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = "name IN ('CONCURRENT_KERNEL', 'MEMCPY', 'MEMCPY2', 'MEMSET')"


# Precedes the number of records that the program itself got as a CUPTI client. Only one client is possible at a time.
SEEN = "seen by PyTorch's profiler: "


@dataclasses.dataclass
class Program:
    command: list
    least_ops: int  # in all traces together
    state: str  # of the recording
    options: tuple = ()  # of `record`
    cupti_client: bool = False  # then only what does not come from CUPTI must be the same


def programs(build):
    """Returns name -> Program."""
    folder = build / "tests/gpu/programs"
    work = 1000 + 2  # launches, a memset and a copy
    endings = {
        "plain": (work, "complete"),
        "threads": (9 * work, "complete"),
        "no-synchronize": (2 * work - 1, "complete"),
        "device-reset": (work + 502, "complete"),
        "fork": (work + 3 * 102, "complete"),
        "child-exec": (2 * work, "complete"),
        "exec": (work, "complete"),
        "exit-in-thread": (work, "complete"),
        "_exit": (work, "cut-off"),
        "quick-exit": (work, "complete"),
        "abort": (work, "cut-off"),
        "segfault": (work, "cut-off"),
        "sigterm": (work, "cut-off"),
        "sigkill": (work, "cut-off"),
    }
    found = {}
    for ending, (ops, state) in endings.items():
        found[ending] = Program([str(folder / "endings_static"), ending], ops, state)
    for ending in ("plain", "threads", "fork", "sigkill"):
        found[f"{ending}, shared cudart"] = Program([str(folder / "endings_shared"), ending], *endings[ending])
    if (folder / "driver_api").exists():
        found["driver API"] = Program([str(folder / "driver_api")], work, "complete")
    python = [sys.executable, str(HERE / "programs/frameworks.py")]
    for name, ops, state in (
        ("torch-training", 20 * 10, "complete"),
        ("torch-loader", 32, "complete"),
        ("torch-graphs", 50 * 2, "complete"),
        ("torch-compile", 20 * 5, "complete"),
        ("torch-os-exit", 1, "cut-off"),
        ("cupy", 3, "complete"),
        ("jax", 10, "complete"),
    ):
        found[name] = Program(python + [name], ops, state)
    profiler = python + ["torch-profiler"]
    found["torch-profiler"] = Program(profiler, 300, "complete", cupti_client=True)
    found["torch-profiler, yield"] = Program(profiler, 0, "complete", ("--yield-to-app",), cupti_client=True)
    return found


def run(command, timeout, cache):
    # Compilers print less if they find the results of an earlier run.
    environment = dict(os.environ, TORCHINDUCTOR_CACHE_DIR=f"{cache}/inductor", TRITON_CACHE_DIR=f"{cache}/triton")
    child = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, errors="replace"
    )
    try:
        out, err = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
        return "hung", out, err
    # Converts the status as a shell and `lapscope record` do.
    return child.returncode if child.returncode >= 0 else 128 - child.returncode, out, err


def look_into(trace):
    database = sqlite3.connect(f"file:{trace}?mode=ro", uri=True)
    facts = dict(database.execute("SELECT name, value FROM LAPSCOPE_CAPTURE"))
    tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    content = {"state": facts.get("recording"), "problem": facts.get("problem"), "ops": 0, "losses": {}}
    if "LAPSCOPE_RECORDS" in tables:
        (content["ops"],) = database.execute(
            f"SELECT coalesce(sum(received), 0) FROM LAPSCOPE_RECORDS WHERE {KERNELS}"
        ).fetchone()
    if "LAPSCOPE_LOSSES" in tables:
        content["losses"] = dict(database.execute("SELECT code, count FROM LAPSCOPE_LOSSES"))
    content["integrity"] = database.execute("PRAGMA integrity_check").fetchone()[0]
    database.close()
    return content


def without_seen(text):
    return [line for line in text.splitlines() if not line.startswith(SEEN)]


def seen(text):
    return next((int(line[len(SEEN) :]) for line in text.splitlines() if line.startswith(SEEN)), None)


def compare(lapscope, name, program, timeout):
    command, state = program.command, program.state
    with tempfile.TemporaryDirectory(prefix="lapscope-programs-") as caches, tempfile.TemporaryDirectory(
        prefix="lapscope-programs-"
    ) as folder:
        bare = run(command, timeout, f"{caches}/bare")
        record = [lapscope, "record", *program.options, "-o", f"{folder}/t.sqlite", "--"]
        recorded = run(record + command, timeout, f"{caches}/recorded")
        own = [line for line in recorded[2].splitlines() if line.startswith("lapscope: ")]
        others = [line for line in recorded[2].splitlines() if not line.startswith("lapscope: ")]
        found = {
            "name": name,
            "bare": bare[0],
            "recorded": recorded[0],
            "same_output": without_seen(bare[1]) == without_seen(recorded[1]),
            "same_errors": bare[2].splitlines() == others,
            "output": [bare[1], recorded[1]],
            "errors": [bare[2][-3000:], "\n".join(others)[-3000:]],
            "said": own,
            "seen": [seen(bare[1]), seen(recorded[1])],
            "problems": [],
        }
        if bare[0] == 77:
            return found
        traces = sorted(pathlib.Path(folder).glob("*.sqlite"))
        found["left"] = sorted(path.name for path in pathlib.Path(folder).iterdir())
        problems = found["problems"]
        try:
            found["traces"] = [look_into(trace) for trace in traces]
        except sqlite3.Error as error:
            problems.append(f"trace: {error}")
            return found
        if bare[0] == "hung":
            problems.append("hangs without the collector")
        if bare[0] != recorded[0]:
            problems.append(f"status {recorded[0]} instead of {bare[0]}")
        if not found["same_output"]:
            problems.append("another output")
        if not found["same_errors"] and not program.cupti_client:
            problems.append("other error messages")
        ops = sum(trace["ops"] for trace in found["traces"])
        if ops < program.least_ops:
            problems.append(f"{ops} ops, at least {program.least_ops} expected")
        if "--yield-to-app" in program.options and (found["seen"][0] is None or found["seen"][1] < found["seen"][0]):
            problems.append("CUPTI was not left to the program")
        # exec replaces the process, so its recording is cut off.
        states = {trace["state"] for trace in found["traces"]} - ({"cut-off"} if name == "exec" else set())
        if states and states != {state} or not states:
            problems.append(f"recording {sorted(states, key=str)} instead of {state}")
        for trace in found["traces"]:
            lost = trace["losses"] and not program.cupti_client
            if lost or trace["problem"] or trace["integrity"] != "ok":
                problems.append(f"{trace['losses'] or ''} {trace['problem'] or ''} {trace['integrity']}".strip())
        if len(found["left"]) != len(traces):
            problems.append(f"left behind {found['left']}")
        return found


def print_table(found):
    print(f"{'program':24} {'status':>7} {'recorded':>8} {'output':>7} {'errors':>7} {'traces':>6} {'ops':>8}  {'recording':18} notes")
    for one in found:
        if one["bare"] == 77:
            print(f"{one['name']:24} skipped: {one['errors'][0].strip()[-90:]}")
            continue
        traces = one.get("traces", [])
        notes = list(one["problems"])
        losses = {code: count for trace in traces for code, count in trace["losses"].items()}
        if one["seen"][0] is not None:
            notes.append(f"its profiler saw {one['seen'][1]} of {one['seen'][0]} kernels; losses {losses or 'none'}")
        states = "+".join(sorted({str(trace["state"]) for trace in traces}))
        print(
            f"{one['name']:24} {one['bare']:>7} {one['recorded']:>8} {'same' if one['same_output'] else 'OTHER':>7} "
            f"{'same' if one['same_errors'] else 'OTHER':>7} {len(traces):>6} {sum(t['ops'] for t in traces):>8}  {states:18} "
            f"{'; '.join(notes) or 'none'}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--only", default="")
    parser.add_argument("--timeout", type=float, default=120)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    lapscope = str(build / "bin/lapscope")
    known = programs(build)
    with tempfile.TemporaryDirectory() as cache:
        probe = run(known["plain"].command, options.timeout, cache)
    if probe[1].startswith("CUDA: "):
        print(f"lapscope-skip: no usable GPU here: {probe[1].strip()}")
        return 77
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    wanted = [name for name in options.only.split(",") if name] or list(known)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = list(
            pool.map(lambda name: compare(lapscope, name, known[name], options.timeout), wanted)
        )
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))
    print_table(found)
    return 1 if any(one["problems"] for one in found) else 0


if __name__ == "__main__":
    sys.exit(main())
