#!/usr/bin/env python3
"""Records small programs with many options. Checks what the traces must contain, and what they must not.

collector_records.py BUILD_DIR [--jobs N] [--only NAME[,NAME...]] [--keep FOLDER] [--json FILE]

Prints the seconds of each on stderr, and a table. Exit status: 0 if every trace is right, 1 if not, 77 without a GPU.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import resource
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

KERNELS = "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"
INDEXED = (("CUPTI_ACTIVITY_KIND_RUNTIME", "correlationId"), ("CUPTI_ACTIVITY_KIND_CUDA_EVENT", "eventSyncId"))
HEALTHY = ("losses", "SELECT coalesce(sum(count), 0) FROM LAPSCOPE_LOSSES", "== 0")


@dataclasses.dataclass
class Case:
    program: str
    options: tuple = ()
    # (what, SQL for a number, a condition on this number)
    checks: tuple = ()
    traces: bool = True  # whether there must be one
    of: str = "activities"  # the executable
    alone: bool = False  # its checks depend on times, so nothing else may run


def range_of(text):
    return f"FROM NVTX_EVENTS e JOIN StringIds s ON s.id = e.textId WHERE s.value = '{text}' AND e.end > e.start"


RECORDS = "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_CUDA_EVENT e"
WAITS = "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION s"


def told_by_callbacks(records, host_waits, queries, stream_waits, without_record, captured=0, put_off=0):
    """Returns checks of the records of events and of waits, made by any number of threads.

    put_off: the number of waits in which a thread may lose its core between two readings of the clock."""
    event, stream_wait, stream, context = range(1, 5)
    of_query = (
        "EXISTS (SELECT 1 FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN StringIds n ON n.id = r.nameId"
        " WHERE r.correlationId = s.correlationId AND n.value GLOB 'cu*Query*')"
    )
    return (
        ("records", RECORDS, f"== {records}"),
        ("of these captured", f"{RECORDS} WHERE eventSyncId = 0", f"== {captured}"),
        ("host waits", f"{WAITS} WHERE syncType IN ({event}, {stream}, {context}) AND NOT {of_query}", f"== {host_waits}"),
        ("queries", f"{WAITS} WHERE syncType IN ({event}, {stream}) AND {of_query}", f"== {queries}"),
        ("waits of streams", f"{WAITS} WHERE syncType = {stream_wait}", f"== {stream_waits}"),
        (
            "waits for what is not recorded",
            f"{WAITS} WHERE syncType IN ({event}, {stream_wait}) AND NOT EXISTS (SELECT 1 FROM"
            " CUPTI_ACTIVITY_KIND_CUDA_EVENT e WHERE e.eventSyncId = s.eventSyncId AND e.eventId = s.eventId AND e.eventSyncId > 0)",
            f"== {without_record}",
        ),
        (
            "rows without their call",
            "SELECT count(*) FROM (SELECT correlationId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION UNION ALL"
            " SELECT correlationId FROM CUPTI_ACTIVITY_KIND_CUDA_EVENT) WHERE correlationId NOT IN"
            " (SELECT correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME)",
            "== 0",
        ),
        (
            "streams that are in no record",
            "SELECT count(*) FROM (SELECT streamId FROM CUPTI_ACTIVITY_KIND_SYNCHRONIZATION WHERE syncType IN (2, 3) UNION ALL"
            " SELECT streamId FROM CUPTI_ACTIVITY_KIND_CUDA_EVENT) WHERE streamId NOT IN (SELECT streamId FROM TARGET_INFO_CUDA_STREAM)",
            "== 0",
        ),
        (
            "waits that last longer than their call, by 0.1 ms",
            f"{WAITS} JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId)"
            " WHERE s.start < r.start - 100000 OR s.end > r.end + 100000",
            f"<= {put_off}",
        ),
        ("waits that end before they start", f"{WAITS} WHERE s.end < s.start", "== 0"),
        (
            "kinds from callbacks",
            "SELECT count(*) FROM LAPSCOPE_RECORDS WHERE name IN ('SYNCHRONIZATION', 'CUDA_EVENT') AND enableResult = 0"
            " AND recordSize IS NULL",
            "== 2",
        ),
        HEALTHY,
    )


CASES = {
    "events and waits": Case("calls", of="events", checks=told_by_callbacks(4, 4, 3, 4, 1)),
    "events and waits, captured": Case(
        "captured-calls", of="events", checks=told_by_callbacks(3, 1, 0, 3, 2, captured=2)
    ),
    "events and waits of the driver": Case("driver-calls", of="events", checks=told_by_callbacks(1, 3, 2, 1, 0)),
    "events and waits of 16 threads": Case(
        # On an H100 with 16 cores, a thread lost its core during 12 of these waits.
        "many-threads", of="events", alone=True, checks=told_by_callbacks(80000, 16, 80000, 0, 0, put_off=24)
    ),
    "events and waits, --event-times": Case(
        "calls",
        ("--event-times",),
        of="events",
        checks=(
            ("records", RECORDS, "== 4"),
            ("with a time", f"{RECORDS} WHERE timestamp > 0", "== 4"),
            ("waits and queries", WAITS, "== 11"),
            HEALTHY,
        ),
    ),
    "programmatic dependent launch": Case(
        "dependent-launches",
        ("--launch-attributes",),
        checks=(
            ("kernels", KERNELS, "== 11"),
            ("rows", "SELECT count(*) FROM LAPSCOPE_LAUNCH_ATTRIBUTES WHERE programmaticSerialization = 1", "== 10"),
            ("with priority", "SELECT count(*) FROM LAPSCOPE_LAUNCH_ATTRIBUTES WHERE priority IS NOT NULL", "== 5"),
            (
                "of a kernel, same stream",
                "SELECT count(*) FROM LAPSCOPE_LAUNCH_ATTRIBUTES a JOIN CUPTI_ACTIVITY_KIND_KERNEL k"
                " USING (correlationId) WHERE k.streamId = a.streamId",
                "== 10",
            ),
            (
                "kernels that begin before the one ahead ended",
                "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL a JOIN CUPTI_ACTIVITY_KIND_KERNEL b"
                " ON b.gridId = a.gridId + 1 WHERE b.start < a.end",
                ">= 1",
            ),
        ),
    ),
    "full command buffer": Case(
        "full-command-buffer",
        checks=(
            ("kernels", KERNELS, "== 5001"),
            ("times it was full", "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_OVERHEAD WHERE overheadType = 8", ">= 1"),
            (
                "ms it was full",
                "SELECT coalesce(sum(end - start), 0) / 1000000 FROM CUPTI_ACTIVITY_KIND_OVERHEAD WHERE overheadType = 8",
                ">= 10",
            ),
        ),
    ),
    "copies between GPUs": Case(
        "peer-copies",
        checks=(
            ("copies", "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind = 10", "== 6"),
            ("with both devices", "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE srcDeviceId <> dstDeviceId", "== 6"),
            ("links with a GPU", "SELECT count(*) FROM LAPSCOPE_LINKS WHERE gpuId IS NOT NULL", ">= 1"),
        ),
    ),
    "ranges opened before CUDA": Case(
        "early-ranges",
        checks=(
            ("whole program", f"SELECT count(*) {range_of('whole program')} AND e.eventType = 59", "== 1"),
            ("started, ended by another thread", f"SELECT count(*) {range_of('started early')} AND e.eventType = 60", "== 1"),
            ("inner early", f"SELECT count(*) {range_of('inner early')}", "== 1"),
            ("inner late", f"SELECT count(*) {range_of('inner late')}", "== 1"),
            (
                "of a domain",
                f"SELECT count(*) {range_of('of a domain')} AND e.domainId = "
                "(SELECT domainId FROM NVTX_EVENTS WHERE eventType = 75 AND text = 'early domain')",
                "== 1",
            ),
            ("closed before CUDA", f"SELECT count(*) {range_of('closed before CUDA')}", "== 0"),
            (
                "kernels issued in 'inner early'",
                "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME r, StringIds n WHERE n.id = r.nameId AND n.value LIKE"
                f" 'cudaLaunchKernel%' AND EXISTS (SELECT 1 {range_of('inner early')} AND e.start <= r.start"
                " AND r.end <= e.end AND e.globalTid = r.globalTid)",
                "== 4",
            ),
            ("least time", "SELECT min(start) FROM NVTX_EVENTS", ">= 0"),
            HEALTHY,
        ),
    ),
    "captured NVTX range opened before CUDA": Case(
        "early-ranges",
        ("--capture-range=nvtx:inner early",),
        checks=(("kernels", KERNELS, "== 4"), HEALTHY),
    ),
    "NVTX without CUDA": Case("nvtx-without-cuda", traces=False),
    "all of it": Case("brackets", checks=(("kernels", KERNELS, "== 60"), HEALTHY)),
    "--capture-range=cudaProfilerApi": Case(
        "brackets", ("--capture-range=cudaProfilerApi",), checks=(("kernels", KERNELS, "== 20"), HEALTHY)
    ),
    "--capture-range=nvtx:chosen": Case(
        "brackets", ("--capture-range=nvtx:chosen",), checks=(("kernels", KERNELS, "== 20"), HEALTHY)
    ),
    "--capture-range=nvtx:never": Case(
        "brackets",
        ("--capture-range=nvtx:never",),
        checks=(("intervals", "SELECT count(*) FROM LAPSCOPE_STRETCHES", "== 0"),),
    ),
    "--delay 1": Case("steady", ("--delay", "1"), alone=True, checks=(("kernels", KERNELS, "in range(100, 320)"), HEALTHY)),
    # The start of CUDA counts, too: half a second on a machine with two GPUs.
    "--duration 1": Case("steady", ("--duration", "1"), alone=True, checks=(("kernels", KERNELS, "in range(30, 220)"), HEALTHY)),
    "--delay 0.5 --duration 0.5": Case(
        "steady",
        ("--delay", "0.5", "--duration", "0.5"),
        alone=True,
        checks=(("kernels", KERNELS, "in range(50, 110)"), HEALTHY),
    ),
    "--max-size": Case(
        "busy",
        ("--max-size", "800000"),  # at 500,000, an H200 recorded 3 kernels: tables without them take that much
        checks=(
            ("kernels", KERNELS, "in range(1, 3999)"),
            ("ended by its size", "SELECT count(*) FROM LAPSCOPE_STRETCHES WHERE endedBy = 'size of the trace'", "== 1"),
        ),
    ),
    "--graph-level": Case(
        "graph",
        ("--graph-level",),
        checks=(
            ("graphs", "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "== 5"),
            ("launches", "SELECT count(*) FROM LAPSCOPE_GRAPH_LAUNCHES", "== 5"),
            HEALTHY,
        ),
    ),
    "graph, node by node": Case(
        "graph",
        checks=(
            ("kernels", KERNELS, "== 40"),
            ("with a node", "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE graphNodeId IS NOT NULL", "== 40"),
            HEALTHY,
        ),
    ),
    "--latency": Case(
        "brackets",
        ("--latency",),
        checks=(
            ("kernels", KERNELS, "== 60"),
            (
                "queued, submitted, started in this order",
                f"{KERNELS} WHERE queued > 0 AND queued <= submitted AND submitted <= start",
                "== 60",
            ),
            HEALTHY,
        ),
    ),
    "--unified-memory": Case(
        "managed",
        ("--unified-memory",),
        checks=(
            ("migrations", "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind IN (11, 12, 13)", ">= 1"),
            ("faults", "SELECT count(*) FROM CUDA_UM_GPU_PAGE_FAULT_EVENTS", ">= 1"),
            HEALTHY,
        ),
    ),
    "--light": Case(
        "brackets",
        ("--light",),
        checks=(
            ("kernels", KERNELS, "== 60"),
            (
                "kernels without their call",
                "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE correlationId NOT IN"
                " (SELECT correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME)",
                "== 0",
            ),
            (
                "calls that issue nothing",
                "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN StringIds s ON s.id = r.nameId"
                " WHERE s.value NOT GLOB 'cu*Launch*' AND s.value NOT GLOB 'cu*Mem[cs]*' AND s.value NOT GLOB 'cu*Profiler*'",
                "== 0",
            ),
            HEALTHY,
        ),
    ),
    "--all-calls": Case(
        "brackets",
        ("--all-calls",),
        checks=(
            ("kernels", KERNELS, "== 60"),
            (
                "quiet calls",
                "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN StringIds s ON s.id = r.nameId"
                " WHERE s.value GLOB 'cudaGet*' OR s.value GLOB 'cuDeviceGet*'",
                ">= 1",
            ),
            HEALTHY,
        ),
    ),
    "--no-… (all)": Case(
        "brackets",
        (
            "--no-driver-calls --no-nvtx --no-synchronization --no-events --no-overhead "
            "--no-callbacks --no-links"
        ).split(),
        checks=(("kernels", KERNELS, "== 60"), HEALTHY),
    ),
}


def number(database, sql):
    try:
        return database.execute(sql).fetchone()[0]
    except sqlite3.OperationalError as error:
        # An empty table is not in the trace.
        return 0 if "no such table" in str(error) else f"{error}"


def look(trace, case):
    """Returns [(what, number, whether it satisfies the condition)]."""
    recorded = sqlite3.connect(f"file:{trace}?mode=ro", uri=True)
    database = sqlite3.connect(":memory:")
    recorded.backup(database)
    recorded.close()
    # Without these indexes, comparing 80,000 waits with as many calls takes minutes.
    for table, column in INDEXED:
        if database.execute("SELECT count(*) FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]:
            database.execute(f"CREATE INDEX {table}_{column} ON {table} ({column})")
    found = []
    for what, sql, condition in case.checks:
        value = number(database, sql)
        # eval() is safe: the conditions are in this file.
        found.append((what, value, isinstance(value, int) and bool(eval(f"{value} {condition}"))))
    verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
    found.append(("integrity", verdict, verdict == "ok"))
    database.close()
    return found


def run(build, name, case, folder):
    program = [str(build / "tests/gpu/programs" / case.of), case.program]
    environment = dict(os.environ)
    bare = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    if bare.returncode == 77:
        return {"name": name, "skipped": bare.stdout.strip()}
    trace = folder / f"{name.replace(' ', '_').replace('/', '_')}.sqlite"
    record = [str(build / "bin/lapscope"), "record", "--no-calibrate", "-o", str(trace), *case.options, "--"]
    recorded = subprocess.run(record + program, capture_output=True, text=True, timeout=60, check=False, env=environment)
    found = {
        "name": name,
        "status": [bare.returncode, recorded.returncode],
        "same_output": bare.stdout == recorded.stdout,
        "output": recorded.stdout,
        "said": recorded.stderr.strip().splitlines()[-1:],
        "found": [],
    }
    if trace.exists() != case.traces:
        found["found"].append(("trace", trace.exists(), False))
    if trace.exists():
        found["found"] += look(trace, case)
        analysis = subprocess.run(
            [str(build / "bin/lapscope"), "analyze", "--format", "json", str(trace)], capture_output=True, text=True, check=False, timeout=60
        )
        try:
            health = json.loads(analysis.stdout)
            health = health[0] if isinstance(health, list) else health
            found["health"] = [f"{row['severity']} {row['code']} {row['count']}" for row in health["trace"]["health"]]
        except (ValueError, KeyError):
            found["health"] = [f"analyze: {analysis.returncode} {analysis.stderr.strip()[-200:]}"]
    return found


def is_good(one):
    return "skipped" in one or (
        one["status"][0] == one["status"][1] == 0 and one["same_output"] and all(good for _, _, good in one["found"])
    )


# ---- core dumps


def signal_of_core(path):
    """Returns the signal in the NT_SIGINFO note of a core file (64-bit little endian), and the file's size."""
    with open(path, "rb") as core:
        header = core.read(64)
        (offset,) = struct.unpack_from("<Q", header, 32)
        (count,) = struct.unpack_from("<H", header, 56)
        for index in range(count):
            core.seek(offset + index * 56)
            kind, _, begin, _, _, size = struct.unpack("<IIQQQQ", core.read(40))
            if kind != 4:  # PT_NOTE
                continue
            core.seek(begin)
            notes = core.read(size)
            at = 0
            while at + 12 <= len(notes):
                name, length, note = struct.unpack_from("<III", notes, at)
                at += 12 + (name + 3) // 4 * 4
                if note == 0x53494749:  # NT_SIGINFO
                    return struct.unpack_from("<i", notes, at)[0], path.stat().st_size
                at += (length + 3) // 4 * 4
    return None, path.stat().st_size


def core_of(command, folder):
    folder.mkdir()

    # A complete core file of a CUDA process has gigabytes. Its notes come first.
    def dumps_core():
        resource.setrlimit(resource.RLIMIT_CORE, (32 << 20, 32 << 20))

    child = subprocess.run(command, cwd=folder, preexec_fn=dumps_core, capture_output=True, text=True, timeout=120, check=False)
    cores = sorted(folder.glob("core*"))
    return child.returncode, [signal_of_core(core) for core in cores]


def compare_cores(build, folder):
    """Returns a line for each way to die, and whether all are alike."""
    pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip()
    if pattern.startswith("|") or "/" in pattern:
        return [f"core dumps go to '{pattern}' here: not compared"], True
    lines = []
    good = True
    for ending in ("segfault", "abort"):
        program = [str(build / "tests/gpu/programs/endings_static"), ending, "100"]
        bare = core_of(program, folder / f"bare-{ending}")
        record = [str(build / "bin/lapscope"), "record", "--no-calibrate", "-o", "t.sqlite", "--"]
        recorded = core_of(record + program, folder / f"recorded-{ending}")
        same = [number for number, _ in bare[1]] == [number for number, _ in recorded[1]] and len(bare[1]) == 1
        good = good and same

        def text(cores):
            return ", ".join(f"signal {number}, {size / 1e6:.0f} MB" for number, size in cores) or "none"

        lines.append(f"core of {ending}: without {text(bare[1])}; recorded {text(recorded[1])}{'' if same else '; OTHER'}")
    return lines, good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for the traces")
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    probe = subprocess.run([str(build / "tests/gpu/programs/activities"), "brackets"], capture_output=True, text=True, check=False)
    if probe.returncode != 0:
        print(f"lapscope-skip: no usable GPU here: {probe.stdout.strip()}")
        return 77
    # A program that shares libcupti with the collector must find it by name.
    wanted = [name for name in options.only.split(",") if name] or list(CASES)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lapscope-records-"))

    def found_in(name):
        began = time.monotonic()
        try:
            one = run(build, name, CASES[name], folder)
        except (subprocess.TimeoutExpired, sqlite3.Error) as error:
            one = {"name": name, "status": [0, str(error)], "same_output": False, "found": []}
        print(f"{time.monotonic() - began:5.1f} s  {name}", file=sys.stderr, flush=True)
        return one

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = dict(zip(wanted, pool.map(lambda name: None if CASES[name].alone else found_in(name), wanted)))
    found = [one or found_in(name) for name, one in found.items()]
    print(f"{'recorded':42} {'as it must be':13}  found")
    for one in found:
        if "skipped" in one:
            print(f"{one['name']:42} {'skipped':13}  {one['skipped']}")
            continue
        values = "; ".join(f"{what} {value}{'' if good else ' WRONG'}" for what, value, good in one["found"] if what != "integrity")
        if one["status"] != [0, 0] or not one["same_output"]:
            values += f"; status {one['status']}, output {'same' if one['same_output'] else 'OTHER'}, {one.get('said')}"
        values += f"; health {', '.join(one.get('health', [])) or 'none'}"
        print(f"{one['name']:42} {'yes' if is_good(one) else 'NO':13}  {values}")
    cores_good = True
    if not options.only:
        lines, cores_good = compare_cores(build, folder)
        print("\n".join(lines))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        for trace in folder.glob("*.sqlite"):
            shutil.copy(trace, options.keep)
    shutil.rmtree(folder, ignore_errors=True)
    return 0 if cores_good and all(is_good(one) for one in found) else 1


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
