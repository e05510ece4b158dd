#!/usr/bin/env python3
"""The rule decides which cases are kept aside.

trace_catalogue_test.py SOURCE_DIR
"""
import json
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
sys.dont_write_bytecode = True
sys.path[:0] = [str(SOURCE / "scripts"), str(SOURCE / "tests/bench")]
import measure_assumptions  # noqa: E402
import trace_catalogue  # noqa: E402


class KeptAside(unittest.TestCase):
    def setUp(self):
        self.entries = json.loads((SOURCE / "tests/traces/catalogue.json").read_text())["traces"]

    def test_the_rule_is_the_hash_of_the_name(self):
        # 64-bit FNV-1a of "a" is 0xaf63dc4c8601ec8c, and of "foobar" 0x85944171f73967e8.
        self.assertEqual(trace_catalogue.is_kept_aside("a"), 0xAF63DC4C8601EC8C % 3 == 0)
        self.assertEqual(trace_catalogue.is_kept_aside("foobar"), 0x85944171F73967E8 % 3 == 0)
        self.assertTrue(trace_catalogue.is_kept_aside("buffer-depth"))
        self.assertFalse(trace_catalogue.is_kept_aside("pipeline"))

    def test_the_catalogue_says_what_the_rule_says(self):
        for entry in self.entries:
            self.assertEqual(entry["kept_aside"], trace_catalogue.is_kept_aside(entry["case"]), entry["trace"])

    def test_nothing_is_measured_of_what_is_kept_aside(self):
        aside = measure_assumptions.kept_aside(SOURCE / "tests/traces")
        self.assertEqual(aside, {e["trace"] for e in self.entries if trace_catalogue.is_kept_aside(e["case"])})


unittest.main()
