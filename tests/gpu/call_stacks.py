#!/usr/bin/env python3
"""Checks that findings name the line of the mistake, however a program is built, and in Python.

call_stacks.py BUILD_DIR [NAME...] [--keep FOLDER]     records programs, with call stacks as by default, and checks them
call_stacks.py BUILD_DIR --traces FOLDER               checks recorded PyTorch programs; FOLDER has the catalogue with
                                                       their lines

  static, shared    tests/gpu/programs/lines, -O2 without frame pointers; cudart linked statically, and shared
  stripped          the static one without symbols: module and offset; `lapscope symbolize --symbols` finds the line
  dlopened          the same code in a library that is opened by dlopen
  read_loss, ...    the programs of tests/gpu/programs/pairs in PyTorch: the Python line of the mistake
  backward          PyTorch with emit_nvtx: launches of the backward pass have the line of the forward operator
  backward-bare     PyTorch without emit_nvtx: the line of backward()

Programs run one after the other, because programs on one GPU wait for each other, which no trace shows. Prints a row
for each. Says what is not installed and left out. Exit status: 0 if all are right, 1 if not, 77 without a GPU.
"""
import argparse
import contextlib
import json
import pathlib
import re
import sqlite3
import sys
import tempfile

sys.dont_write_bytecode = True
from planted_lines import NO_MACHINE, names_a_line, own_lines, run  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
LINES = HERE / "programs/lines"
PAIRS = HERE / "programs/pairs"
ROW = "{:<20}{:<7}{}"
# By program: the cause, and a text in the line of the mistake. Host work between two calls has the line of the second
# call.
PYTHON = {
    "read_loss": ("host-sync", "loss.item()"),
    "small_ops": ("launch-overhead", "state.copy_("),
    "independent_graphs": ("stream-order", "graph.replay()"),
    "pageable_batches": ("pageable-copy", 'batches[step % 4].to("cuda"'),
    "no_prefetch": ("stream-order", "batch = batches[step % 4].to("),
    "boolean_masks": ("host-sync", "values[values > 0].sum()"),
    "empty_cache": ("alloc-free", "torch.cuda.empty_cache()"),
    "numpy_in_loop": ("host-compute", 'batch.to("cuda"'),
}
LAUNCHES = "%LaunchKernel%"


class Missing(Exception):
    """This machine lacks something."""


def lines_with(source, text):
    return [f"{source.name}:{i}" for i, line in enumerate(source.read_text().splitlines(), 1) if text in line]


class Session:
    def __init__(self, build, folder):
        self.folder = folder
        self.lapscope = build / "bin/lapscope"
        self.programs = build / "tests/gpu/programs/lines"

    def record(self, name, command):
        trace = self.folder / f"{name}.sqlite"
        trace.unlink(missing_ok=True)
        done = run([self.lapscope, "record", "--no-calibrate", "-o", trace, "--", *command])
        if done.returncode == NO_MACHINE:
            raise Missing((done.stderr.strip().splitlines() or ["exit status 77"])[0])
        if done.returncode != 0:
            raise RuntimeError(f"ended with {done.returncode}: {done.stderr.strip()[-200:]}")
        return trace

    def things(self, trace):
        """Returns findings, then questions, of the range "measured"."""
        analyzed = run([self.lapscope, "analyze", "--range", "measured", "--format", "json", trace])
        if not analyzed.stdout:
            raise RuntimeError(analyzed.stderr.strip())
        scopes = [scope for device in json.loads(analyzed.stdout)["devices"] for scope in device["ranges"]]
        things = [thing for kind in ("findings", "questions") for scope in scopes for thing in scope[kind]]
        if not things:
            raise RuntimeError("no finding and no question")
        return things

    def look(self, trace, planted):
        """Returns whether the first call site of the first finding is at the line, and what to print."""
        thing = self.things(trace)[0]
        site = thing["sites"][0]
        is_named = names_a_line(own_lines(site), planted)
        words = site["where"] or f"no line of {site['what']}"
        return is_named, f"{thing['code']}: {words}" + ("" if is_named else f"; planted: {', '.join(planted)}")

    def built(self, name, *command):
        trace = self.record(name, [self.programs / command[0], *command[1:]])
        return self.look(trace, lines_with(LINES / "tiles.cu", "// planted"))

    def stripped(self):
        trace = self.record("stripped", [self.programs / "tiles_stripped"])
        before = self.things(trace)[0]["sites"][0]["where"]
        named = run([self.lapscope, "symbolize", trace, "--symbols", self.programs / "tiles_static"])
        if named.returncode != 0:
            raise RuntimeError(named.stderr.strip())
        is_named, words = self.look(trace, lines_with(LINES / "tiles.cu", "// planted"))
        has_offset = re.match(r"tiles_stripped\+0x[0-9a-f]+", before) is not None
        return is_named and has_offset, f"{before}; with its symbols {words}"

    def python(self, program):
        cause, text = PYTHON[program]
        source = PAIRS / f"{program}.py"
        trace = self.record(program, [sys.executable, source])
        return self.look_for(cause, lines_with(source, text), trace, may_be_another=True)

    def look_for(self, cause, planted, trace, may_be_another=False):
        things = self.things(trace)
        for thing in things:
            for rank, site in enumerate(thing["sites"], 1):
                if thing["code"] == cause and names_a_line(own_lines(site), planted):
                    return True, f"{cause}, call site {rank}: {site['where']}"
        if cause in [thing["code"] for thing in things] or not may_be_another:
            return False, f"{cause} has no call site at {', '.join(planted)}"
        # On this machine, another cause limits the program. It must also have a line of the program.
        first = things[0]["sites"][0]
        source = planted[0].rpartition(":")[0]
        is_of_program = names_a_line([line.rpartition(":")[0] for line in own_lines(first)], [source])
        return is_of_program, f"no {cause} on this machine; {things[0]['code']}: {first['where']}"

    def backward(self, *option):
        source = HERE / "programs/backward.py"
        trace = self.record("backward" + "-bare" * bool(option), [sys.executable, source, *option])
        forward, backward = lines_with(source, "# forward"), lines_with(source, "# backward")
        sites = [site for thing in self.things(trace) for site in thing["sites"] if names_a_line(own_lines(site), backward)]
        of_forward = [site for site in sites if names_a_line(
            [f"{frame['file']}:{frame['line']}" for frame in site["forward_stack"]], forward)]
        is_right = bool(sites) and len(of_forward) == (0 if option else len(sites))
        words = f", as {sites[0]['where']}" if sites else ""
        return is_right, f"{len(of_forward)} of {len(sites)} call sites of backward() have a forward line{words}"


def counts(trace):
    """Returns the number of launches in a trace, and of those with their own stack."""
    with contextlib.closing(sqlite3.connect(trace)) as database:
        launches, own = database.execute(
            "SELECT count(*), count(callchainId) FROM CUPTI_ACTIVITY_KIND_RUNTIME r JOIN StringIds s ON s.id = r.nameId "
            "WHERE s.value LIKE ?", (LAUNCHES,)).fetchone()
    return f"{own} of {launches} launches have stacks"


def look_at_traces(session, folder):
    entries = json.loads((folder / "catalogue.json").read_text())["traces"]
    is_good = bool(entries)
    print(ROW.format("program", "line", "where"))
    for entry in entries:
        is_named, words = session.look_for(entry["cause"], entry["planted"], folder / entry["trace"])
        is_good = is_good and is_named
        print(ROW.format(entry["program"], "named" if is_named else "MISS", words), flush=True)
    return 0 if is_good else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--traces", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_args()
    build = options.build.resolve()
    if options.traces:
        return look_at_traces(Session(build, options.traces), options.traces)
    probe = run([build / "tests/gpu/programs/lines/tiles_static"])
    if probe.returncode != 0:
        print(f"lapscope-skip: no usable GPU here: {probe.stderr.strip()}")
        return NO_MACHINE
    with tempfile.TemporaryDirectory() as scratch:
        session = Session(build, (options.keep or pathlib.Path(scratch)).resolve())
        session.folder.mkdir(parents=True, exist_ok=True)
        library = session.programs / "libtiles.so"
        looks = {
            "static": lambda: session.built("static", "tiles_static"),
            "shared": lambda: session.built("shared", "tiles_shared"),
            "stripped": session.stripped,
            "dlopened": lambda: session.built("dlopened", "tiles_loader", library),
            **{name: (lambda name=name: session.python(name)) for name in PYTHON},
            "backward": session.backward,
            "backward-bare": lambda: session.backward("--bare"),
        }
        unknown = sorted(set(options.names) - set(looks))
        if unknown:
            sys.exit(f"call_stacks.py: there is no {', '.join(unknown)}; there are {', '.join(looks)}")

        def look(name):
            try:
                return looks[name]()
            except Missing as reason:
                return None, str(reason)
            except (RuntimeError, OSError, ValueError, KeyError, IndexError, sqlite3.Error) as problem:
                return False, f"{type(problem).__name__}: {problem}"

        wanted = options.names or list(looks)
        is_good = True
        print(ROW.format("program", "line", "where"))
        for name in wanted:
            is_named, words = look(name)
            is_good = is_good and is_named is not False
            trace = session.folder / f"{name}.sqlite"
            more = f" ({counts(trace)})" if is_named is not None and trace.exists() else ""
            print(ROW.format(name, {True: "named", False: "MISS", None: "-"}[is_named], words + more), flush=True)
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
