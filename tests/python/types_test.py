#!/usr/bin/env python3
"""Checks the package's types with mypy in strict mode.

    tests/python/types_test.py LAPSCOPE        with mypy and all extras; the command is not run
"""
import os
import sys
import tempfile
import unittest

from mypy import api

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
sys.argv.pop(1)


class Types(unittest.TestCase):
    def test_the_package_is_typed(self):
        with tempfile.TemporaryDirectory() as cache:
            said, problems, status = api.run(["--strict", "--cache-dir", cache, os.path.join(ROOT, "python/lapscope")])
        self.assertEqual((status, problems), (0, ""), said)


if __name__ == "__main__":
    unittest.main()
