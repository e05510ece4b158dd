#!/usr/bin/env python3
"""Runs record_pairs.py with a fake recorder and fake programs, without a GPU.

record_pairs_test.py SOURCE_DIR
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
KINDS = ("gemm", "map")

LAPSCOPE = """
import pathlib, sqlite3, subprocess, sys
assert sys.argv[1:3] == ["record", "-o"] and sys.argv[4] == "--", sys.argv
database = sqlite3.connect(sys.argv[3].replace("%r", "0"))
database.executescript('''CREATE TABLE LAPSCOPE_CAPTURE (key TEXT, value TEXT);
INSERT INTO LAPSCOPE_CAPTURE VALUES ('driver-version', '580'), ('created', '2026-11-23T10:00:00'), ('tool-version', '1');
CREATE TABLE TARGET_INFO_GPU (name TEXT); INSERT INTO TARGET_INFO_GPU VALUES ('stand-in');''')
sys.exit(subprocess.call(sys.argv[5:]))
"""
SUITE = """
import pathlib, sys
case, bounds = sys.argv[1], sys.argv[sys.argv.index("--bound") + 1].split(",")
repeats = int(sys.argv[sys.argv.index("--repeats") + 1])
works = sys.argv[sys.argv.index("--works") + 1] if "--works" in sys.argv else None
assert works is None or "gemm-all-copies_work: 7" in pathlib.Path(works).read_text()
for kind in ("gemm", "map"):
    for bound in bounds:
        name = f"{kind}-all-{bound}"
        if case == "sync-device" and kind == "map":
            print(f"{name}_failed: it went wrong")
            continue
        print(f"{name}_work: 7")
        print(f"{name}_wall_ms: " + " ".join(["9.000"] + ["2.000"] * (repeats - 1)))
if case == "sync-device":
    sys.exit(1)
"""
SIDE = """
import json, sys
form = sys.argv[sys.argv.index("--form") + 1] if "--form" in sys.argv else "table"
repeats = int(sys.argv[sys.argv.index("--repeats") + 1])
us = [400.0 if form == "apart" else 250.0] * repeats
copies = [] if form == "table" else us
print(json.dumps({"kernels": [{"name": "map-all", "work": 3, "us": {"1": us, "2": us}, "copies": [],
    "beside_copies_us": copies, "failed": ""}]}))
"""
CAUSES = """
import sys
assert sys.argv[2] in ("broken", "fixed")
if sys.argv[1] == "lock-around-waits":
    sys.exit("the lock is gone")
for _ in range(int(sys.argv[3])):
    print("wall_ms: 5.0" if sys.argv[2] == "broken" else "wall_ms: 4.0")
"""
# Replaces Python: takes the program and its options.
PYTHON = """
import os, sys
if os.environ["WAIT_FOR_TURN"]:
    print("ready", flush=True)
    sys.stdin.readline()
if "boolean_masks" in sys.argv[1]:
    sys.exit(77)
repeats = int(sys.argv[sys.argv.index("--repeats") + 1]) if "--repeats" in sys.argv else 1
for _ in range(repeats):
    print("wall_ms: 1.5" if "--fixed" in sys.argv else "wall_ms: 3.5")
"""


class RecordPairs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.program("home/bin/lapscope", LAPSCOPE)
        (self.root / "home/lib").mkdir()
        self.program("build/workloads/stream_suite", SUITE)
        self.program("build/workloads/side_by_side", SIDE)
        for pairs in ("cause", "thread", "input", "output", "independent"):
            self.program(f"build/tests/gpu/programs/{pairs}_pairs", CAUSES)
        self.program("build/tests/gpu/programs/last_waves", CAUSES)
        self.program("python", PYTHON)

    def program(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!{sys.executable}\n" + textwrap.dedent(text))
        file.chmod(0o755)

    def record(self, *options):
        done = subprocess.run(
            [sys.executable, SOURCE / "tests/gpu/record_pairs.py", self.root / "home/bin/lapscope", self.root / "build",
             self.root / "out", "--prefix", self.root / "prefix", "--python", self.root / "python", *options],
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}, capture_output=True, text=True, check=False)
        file = self.root / "out/pairs.json"
        pairs = json.loads(file.read_text())["pairs"] if file.exists() else []
        return done, {pair["name"]: pair for pair in pairs}

    def test_a_pair_has_nine_warm_runs_and_a_recording_of_each_variant(self):
        done, pairs = self.record("--only", "small-copies", "read-loss", "sync-stream")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(pairs["small-copies"]["variants"]["broken"]["wall_ms"], [[5.0] * 3] * 3)
        self.assertEqual(pairs["read-loss"]["variants"]["fixed"]["wall_ms"], [[1.5] * 3] * 3)
        suite = pairs["sync-stream-gemm-all-copies"]
        # The first run of a process is a warm-up.
        self.assertEqual(suite["variants"]["fixed"]["wall_ms"], [[2.0] * 3] * 3)
        self.assertEqual(suite["range"], "sync-stream gemm-all-copies")
        self.assertEqual(len(pairs), 2 + 2 * len(KINDS))
        for pair in pairs.values():
            self.assertEqual(pair["failed"], "")
            for half in pair["variants"].values():
                self.assertTrue((self.root / "out" / half["trace"]).stat().st_size > 0)
                self.assertEqual(len(half["recorded_wall_ms"]), 1)

    def test_kernels_apart_are_the_broken_half_of_those_together(self):
        done, pairs = self.record("--only", "side-by-side")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(set(pairs), {"side-by-side-map-all-x2", "side-by-side-map-all-copies"})
        pair = pairs["side-by-side-map-all-x2"]
        self.assertEqual(pair["variants"]["broken"]["wall_ms"][0], [0.4] * 3)
        self.assertEqual(pair["variants"]["fixed"]["wall_ms"][0], [0.25] * 3)
        for trace in ("side-by-side-apart.sqlite", "side-by-side-together.sqlite", pair["seen_trace"]):
            self.assertTrue((self.root / "out" / trace).exists(), trace)
        self.assertTrue((self.root / "out/side-by-side-table-3.json").exists())

    def test_what_fails_is_said_and_the_rest_goes_on(self):
        done, pairs = self.record("--only", "lock-around-waits", "two-graphs-one-stream", "sync-device", "boolean-masks",
                                  "no-prefetch")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the lock is gone", pairs["lock-around-waits"]["failed"])
        self.assertIn("status 77", pairs["boolean-masks"]["failed"])
        self.assertEqual(pairs["sync-device-map-all-copies"]["failed"], "it went wrong")
        for name in ("two-graphs-one-stream", "no-prefetch", "sync-device-gemm-all-compute"):
            self.assertEqual(pairs[name]["failed"], "", name)
            self.assertTrue(pairs[name]["variants"]["fixed"]["trace"])

    def test_a_second_call_adds_to_the_first(self):
        self.record("--only", "small-copies")
        _, pairs = self.record("--only", "two-graphs-one-stream")
        self.assertEqual(set(pairs), {"small-copies", "two-graphs-one-stream"})

    def test_nothing_is_begun_when_time_is_up(self):
        done, pairs = self.record("--seconds", "0")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(pairs, {})
        self.assertIn("no time is left", done.stderr)

    def test_without_a_gpu_it_is_skipped(self):
        self.program("build/workloads/side_by_side", "import sys; sys.exit(77)")
        done, _ = self.record()
        self.assertEqual(done.returncode, 77)
        self.assertIn("lapscope-skip: no usable GPU", done.stdout)

    def test_an_unknown_name_gets_the_list(self):
        done, _ = self.record("--only", "nothing")
        self.assertIn("there is no pair 'nothing' here", done.stderr)
        self.assertIn("read-loss", done.stderr)

    def test_two_gpus_and_managed_memory_are_to_be_asked_for(self):
        for name, options in (("ddp", ["--gpus", "2"]), ("managed-memory", ["--managed"])):
            self.assertIn("there is no pair", self.record("--only", name)[0].stderr)
            done, pairs = self.record("--only", name, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(pairs[name]["variants"]["broken"]["trace"].count("%"), 0)

    def test_programs_of_frameworks_are_short(self):
        for program in (SOURCE / "tests/gpu/programs/pairs").glob("*.py"):
            if program.name != "measured.py":
                self.assertLessEqual(len(program.read_text().splitlines()), 60, program.name)


unittest.main()
