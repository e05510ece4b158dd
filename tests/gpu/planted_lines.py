#!/usr/bin/env python3
"""Checks that the first finding of every broken case of stream_suite names the line of the mistake.

planted_lines.py BUILD_DIR [CASE...]          records the broken cases, with call stacks as by default, and checks them
planted_lines.py BUILD_DIR --keep FOLDER      also keeps the traces in FOLDER
planted_lines.py BUILD_DIR --traces FOLDER    checks recorded traces; FOLDER has the catalogue with their lines

A line is named if it is in the call stack of the first call site, in a frame of the program itself. The call site is
that of the first finding or, without findings, of the first question. Prints a row for each case. Says which cases are
left out: those that this machine cannot run, and traces without call stacks. Exit status: 0 if every case has its line,
1 if not, 77 without a GPU or a trace with call stacks.
"""
import argparse
import contextlib
import json
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

NO_MACHINE = 77
ROW = "{:<27}{:<24}{:<7}{}"


def run(command, **options):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120, check=False, **options)


def first_thing(analysis):
    """Returns the first finding, or else the first question, of the scope with the largest saving. None if there is
    neither."""
    scopes = [scope for device in analysis["devices"] for scope in device.get("ranges", [])]
    for kind in ("findings", "questions"):
        first = [scope[kind][0] for scope in scopes if scope[kind]]
        if first:
            return max(first, key=lambda thing: thing["saving_ns"])
    return None


def own_lines(site):
    return [f"{frame['file']}:{frame['line']}" for frame in site["stack"] if frame["owner"] == "program"]


def names_a_line(lines, planted):
    """Returns whether a planted line is among the lines. Files of frames may have more folders in front."""
    return any(f"/{line}".endswith(f"/{wanted}") for line in lines for wanted in planted)


def judge(analysis, planted):
    """Returns whether the line is named, the code, and what to print."""
    thing = first_thing(analysis)
    if thing is None:
        return False, "-", "no finding and no question"
    site = thing["sites"][0]
    shown = site["where"] or f"no line of {site['what']}"
    if names_a_line(own_lines(site), planted):
        return True, thing["code"], shown
    return False, thing["code"], f"{shown}; planted: {', '.join(planted)}; stack: {', '.join(own_lines(site)) or 'none'}"


def has_stacks(trace):
    with contextlib.closing(sqlite3.connect(f"file:{trace}?mode=ro", uri=True)) as database:
        tables = database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'CUDA_CALLCHAINS'").fetchone()[0]
        return tables > 0 and database.execute("SELECT count(*) FROM CUDA_CALLCHAINS").fetchone()[0] > 0


class Rows:
    def __init__(self, lapscope):
        self.lapscope = lapscope
        self.looked_at = 0
        self.good = True
        print(ROW.format("case", "first", "line", "where"))

    def look(self, case, planted, trace):
        analyzed = run([self.lapscope, "analyze", "--range", case, "--format", "json", trace])
        try:
            named, code, words = judge(json.loads(analyzed.stdout), planted)
        except json.JSONDecodeError:
            named, code, words = False, "-", analyzed.stderr.strip()
        self.looked_at += 1
        self.good = self.good and named
        print(ROW.format(case, code, "named" if named else "MISS", words), flush=True)

    def leave_out(self, case, reason):
        print(ROW.format(case, "-", "-", reason), flush=True)

    def failed(self, case, reason):
        self.good = False
        print(ROW.format(case, "-", "MISS", reason), flush=True)

    def status(self, nothing):
        if self.looked_at == 0 and self.good:
            print(f"lapscope-skip: {nothing}")
            return NO_MACHINE
        return 0 if self.good else 1


def broken_cases(suite, wanted):
    cases = json.loads(run([suite, "--list", "--format", "json"]).stdout)["cases"]
    planted = {c["name"]: v["planted"] for c in cases for v in c["variants"] if v["name"] == "broken"}
    unknown = sorted(set(wanted) - set(planted))
    if unknown:
        sys.exit(f"planted_lines.py: there is no broken case {', '.join(unknown)}; stream_suite --list shows all cases")
    return {name: lines for name, lines in planted.items() if not wanted or name in wanted}


def record_and_look(build, wanted, folder):
    suite = build / "workloads/stream_suite"
    cases = broken_cases(suite, wanted)
    probe = run([suite, "control", "--tiles", 4, "--tile-mib", 1])
    if probe.returncode != 0:
        print(f"lapscope-skip: no usable GPU here: {probe.stderr.strip()}")
        return NO_MACHINE
    rows = Rows(build / "bin/lapscope")
    for case, planted in cases.items():
        trace = folder / f"{case}-broken.sqlite"
        trace.unlink(missing_ok=True)
        recorded = run([rows.lapscope, "record", "-o", trace, "--", suite, case, "--variant", "broken"])
        if recorded.returncode == NO_MACHINE:
            rows.leave_out(case, recorded.stderr.strip().splitlines()[0])
        elif recorded.returncode != 0:
            rows.failed(case, recorded.stderr.strip())
        else:
            rows.look(case, planted, trace)
    return rows.status("this machine can run no broken case")


def look_at_traces(build, folder):
    rows = Rows(build / "bin/lapscope")
    for entry in json.loads((folder / "catalogue.json").read_text())["traces"]:
        if entry["variant"] != "broken":
            continue
        trace = folder / entry["trace"]
        if not has_stacks(trace):
            rows.leave_out(entry["case"], "the trace has no call stacks")
        elif not isinstance(entry.get("planted"), list) or not entry["planted"]:
            rows.failed(entry["case"], "the trace has call stacks, and the catalogue does not say the planted line")
        else:
            rows.look(entry["case"], entry["planted"], trace)
    return rows.status(f"no broken case in {folder.name} was recorded with call stacks")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--traces", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_args()
    build = options.build.resolve()
    if options.traces:
        sys.exit(look_at_traces(build, options.traces))
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        sys.exit(record_and_look(build, options.cases, folder))


if __name__ == "__main__":
    main()
