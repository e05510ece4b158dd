#!/usr/bin/env python3
"""Tests of the Python package with the output of a build's command.

    tests/python/api_test.py LAPSCOPE
"""
import ctypes
import doctest
import json
import os
import pickle
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import warnings

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
COMMAND = os.path.realpath(sys.argv.pop(1))
os.environ["LAPSCOPE_COMMAND"] = COMMAND
os.environ["XDG_CONFIG_HOME"] = "/none"
sys.path.insert(0, os.path.join(ROOT, "python"))
os.chdir(os.path.join(ROOT, "tests/traces"))

import lapscope  # noqa: E402
from lapscope import _arrow  # noqa: E402
from lapscope._results import Table  # noqa: E402

TRACE = "stream_pipeline-default-stream.sqlite"
HOST = "host/lock.sqlite"


def printed(*words):
    return subprocess.run([COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()


class Results(unittest.TestCase):
    def test_ranks_are_one_run_by_rank_and_by_step(self):
        run = lapscope.analyze_ranks("ranks/mesh-host-broken")
        self.assertEqual(run.json, printed("analyze", "--format", "json", "ranks/mesh-host-broken"))
        names = run.by_rank.column_names
        states = slice(names.index("computing_ns"), names.index("idle_ns") + 1)
        rows = run.by_rank.rows()
        self.assertEqual([row[0] for row in rows], ["0", "1", "2", "3"])
        self.assertEqual([sum(row[states]) for row in rows], 4 * [run.window_ns])
        self.assertEqual(sum(row[names.index("on_path_ns")] for row in rows), run.window_ns)
        self.assertEqual(len(run.by_step), 4 * len(run.steps_ns))
        of_summaries = lapscope.analyze_ranks("ranks/four/mesh-host-broken")
        self.assertEqual(of_summaries.by_step.rows(), run.by_step.rows())

    def test_each_function_has_the_text_of_its_command(self):
        self.assertEqual(lapscope.analyze(TRACE).json, printed("analyze", "--format", "json", TRACE))
        self.assertEqual(lapscope.analyze(TRACE, window=(0.5, 9), no_causes=True).json,
                         printed("analyze", "--format", "json", "--window", "0.5", "9", "--no-causes", TRACE))
        self.assertEqual(lapscope.analyze(TRACE, range=["tile 1", "tile 2"]).json,
                         printed("analyze", "--format", "json", "--range", "tile 1", "--range", "tile 2", TRACE))
        self.assertEqual(lapscope.whatif(TRACE, "default-stream-barrier", range="tile *").json,
                         printed("whatif", "--format", "json", "--fix", "default-stream-barrier", "--range", "tile *", TRACE))
        before, after = "pipeline-broken.sqlite", "pipeline-fixed.sqlite"
        self.assertEqual(lapscope.diff(before, after).json, printed("diff", "--format", "json", before, after))
        self.assertEqual(lapscope.gate([before, after], min_overlap=0.5, allow_other_command=True).json,
                         printed("gate", "--format", "json", "--min-overlap", "0.5", "--allow-other-command", before, after))

    def test_results_are_the_json_as_items_and_attributes(self):
        result = lapscope.analyze(TRACE)
        self.assertEqual(result, json.loads(result.json))
        self.assertEqual(result.devices[0].findings[0].code, "default-stream-barrier")
        self.assertEqual(json.loads(json.dumps(result)), result)
        with self.assertRaisesRegex(AttributeError, "'verdikt'.*verdict"):
            result.verdikt

    def test_several_files_are_a_list(self):
        both = lapscope.analyze([TRACE, HOST])
        self.assertEqual([one.trace.file for one in both], [TRACE, HOST])
        self.assertEqual([one.trace.file for one in lapscope.analyze([HOST])], [HOST])

    def test_gates_that_fail_and_runs_that_are_inconclusive_are_results(self):
        self.assertFalse(lapscope.gate("pipeline-broken.sqlite", min_overlap=0.5).passed)
        self.assertTrue(lapscope.gate("pipeline-broken.sqlite", min_overlap=-1).passed)
        open_question = lapscope.gate("pipeline-broken.sqlite", min_overlap=-1, min_ops=1000000)
        self.assertEqual((open_question.passed, open_question.status), (False, 3))

    def test_errors_are_exceptions_with_the_sentence_of_the_command(self):
        with self.assertRaises(lapscope.Unreadable) as missing:
            lapscope.analyze("none.sqlite")
        said = subprocess.run([COMMAND, "analyze", "none.sqlite"], stderr=subprocess.PIPE).stderr.decode()
        self.assertEqual("lapscope: " + str(missing.exception) + "\n", said)
        self.assertEqual(missing.exception.status, 4)
        with self.assertRaisesRegex(lapscope.Usage, "'--bogus' is no option of analyze"):
            lapscope.analyze(TRACE, bogus=1)
        with self.assertRaises(lapscope.Unreadable):
            lapscope.analyze("--help")  # the name of a file, never an option


    def test_an_option_without_its_value_takes_no_file_for_it(self):
        with self.assertRaisesRegex(lapscope.Usage, "--min-overlap: 1 required TEXT missing"):
            lapscope.gate(TRACE, min_overlap=True)
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.relpath(os.path.join(folder, "-x.sqlite"))
            os.symlink(os.path.abspath(TRACE), name)
            here = os.getcwd()
            os.chdir(folder)
            try:
                self.assertEqual(lapscope.analyze("-x.sqlite", no_causes=True).devices[0].ops, 99)
            finally:
                os.chdir(here)

    def test_a_note_names_the_line_of_the_caller(self):
        for call in (f"lapscope.analyze({TRACE!r}, range='none', no_causes=True)",
                     f"lapscope.read({TRACE!r}).analyze(range='none', no_causes=True)"):
            with warnings.catch_warnings(record=True) as notes:
                warnings.simplefilter("always")
                exec(compile(call, "caller.py", "exec"))
            self.assertEqual([note.filename for note in notes], ["caller.py"])

    def test_a_command_that_cannot_be_run_is_an_error_that_says_what_to_do(self):
        os.environ["LAPSCOPE_COMMAND"] = "/none/lapscope"
        try:
            with self.assertRaisesRegex(lapscope.Error, "LAPSCOPE_COMMAND"):
                lapscope.analyze(TRACE)
        finally:
            os.environ["LAPSCOPE_COMMAND"] = COMMAND


class Killed(unittest.TestCase):
    """The command prints a part of its result and is killed, for example for lack of memory."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.environ["LAPSCOPE_COMMAND"] = os.path.join(folder.name, "lapscope")
        self.addCleanup(os.environ.update, LAPSCOPE_COMMAND=COMMAND)

    def play(self, end, part=0.9):
        with open(os.environ["LAPSCOPE_COMMAND"], "w") as file:
            file.write(f"#!/bin/bash\nn=$('{COMMAND}' \"$@\" 2>&1 | wc -c)\n"
                       f"'{COMMAND}' \"$@\" | head -c $((n * {int(part * 100)} / 100))\n{end}\n")
        os.chmod(os.environ["LAPSCOPE_COMMAND"], 0o700)

    def test_a_part_of_a_result_is_an_error(self):
        self.play("kill -9 $$")
        for call in (lambda: lapscope.read(TRACE).ops, lambda: lapscope.analyze(TRACE),
                     lambda: lapscope.gate(TRACE, min_overlap=0.5)):
            with self.assertRaisesRegex(lapscope.Error, "ended by signal 9") as killed:
                call()
            self.assertEqual(killed.exception.status, -9)
        self.play("exit 4")
        with self.assertRaises(lapscope.Unreadable):
            lapscope.read(TRACE).calls

    def test_columns_that_end_early_are_not_read(self):
        self.play("exit 0")
        with self.assertRaisesRegex(lapscope.Error, "ends early"):
            lapscope.read(TRACE).ops


class Tables(unittest.TestCase):
    def test_rows_are_those_of_the_json(self):
        trace = lapscope.read(TRACE)
        scope = lapscope.analyze(TRACE).devices[0].steady
        self.assertEqual([row[trace.findings.column_names.index("saving_ns")] for row in trace.findings.rows()],
                         [finding.saving_ns for finding in scope.findings])
        self.assertEqual(sum(row[trace.gaps.column_names.index("ns")] for row in trace.gaps.rows()),
                         sum(gap.end - gap.start for gap in scope.gaps.top))
        host = lapscope.read(HOST)
        time = host.analyze().devices[0].steady.host_time
        self.assertGreater(time.ns, 0)
        self.assertEqual(sum(row[host.host_time.column_names.index("ns")] for row in host.host_time.rows()), time.ns)

    def test_rows_are_of_the_scope_that_the_verdict_is_about(self):
        broken, devices = "pipeline-broken.sqlite", "multi-gpu-fan-out-broken.sqlite"

        def of(table, *names):
            return [tuple(row[table.column_names.index(name)] for name in names) for row in table.rows()]

        for options, findings in [({}, [("stream-order", "steady state")]), ({"whole": True}, [("host-sync", "whole device")]),
                                  ({"range": "tile 0"}, []), ({"range": "pipeline"}, [("stream-order", "pipeline")]),
                                  ({"profiler_brackets": True}, [("stream-order", "cudaProfilerStart/Stop")])]:
            with self.subTest(options):
                result = lapscope.analyze(broken, **options)
                self.assertEqual(of(result.findings, "code", "scope"), findings)
                self.assertEqual(result.verdict == "findings", bool(findings))
                inside = [scope["window"] for scope in result.devices[0].ranges or [result.devices[0].steady or result.devices[0]]]
                for start, end in of(result.gaps, "start", "end"):
                    self.assertTrue(inside[0].start <= start and end <= inside[0].end)
        several = lapscope.analyze(broken, range=["tile 0", "tile 1"])
        self.assertEqual(sorted({row[0] for row in of(several.gaps, "scope")}), ["tile 0", "tile 1"])
        with self.assertWarns(lapscope.Note):
            absent = lapscope.analyze(broken, range="none")
        self.assertEqual((absent.findings.rows(), absent.gaps.rows()), ([], []))  # not those of the whole process
        both = lapscope.analyze(devices, whole=True)
        self.assertEqual(sorted({row[0] for row in of(both.gaps, "device")}), [device.id for device in both.devices])

    def test_host_time_is_of_the_scope_and_has_the_range_of_its_samples(self):
        name = "ranks/straggler-kernels-broken/0.sqlite"
        parts = lapscope.analyze(name).devices[0].steady.host_time.parts
        table = lapscope.read(name).host_time
        at = table.column_names.index("range_low_ns")
        self.assertEqual([list(row[at : at + 2]) for row in table.rows()], [part.range_ns for part in parts])
        self.assertGreater(len(parts), 0)

    def test_a_column_that_cannot_be_made_is_an_error_and_no_empty_table(self):
        table = Table({"number": "int"}, lambda: [("text",)])
        with self.assertRaises(TypeError):
            table.__arrow_c_stream__()
        self.assertEqual(len(_arrow._kept), 0)

    def test_a_result_without_the_table_says_which_call_has_it(self):
        with self.assertRaisesRegex(lapscope.Usage, "leave out brief"):
            lapscope.analyze(TRACE, brief=True).findings
        with self.assertRaisesRegex(lapscope.Usage, "lapscope.analyze_ranks"):
            lapscope.analyze("ranks/mesh-host-broken")
        with self.assertRaisesRegex(lapscope.Usage, "lapscope.analyze"):
            lapscope.analyze_ranks(TRACE)
        with self.assertRaisesRegex(lapscope.Usage, "printed no JSON"):
            lapscope.analyze(TRACE, help=True)

    def test_ops_and_calls_are_those_of_the_trace(self):
        trace = lapscope.read(TRACE)
        ops = [dict(zip(trace.ops.column_names, row)) for row in trace.ops.rows()]
        calls = [dict(zip(trace.calls.column_names, row)) for row in trace.calls.rows()]
        window = lapscope.analyze(TRACE, whole=True).devices[0]
        self.assertEqual((len(ops), ops[0]["start"], max(op["end"] for op in ops)),
                         (window.ops, window.window.start, window.window.end))
        database = sqlite3.connect("file:" + TRACE + "?immutable=1", uri=True)
        kernels = database.execute(
            "SELECT start, end, deviceId, streamId, value FROM CUPTI_ACTIVITY_KIND_KERNEL JOIN StringIds ON id = shortName")
        self.assertEqual(sorted((op["start"], op["end"], op["device"], op["stream"], op["name"]) for op in ops
                                if op["kind"] == "kernel"), sorted(kernels))
        copies = database.execute("SELECT start, bytes FROM CUPTI_ACTIVITY_KIND_MEMCPY")
        self.assertEqual(sorted((op["start"], op["bytes"]) for op in ops if op["kind"] == "copy"), sorted(copies))
        for op in ops:
            call = calls[op["call"]]
            self.assertLessEqual(call["start"], op["start"])
            self.assertIn(call["kind"], {"kernel": ("launch",), "copy": ("copy-async", "copy-blocking"), "memset": ("memset",)}[op["kind"]])

    def test_a_stream_has_its_schema_one_batch_and_an_end(self):
        table = Table({"number": "int", "text": "text", "share": "float", "is": "bool"},
                      lambda: [(1, "é", None, True), (None, None, 2.5, False)])
        capsule = table.__arrow_c_stream__()
        get = ctypes.pythonapi["PyCapsule_GetPointer"]
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        stream = ctypes.cast(get(capsule, b"arrow_array_stream"), ctypes.POINTER(_arrow._Stream))
        schema, batch = _arrow._Schema(), _arrow._Array()
        for memory in (schema, batch):  # of the consumer, which nobody has cleared
            ctypes.memset(ctypes.byref(memory), 0xAB, ctypes.sizeof(memory))
        self.assertEqual(stream.contents.get_schema(stream, ctypes.byref(schema)), 0)
        children = [schema.children[i].contents for i in range(schema.n_children)]
        self.assertEqual([(c.name, c.format) for c in children],
                         [(b"number", b"l"), (b"text", b"u"), (b"share", b"g"), (b"is", b"b")])
        self.assertEqual(stream.contents.get_next(stream, ctypes.byref(batch)), 0)
        columns = [batch.children[i].contents for i in range(batch.n_children)]
        self.assertEqual([(c.length, c.null_count) for c in columns], [(2, 1), (2, 1), (2, 1), (2, 0)])
        self.assertEqual(ctypes.cast(columns[0].buffers[1], ctypes.POINTER(ctypes.c_int64))[0], 1)
        self.assertEqual(ctypes.string_at(columns[1].buffers[2], 2).decode(), "é")
        self.assertEqual(ctypes.cast(columns[2].buffers[0], ctypes.POINTER(ctypes.c_uint8))[0], 0b10)
        batch.release(ctypes.byref(batch))
        self.assertEqual(stream.contents.get_next(stream, ctypes.byref(batch)), 0)
        self.assertFalse(batch.release)
        schema.release(ctypes.byref(schema))
        del capsule
        self.assertEqual(len(_arrow._kept), 0)

    def test_pyarrow_reads_a_stream(self):
        try:
            import pyarrow
        except ImportError:
            self.skipTest("there is no pyarrow")
        trace = lapscope.read(TRACE)
        table = pyarrow.table(trace.gaps)
        table.validate(full=True)
        self.assertEqual([tuple(row.values()) for row in table.to_pylist()], trace.gaps.rows())
        for rows in (trace.ops, trace.calls, lapscope.read("ranks/straggler-kernels-broken/0.sqlite").host_time):
            table = pyarrow.table(rows)
            table.validate(full=True)
            self.assertEqual([tuple(row.values()) for row in table.to_pylist()], rows.rows())

    def test_notebooks_show_tables_and_the_page(self):
        trace = lapscope.read(TRACE)
        self.assertIn("<th>saving_ns</th>", trace.findings._repr_html_())
        self.assertTrue(trace._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;'))

    def test_a_result_finds_its_trace_from_another_folder_and_by_a_name_that_is_not_utf8(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, os.fsdecode(b"caf\xe9.sqlite"))
            os.symlink(os.path.abspath(TRACE), name)
            relative, odd = lapscope.analyze(TRACE, no_causes=True), lapscope.analyze(name, no_causes=True)
            here = os.getcwd()
            os.chdir(folder)
            try:
                for result in (relative, odd, pickle.loads(pickle.dumps(odd))):
                    self.assertIn("<iframe", result._repr_html_())
            finally:
                os.chdir(here)


class Ranges(unittest.TestCase):
    CODE = """
import sys; sys.path.insert(0, sys.argv[1])
import lapscope
try:
    lapscope.range("step").__enter__()
except (OSError, lapscope.Error) as error:
    print(type(error).__name__, error)
"""

    def enter(self, folder, command):
        return subprocess.run([sys.executable, "-c", self.CODE, os.path.join(ROOT, "python")], cwd="/", text=True, stdout=subprocess.PIPE,
                              env={**os.environ, "LAPSCOPE_COMMAND": command, "PATH": folder + "/bin:/usr/bin"}).stdout

    def test_the_library_is_found_beside_the_command(self):
        for libraries in "lib/lapscope", "lib/x86_64-linux-gnu/lapscope":  # the places of the wheel and of the .deb
            with tempfile.TemporaryDirectory() as folder:
                os.mkdir(folder + "/bin")
                with open(folder + "/bin/lapscope", "w"):
                    os.chmod(folder + "/bin/lapscope", 0o700)
                for command in "lapscope", folder + "/bin/lapscope":
                    said = self.enter(folder, command)
                    self.assertIn("liblapscope_ranges.so", said)
                    self.assertIn(folder + "/lib", said)  # names the folders, without a guess at the reason
                    self.assertNotIn("toolkit", said)
                os.makedirs(os.path.join(folder, libraries))
                with open(os.path.join(folder, libraries, "liblapscope_ranges.so"), "w"):
                    pass
                for command in "lapscope", folder + "/bin/lapscope":
                    self.assertIn("file too short", self.enter(folder, command))  # found, but empty


class Import(unittest.TestCase):
    def test_all_names_leave_the_builtin_range_alone(self):
        names = {}
        exec("from lapscope import *", names)
        self.assertNotIn("range", names)
        self.assertIs(names["analyze"], lapscope.analyze)
        self.assertEqual(lapscope.range.__module__, "lapscope")

    def test_importing_takes_at_most_80_ms_and_nothing_that_is_installed(self):
        code = ("import sys, time; sys.path.insert(0, 'ROOT/python'); known = set(sys.modules); t = time.process_time()\n"
                "import lapscope\nprint(time.process_time() - t)\n"
                "print([m for m in set(sys.modules) - known if 'site-packages' in (getattr(sys.modules[m], '__file__', '') or '')])")
        best = 1.0
        for _ in range(3):
            seconds, foreign = subprocess.run([sys.executable, "-c", code.replace("ROOT", ROOT)], stdout=subprocess.PIPE,
                                              text=True, check=True).stdout.split("\n")[:2]
            self.assertEqual(foreign, "[]")
            best = min(best, float(seconds))
        self.assertLess(best, 0.080)


def load_tests(_, tests, __):
    """Also runs the examples in docs/python.md."""
    tests.addTests(doctest.DocFileSuite(os.path.join(ROOT, "docs/python.md"), module_relative=False, encoding="utf-8"))
    return tests


if __name__ == "__main__":
    unittest.main()
