#!/usr/bin/env python3
"""Tests of lapscope.dask: 200 traces on two workers.

    tests/python/dask_test.py LAPSCOPE        with the packages distributed and pyarrow
"""
import glob
import os
import sys
import tempfile
import time
import unittest

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
if __name__ == "__main__":  # a worker imports this file as another module
    os.environ.update(LAPSCOPE_COMMAND=os.path.realpath(sys.argv.pop(1)), XDG_CONFIG_HOME="/none", PYTHONPATH=os.path.join(ROOT, "python"))
    sys.path.insert(0, os.environ["PYTHONPATH"])

import distributed  # noqa: E402
import pyarrow  # noqa: E402

import lapscope  # noqa: E402
import lapscope.dask  # noqa: E402


class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        cls.client = distributed.Client(cls.cluster)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()

    def test_ranks_that_workers_summarize_are_one_run(self):
        folder = os.path.join(ROOT, "tests/traces/ranks/mesh-host-broken")
        paths = sorted(glob.glob(os.path.join(folder, "*.sqlite")))
        run = lapscope.dask.analyze_ranks(lapscope.dask.summarize_ranks(self.client, paths))
        of_traces = lapscope.analyze_ranks(folder)
        self.assertEqual(run.headline, of_traces.headline)
        steps = pyarrow.table(run.by_step)
        steps.validate(full=True)
        self.assertEqual([tuple(row.values()) for row in steps.to_pylist()], of_traces.by_step.rows())

    def test_two_hundred_traces_are_one_table(self):
        traces = sorted(glob.glob(os.path.join(ROOT, "tests/traces/*-broken.sqlite")))[:10]
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, f"{number}.sqlite") for number in range(200)]
            for number, path in enumerate(paths):
                os.symlink(traces[number % len(traces)], path)
            began = time.monotonic()
            futures = lapscope.dask.summarize(self.client, paths)
            table = lapscope.dask.table(futures)
            print(f"200 traces on 2 workers: {time.monotonic() - began:.1f} s", file=sys.stderr)
            rows = [dict(zip(table.column_names, row)) for row in table.rows()]
            self.assertEqual(list(dict.fromkeys(row["trace"] for row in rows)), paths)
            for path, trace in list(zip(paths, traces)):
                brief = lapscope.analyze(trace, brief=True)
                own = [row for row in rows if row["trace"] == path]
                self.assertEqual([(row["verdict"], row["device"], row["wall_ns"], row["overlap_ratio"], row["finding"]) for row in own],
                                 [(brief.verdict, scope.device, scope.wall_ns, scope.overlap_ratio,
                                   scope.findings[0].code if scope.findings else None) for scope in brief.scopes])
            self.assertEqual(len(self.client.who_has(futures)), 200)
            workers = {address for places in self.client.who_has(futures).values() for address in places}
            self.assertEqual(len(workers), 2)
        arrow = pyarrow.table(table)
        arrow.validate(full=True)
        self.assertEqual(arrow.column("overlap_ratio").to_pylist(), [row["overlap_ratio"] for row in rows])

    def test_a_file_is_read_by_the_worker_that_has_it(self):
        trace = os.path.join(ROOT, "tests/traces/pipeline-broken.sqlite")
        one, other = self.client.scheduler_info()["workers"]
        futures = lapscope.dask.analyze(self.client, {one: [trace], other: [trace, trace]}, no_causes=True)
        results = self.client.gather(futures)
        self.assertEqual([result.json for result in results], [lapscope.analyze(trace, no_causes=True).json] * 3)
        self.assertEqual(results[0].devices[0].ops, 138)
        self.assertEqual([list(self.client.who_has([future]).values())[0][0] for future in futures], [one, other, other])

    def test_a_file_that_cannot_be_read_is_a_row_and_a_wrong_option_an_error(self):
        trace = os.path.join(ROOT, "tests/traces/pipeline-broken.sqlite")
        table = lapscope.dask.table(lapscope.dask.summarize(self.client, ["/none.sqlite", trace]))
        first, second = [dict(zip(table.column_names, row)) for row in table.rows()]
        self.assertEqual((first["trace"], first["verdict"], first["complete"]), ("/none.sqlite", None, False))
        self.assertIn("does not exist", first["problem"])
        self.assertEqual(second["verdict"], "findings")
        with self.assertRaisesRegex(lapscope.Usage, "'--bogus' is no option of analyze"):
            lapscope.dask.table(lapscope.dask.summarize(self.client, [trace], bogus=1))
        self.assertEqual(lapscope.dask.table([]).rows(), [])

    def test_a_folder_of_ranks_is_a_row_and_one_path_is_one_path(self):
        trace = os.path.join(ROOT, "tests/traces/pipeline-broken.sqlite")
        table = lapscope.dask.table(lapscope.dask.summarize(self.client, [trace, os.path.join(ROOT, "tests/traces/ranks/mesh-host-broken")]))
        first, second = [dict(zip(table.column_names, row)) for row in table.rows()]
        self.assertEqual((first["verdict"], second["verdict"], second["complete"]), ("findings", None, False))
        self.assertIn("lapscope.dask.summarize_ranks", second["problem"])
        worker = next(iter(self.client.scheduler_info()["workers"]))
        for paths in (trace, {worker: trace}):
            self.assertEqual([row[:2] for row in lapscope.dask.table(lapscope.dask.summarize(self.client, paths)).rows()], [(trace, "findings")])


if __name__ == "__main__":
    unittest.main()
