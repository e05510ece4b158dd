#!/usr/bin/env python3
"""Tests of lapscope.record: what it sends to the collector. With a fake libcupti, also captures of a Python process.

    tests/python/capture_test.py LAPSCOPE
"""
import os
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
COMMAND = os.path.realpath(sys.argv.pop(1))
BUILD = os.path.dirname(os.path.dirname(COMMAND))
os.environ["LAPSCOPE_COMMAND"] = COMMAND
os.environ.pop("LAPSCOPE_CONTROL", None)
sys.path.insert(0, os.path.join(ROOT, "python"))
TRACE = os.path.join(ROOT, "tests/traces/pipeline-broken.sqlite")

import lapscope  # noqa: E402


def state(what, captures, trace, problem="", refusal=""):
    """As collector/control/control_commands.h has it."""
    return "\t".join((what, str(captures), trace, problem, refusal, ""))


class Collector:
    """Listens like the collector, and gives prepared answers."""

    def __init__(self, folder, answers):
        self.heard, self._answers = [], list(answers)
        self._socket = socket.socket(socket.AF_UNIX)
        here = os.open(folder, os.O_PATH)
        self._socket.bind(f"/proc/self/fd/{here}/{socket.gethostname()[:64]}.{os.getpid()}")
        os.close(here)
        self._socket.listen(8)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        for answer in self._answers:
            called, _ = self._socket.accept()
            with called:
                line = b""
                while not line.endswith(b"\n"):
                    line += called.recv(1)
                self.heard.append(line.decode().strip())
                called.sendall(answer.encode() + b"\n")

    def end(self):
        self._thread.join(10)
        self._socket.close()


class Spoken(unittest.TestCase):
    def collector(self, *answers):
        # This path is longer than the path of a socket may be.
        folder = tempfile.TemporaryDirectory(suffix="x" * 120)
        self.addCleanup(folder.cleanup)
        os.environ["LAPSCOPE_CONTROL"] = folder.name
        self.addCleanup(os.environ.pop, "LAPSCOPE_CONTROL", None)
        made = Collector(folder.name, answers)
        self.addCleanup(made.end)
        return made

    def test_a_block_is_a_capture(self):
        collector = self.collector(state("capturing", 3, TRACE), state("capturing", 3, TRACE), state("armed", 3, TRACE))
        with lapscope.record() as capture:
            self.assertIsNone(capture.path)
            with self.assertRaisesRegex(lapscope.Error, "has not ended"):
                capture.analyze()
        self.assertEqual(collector.heard, ["start", "status", "stop"])
        self.assertEqual(capture.path, TRACE)
        self.assertEqual(capture.analyze(no_causes=True).json, lapscope.analyze(TRACE, no_causes=True).json)

    def test_a_capture_of_somebody_else_is_left_alone(self):
        collector = self.collector(state("capturing", 1, TRACE), state("capturing", 2, "/none/t.2.sqlite"))
        with lapscope.record(seconds=0.25, keep=2, light=True) as capture:
            pass
        self.assertEqual(collector.heard, ["start\tduration=250\tkeep=2000\tlight=1", "status"])
        self.assertEqual(capture.path, TRACE)
        self.collector(state("capturing", 1, "t", refusal="a capture runs already."))
        with self.assertRaisesRegex(lapscope.Error, "^a capture runs already.$"):
            with lapscope.record():
                self.fail("it was entered")

    def test_what_the_block_raises_comes_out_and_the_capture_ends(self):
        collector = self.collector(state("capturing", 1, TRACE), state("capturing", 1, TRACE), state("armed", 1, TRACE, "no space."))
        with self.assertRaises(ZeroDivisionError):
            with lapscope.record() as capture:
                1 / 0
        self.assertEqual((collector.heard[-1], capture.path), ("stop", TRACE))
        self.collector(state("capturing", 1, TRACE), state("armed", 1, TRACE, "no space."))
        with self.assertRaisesRegex(lapscope.Error, "no space"):
            with lapscope.record():
                pass

    def test_a_capture_without_gpu_work_has_no_trace(self):
        self.collector(state("capturing", 1, "/none/t.1.sqlite"), state("armed", 1, ""))
        with lapscope.record() as capture:
            pass
        self.assertIsNone(capture.path)
        with self.assertRaisesRegex(lapscope.Inconclusive, "Wait for the device"):
            capture.analyze()

    def test_a_time_that_is_none_is_refused(self):
        for wrong in ({"seconds": -5}, {"seconds": 0}, {"keep": 0}, {"keep": float("nan")}, {"seconds": float("inf")}):
            with self.assertRaisesRegex(lapscope.Usage, f"^{next(iter(wrong))} is a number of seconds above 0"):
                lapscope.record(**wrong)

    def test_a_process_that_cannot_be_captured_says_what_to_do(self):
        with self.assertRaisesRegex(lapscope.NotArmed, "start it with `lapscope record --armed"):
            lapscope.record().__enter__()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.environ["LAPSCOPE_CONTROL"] = folder.name
        self.addCleanup(os.environ.pop, "LAPSCOPE_CONTROL", None)
        with self.assertRaisesRegex(lapscope.NotArmed, "has not used CUDA yet"):
            lapscope.record().__enter__()
        self.collector("armed 1")
        with self.assertRaisesRegex(lapscope.NotArmed, "another version"):
            lapscope.record().__enter__()


class Recorded(unittest.TestCase):
    def test_a_process_captures_itself(self):
        fake = os.path.join(BUILD, "tests/collector/inject/libfake_cupti.so")
        if not os.path.exists(fake):
            print("lapscope-skip: lapscope.record of a process of Python: the stand-in for CUPTI needs a CUDA toolkit")
            self.skipTest("this build has no stand-in for CUPTI")
        with open(fake, "rb") as library:
            if b"__asan_init" in library.read():
                print("lapscope-skip: lapscope.record of a process of Python: Python is not built with sanitizers")
                self.skipTest("the collector is built with a sanitizer, and Python is not")
        program = """
import ctypes, os, sqlite3, sys
sys.path.insert(0, sys.argv[1])
import lapscope
assert ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]).InitializeInjection() == 1   # as the driver does in cuInit
work = ctypes.CDLL(sys.argv[2]).fake_cupti_work
def kernels(capture):
    trace = sqlite3.connect(f"file:{capture.path}?immutable=1", uri=True)
    return trace.execute("SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL").fetchone()[0]
with lapscope.record() as none:
    pass
work(5)
with lapscope.record() as capture:
    work(3)
work(7)
with lapscope.record() as second:
    work(2)
print(none.path, kernels(capture), kernels(second), os.path.basename(second.path))
"""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([COMMAND, "record", "--armed", "--no-calibrate", "--cupti", fake, "-o", folder + "/t.sqlite", "--",
                                   sys.executable, "-c", program, os.path.join(ROOT, "python"), fake],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertEqual((done.returncode, done.stdout.split()), (0, ["None", "3", "2", "t.3.sqlite"]), done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
