#!/usr/bin/env python3
"""Checks that libraries read from Parquet tables what `lapscope query` shows.

usage: queries_test.py LAPSCOPE"""

import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

import duckdb
import pyarrow.parquet

COMMAND = sys.argv.pop(1)
TRACES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "traces")
VIEWS = ("ops", "calls", "ranges", "gaps", "host_time")
COUNT = 100


def recorded():
    """Returns traces of all folders, small ones first."""
    found = glob.glob(os.path.join(TRACES, "**", "*.sqlite"), recursive=True)
    return sorted(found, key=lambda path: (os.path.getsize(path), path))[:COUNT]


def asked(trace, sql):
    done = subprocess.run([COMMAND, "query", trace, sql, "--format", "json"], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


class Tables(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        cls.traces = recorded()
        assert len(cls.traces) == COUNT, len(cls.traces)
        for number, trace in enumerate(cls.traces):
            subprocess.run([COMMAND, "convert", trace, cls.tables(number)], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def tables(cls, number):
        return os.path.join(cls.folder, f"{number}.parquet")

    def test_each_table_has_each_value_of_its_view(self):
        for number in range(0, COUNT, 9):
            for view in VIEWS:
                with self.subTest(trace=self.traces[number], view=view):
                    table = pyarrow.parquet.read_table(os.path.join(self.tables(number), view + ".parquet"))
                    rows = asked(self.traces[number], f"SELECT * FROM lapscope_{view}")
                    self.assertEqual(table.to_pylist(), rows)

    def test_duckdb_reads_all_of_them_where_they_lie(self):
        idle = duckdb.sql(f"""
            SELECT regexp_extract(filename, '([^/]+)\\.parquet', 1) AS trace, sum(duration_ns) AS ns
            FROM read_parquet('{self.folder}/*.parquet/gaps.parquet', filename = true) GROUP BY 1""").fetchall()
        known = {trace: ns for trace, ns in idle}
        for number, trace in enumerate(self.traces):
            expected = asked(trace, "SELECT sum(duration_ns) AS ns FROM lapscope_gaps")[0]["ns"]
            self.assertEqual(known.get(str(number)), expected, trace)

    def test_types_are_integers_and_texts(self):
        schema = pyarrow.parquet.read_schema(os.path.join(self.tables(0), "ops.parquet"))
        self.assertEqual({str(schema.field(name).type) for name in ("kind", "name")}, {"string"})
        self.assertEqual({str(schema.field(name).type) for name in ("start_ns", "bytes", "stream_id")}, {"int64"})


if __name__ == "__main__":
    unittest.main()
