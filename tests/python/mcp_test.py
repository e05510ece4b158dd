#!/usr/bin/env python3
"""Tests of lapscope-mcp with a client of the protocol.

    tests/python/mcp_test.py LAPSCOPE        with the package mcp
"""
import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
COMMAND = os.path.realpath(sys.argv.pop(1))
os.environ.update(LAPSCOPE_COMMAND=COMMAND, XDG_CONFIG_HOME="/none", PYTHONPATH=os.path.join(ROOT, "python"))
sys.path.insert(0, os.environ["PYTHONPATH"])
TRACES = os.path.join(ROOT, "tests/traces")

from mcp.client import Client  # noqa: E402
from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402

import lapscope  # noqa: E402
from lapscope.mcp import query  # noqa: E402
from lapscope.mcp.folders import Refused  # noqa: E402


class Served(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = os.path.realpath(tempfile.mkdtemp())
        cls.allowed = os.path.join(cls.folder, "traces")
        os.makedirs(cls.allowed + "/below")
        for name in ("pipeline-broken", "pipeline-fixed", "frameworks/pageable_batches"):
            shutil.copy(os.path.join(TRACES, name + ".sqlite"), cls.allowed)
        shutil.copy(os.path.join(TRACES, "pipeline-fixed.sqlite"), cls.allowed + "/below/a b?#%.sqlite")
        shutil.copy(os.path.join(TRACES, "pipeline-fixed.sqlite"), cls.folder + "/secret.sqlite")
        os.symlink("../secret.sqlite", cls.allowed + "/link.sqlite")
        os.mkdir(cls.folder + "/traces-not")
        shutil.copy(os.path.join(TRACES, "pipeline-fixed.sqlite"), cls.folder + "/traces-not")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def ask(self, *calls):
        """Returns the answers of one server to (tool, arguments)."""
        async def run():
            server = StdioServerParameters(command=sys.executable, args=["-m", "lapscope.mcp", self.allowed], env=dict(os.environ))
            async with Client(stdio_client(server)) as client:
                self.tools = {tool.name: tool for tool in (await client.list_tools()).tools}
                return [await client.call_tool(name, arguments) for name, arguments in calls]

        return asyncio.run(run())

    def answers(self, *calls):
        results = self.ask(*calls)
        for result in results:
            self.assertFalse(result.is_error, result.content)
        return [result.structured_content for result in results]

    def refusals(self, *calls):
        results = self.ask(*calls)
        for result in results:
            self.assertTrue(result.is_error, result.content)
        return [result.content[0].text for result in results]

    def test_six_tools_that_read_say_what_the_command_does(self):
        doctor, findings, ranged, explained, whatif, diff, rows = self.answers(
            ("doctor", {}), ("findings", {"trace": "pageable_batches.sqlite"}),
            ("findings", {"trace": self.allowed + "/pipeline-broken.sqlite", "range": "tile 1"}),
            ("explain", {"trace": "pageable_batches.sqlite", "code": "pageable-copy"}),
            ("whatif", {"trace": "pageable_batches.sqlite", "fixes": ["pageable-copy"]}),
            ("diff", {"before": "pipeline-broken.sqlite", "after": "below/a b?#%.sqlite"}),
            ("query", {"trace": "below/a b?#%.sqlite", "sql": "SELECT count(*) AS n FROM lapscope_ops WHERE kind = 'kernel'"}))
        self.assertEqual(set(self.tools), {"doctor", "findings", "explain", "whatif", "diff", "query"})
        self.assertTrue(all(tool.annotations.read_only_hint and tool.description for tool in self.tools.values()))

        path = os.path.join(self.allowed, "pageable_batches.sqlite")
        names = {os.path.relpath(path, self.allowed) for path in doctor["traces"]}
        self.assertEqual(names, {"pipeline-broken.sqlite", "pipeline-fixed.sqlite", "pageable_batches.sqlite", "below/a b?#%.sqlite"})
        self.assertEqual(findings, lapscope.analyze(path, brief=True))
        self.assertEqual([scope["kind"] for scope in ranged["scopes"]], ["nvtx"])

        one = explained["explained"][0]
        device = lapscope.analyze(path).devices[0]
        finding = next(f for f in (device.steady or device).findings if f.code == "pageable-copy")
        self.assertEqual((one["explanation"], one["predicted"], one["kind"]), (finding.explanation, finding.predicted, "finding"))
        self.assertEqual(one["scope"], "steady state")
        self.assertIn("pageable_batches.py:16", one["sites"][0]["where"])
        self.assertTrue(any("pageable_batches.py:16" in frame for frame in one["sites"][0]["stack"]))

        predicted = lapscope.whatif(path, "pageable-copy")
        self.assertEqual(whatif["scopes"][0]["predicted"], predicted.scopes[0].predicted)
        compared = lapscope.diff(self.allowed + "/pipeline-broken.sqlite", self.allowed + "/pipeline-fixed.sqlite")
        self.assertEqual(diff["works"][0]["measures"]["overlap_ratio"]["after"], compared.works[0].measures.overlap_ratio.after.median)
        kernels = [op for op in lapscope.read(self.allowed + "/pipeline-fixed.sqlite").ops.rows() if op[2] == "kernel"]
        self.assertEqual((rows["rows"], rows["truncated"]), ([{"n": len(kernels)}], None))
        for answer in (doctor, findings, ranged, explained, whatif, diff, rows):
            self.assertIn("verdict", answer)
            self.assertIn("complete", answer)
        self.assertEqual((explained["verdict"], explained["complete"], rows["verdict"]), ("findings", True, "ok"))

    def test_nothing_outside_the_folders_is_read(self):
        outside = ["../secret.sqlite", self.folder + "/secret.sqlite", "link.sqlite", "/etc/passwd", "below/../../secret.sqlite",
                   self.folder + "/traces-not/pipeline-fixed.sqlite", "/none/there.sqlite"]
        for said in self.refusals(*[("findings", {"trace": path}) for path in outside]):
            self.assertRegex(said, "is not in '.*/traces': only what lies there is read")
        for said in self.refusals(("query", {"trace": "link.sqlite", "sql": "SELECT 1"}),
                                  ("diff", {"before": "pipeline-fixed.sqlite", "after": "../secret.sqlite"}),
                                  ("explain", {"trace": "link.sqlite", "code": "x"}), ("whatif", {"trace": "link.sqlite", "fixes": ["x"]})):
            self.assertIn("only what lies there is read", said)

    def test_an_error_is_a_sentence(self):
        said = self.refusals(
            ("findings", {"trace": "none.sqlite"}), ("findings", {"trace": "below"}), ("findings", {"trace": "--help"}),
            ("explain", {"trace": "pageable_batches.sqlite", "code": "nothing"}),
            ("whatif", {"trace": "pageable_batches.sqlite", "fixes": ["bogus"]}), ("whatif", {"trace": "pageable_batches.sqlite", "fixes": []}),
            ("query", {"trace": "pipeline-fixed.sqlite", "sql": "SELECT * FROM nothing"}),
            ("query", {"trace": "pipeline-fixed.sqlite", "sql": "DROP TABLE StringIds"}))
        for one in said:
            self.assertNotIn("Traceback", one)
            self.assertRegex(one, r"[.?)]$")
        self.assertIn("'none.sqlite' is no file in", said[0])
        self.assertIn("there are: ", said[3])
        self.assertIn("bogus", said[4])
        self.assertIn("Only one SELECT is allowed", said[7])


class Queried(unittest.TestCase):
    TRACE = os.path.join(TRACES, "pipeline-fixed.sqlite")

    def test_rows_are_bounded(self):
        many = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 1000) SELECT x{} FROM n"
        answer = query.select(self.TRACE, many.format(""))
        self.assertEqual((len(answer["rows"]), answer["truncated"]), (200, "more than 200 rows"))
        self.assertEqual(len(query.select(self.TRACE, many.format("") + " LIMIT 200")["rows"]), 200)
        self.assertIsNone(query.select(self.TRACE, many.format("") + " LIMIT 200")["truncated"])
        answer = query.select(self.TRACE, many.format(
            ", hex(zeroblob(5000)) AS a, zeroblob(9) AS b, NULL AS c, hex(zeroblob(200)) AS d, hex(zeroblob(210)) AS e"))
        first = answer["rows"][0]
        self.assertEqual((answer["truncated"], first["b"], first["c"]), ("more than 100000 characters", "<9 bytes>", None))
        self.assertEqual(len(first["a"]), 501)

    def test_nothing_is_written_or_loaded_and_time_is_bounded(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "t.sqlite")
            shutil.copy(self.TRACE, trace)
            with open(trace, "rb") as file:
                before = file.read()
            for sql in ("DELETE FROM StringIds", "ATTACH '/tmp/x.db' AS x", "PRAGMA query_only = 0", "VACUUM INTO 'copy.db'", "BEGIN",
                        "CREATE TEMP TABLE t(x)", "SELECT load_extension('x')", "SELECT 1; DELETE FROM StringIds", "SELECT * FROM pragma_database_list",
                        "INSERT INTO StringIds VALUES (1, 'x') RETURNING id", "", "SELECT", "REINDEX"):
                with self.assertRaises(Refused, msg=sql):
                    query.select(trace, sql)
            began = time.monotonic()
            with self.assertRaisesRegex(Refused, "longer than 0.3 s"):
                query.select(trace, "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n", seconds=0.3)
            self.assertLess(time.monotonic() - began, 5)
            with self.assertRaises(Refused):
                query.select(trace, "SELECT zeroblob(900000000)")
            with open(trace, "rb") as file:
                self.assertEqual(file.read(), before)
            self.assertEqual(os.listdir(folder), ["t.sqlite"])
            with self.assertRaisesRegex(Refused, "is no"):
                query.select(__file__, "SELECT 1 FROM sqlite_schema")

    def test_a_select_reads_what_the_trace_has(self):
        answer = query.select(self.TRACE, "SELECT value FROM StringIds ORDER BY id LIMIT 3")
        with sqlite3.connect(f"file:{self.TRACE}?immutable=1", uri=True) as database:
            self.assertEqual([(row["value"],) for row in answer["rows"]], database.execute("SELECT value FROM StringIds ORDER BY id LIMIT 3").fetchall())


class Started(unittest.TestCase):
    def run_it(self, *words, code="from lapscope.mcp.__main__ import main; sys.exit(main(sys.argv[1:]))"):
        return subprocess.run([sys.executable, "-c", "import sys\n" + code, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)

    def test_without_folders_or_the_package_it_says_what_to_do(self):
        self.assertEqual(self.run_it().returncode, 2)
        self.assertIn("'/none' is no folder", self.run_it("/none").stderr)
        hidden = self.run_it(TRACES, code="sys.modules['mcp'] = None; from lapscope.mcp.__main__ import main; sys.exit(main(sys.argv[1:]))")
        needs = (2, "lapscope-mcp: it needs version 2.3 or a newer 2.x of the package 'mcp': pip install 'lapscope[mcp]'.\n")
        self.assertEqual((hidden.returncode, hidden.stderr), needs)

    def test_another_version_of_the_package_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(folder + "/mcp/server")  # as in mcp 1.x, which has no MCPServer
            for name in ("/mcp/__init__.py", "/mcp/server/__init__.py"):
                open(folder + name, "w").close()
            for code in (f"sys.path.insert(0, {folder!r})", "sys.modules['mcp_types'] = None"):
                done = self.run_it(TRACES, code=code + "; from lapscope.mcp.__main__ import main; sys.exit(main(sys.argv[1:]))")
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("needs version 2.3 or a newer 2.x of the package 'mcp'", done.stderr)
                self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
