#!/usr/bin/env python3
"""Tests which lines count as named in planted_lines.py, with made-up analyses and with traces without call stacks."""
import sys
import unittest

sys.dont_write_bytecode = True
import planted_lines  # noqa: E402

PLANTED = ["workloads/streams/cases/host_sync.cpp:38"]


def frame(file, line, owner="program"):
    return {"file": file, "line": line, "owner": owner}


def analysis(findings, questions=()):
    return {"devices": [{"ranges": [{"findings": list(findings), "questions": list(questions)}]}]}


def thing(code, *frames, saving_ns=10):
    site = {"what": "cudaDeviceSynchronize", "where": "host_sync.cpp:38 in device", "stack": list(frames)}
    return {"code": code, "saving_ns": saving_ns, "sites": [site]}


class PlantedLines(unittest.TestCase):
    def test_a_frame_of_any_depth_names_it(self):
        shown = thing("host-sync", frame("src/other.cpp", 5), frame("workloads/streams/cases/host_sync.cpp", 38))
        self.assertEqual(planted_lines.judge(analysis([shown]), PLANTED)[:2], (True, "host-sync"))

    def test_the_sources_may_lie_elsewhere(self):
        shown = thing("host-sync", frame("/opt/lapscope/workloads/streams/cases/host_sync.cpp", 38))
        self.assertTrue(planted_lines.judge(analysis([shown]), PLANTED)[0])

    def test_another_line_or_file_does_not(self):
        for other in (frame("workloads/streams/cases/host_sync.cpp", 39), frame("x/my_host_sync.cpp", 38)):
            self.assertFalse(planted_lines.judge(analysis([thing("host-sync", other)]), PLANTED)[0])

    def test_a_frame_that_is_not_the_program_s_does_not(self):
        shown = thing("host-sync", frame("workloads/streams/cases/host_sync.cpp", 38, "library"))
        self.assertFalse(planted_lines.judge(analysis([shown]), PLANTED)[0])

    def test_a_finding_comes_before_a_question(self):
        question = thing("event-wait", frame("workloads/streams/cases/host_sync.cpp", 38), saving_ns=90)
        finding = thing("host-sync", frame("a.cpp", 1))
        self.assertFalse(planted_lines.judge(analysis([finding], [question]), PLANTED)[0])
        self.assertEqual(planted_lines.judge(analysis([], [question]), PLANTED)[:2], (True, "event-wait"))

    def test_nothing_found_is_a_miss(self):
        self.assertFalse(planted_lines.judge(analysis([]), PLANTED)[0])


unittest.main()
