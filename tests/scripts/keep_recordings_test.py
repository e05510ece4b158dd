#!/usr/bin/env python3
"""Runs scripts/keep_recordings.sh on a folder with one case. Other cases must keep their entries and figures.

keep_recordings_test.py SOURCE_DIR     works on copies of the scripts, the catalogue and the pages
"""
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1))
PAGES = ["research/stream-suite.md", "workloads/README.md"]
NEW_WALL = "7.777"
GPU = "NVIDIA H200"


def copy_of_repository(to):
    for folder in ["scripts", "tests/traces", "research", "workloads"]:
        (to / folder).mkdir(parents=True)
    for script in ["keep_recordings.sh", "trace_catalogue.py", "write_tables.py"]:
        shutil.copy(SOURCE / "scripts" / script, to / "scripts")
    for trace in (SOURCE / "tests/traces").glob("*.sqlite"):
        shutil.copy(trace, to / "tests/traces")
    for file in [*PAGES, "tests/traces/catalogue.json"]:
        shutil.copy(SOURCE / file, to / file)


def recorded(folder, variants, options):
    """Makes the output of record_traces.sh for the case `control`. `variants` are in the list of cases."""
    (folder / "bare").mkdir(parents=True)
    listed = {"schema": "lapscope-cases/1", "cuda": "13.0", "cases": []}
    for case, variant in variants:
        name = f"{case}-{variant}"
        shutil.copy(SOURCE / "tests/traces/control-control.sqlite", folder / f"{name}.sqlite")
        trace = sqlite3.connect(folder / f"{name}.sqlite")
        trace.execute("INSERT INTO LAPSCOPE_CAPTURE VALUES ('record-options', ?)", (options,))
        trace.commit()
        trace.close()
        says = f"device: {GPU}\nexpected_wall_ms: 7.5\nexpected_gpu_wall_ms: 7.4\nexpected_overlap: 0.5\n"
        runs = [says + f"run_1_wall_ms: 9.9\nrun_2_wall_ms: {wall}\n" for wall in ("7.7", NEW_WALL, "8.1")]
        (folder / "bare" / f"{name}.txt").write_text("date: 2026-11-24\n" + "".join(runs))
        (folder / "bare" / f"{name}.recorded").write_text(runs[0])
        measures = {"wall": 7e6, "overlap_ratio": 0.25, "idle_ratio": 0.125}
        analysis = {
            "ops": 36,
            "measures": {measure: {"value": value} for measure, value in measures.items()},
            "gaps": {"by_cause": {"launch-latency": 70_000, "short": 7_000, "host-sync": 70}},
            "findings": [{"code": "host-sync", "saving_ns": 70}],
        }
        (folder / "bare" / f"{name}.json").write_text(json.dumps({"devices": [{"ranges": [analysis]}]}))
        stated = {"name": variant, "causes": [], "environment": {}, "wall_tolerance": 0.08, "sum_tolerance": 0.06}
        listed["cases"].append({"name": case, "variants": [stated]})
    (folder / "bare" / "cases.json").write_text(json.dumps(listed))


class KeepRecordings(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.root = pathlib.Path(place.name) / "repository"
        self.folder = pathlib.Path(place.name) / "recorded"
        copy_of_repository(self.root)
        self.before = self.entries()
        self.pages = self.lines()

    def keep(self):
        subprocess.run([self.root / "scripts/keep_recordings.sh", self.folder], check=True, capture_output=True)

    def entries(self):
        catalogue = json.loads((self.root / "tests/traces/catalogue.json").read_text())
        return {entry["trace"]: entry for entry in catalogue["traces"]}

    def lines(self):
        return [(self.root / page).read_text().splitlines() for page in PAGES]

    def test_other_cases_stay(self):
        recorded(self.folder, [("control", "control")], "--no-memory")
        self.keep()
        after = self.entries()
        self.assertGreater(len(after), 90)
        self.assertEqual(set(after), set(self.before))
        changed = [trace for trace, entry in after.items() if entry != self.before[trace]]
        self.assertEqual(changed, ["control-control.sqlite"])
        entry = after["control-control.sqlite"]
        bare = entry["bare_wall_ms"]
        self.assertEqual((bare["this"], bare["least"], bare["most"], entry["repeats"]), (7.777, 7.7, 8.1, 3))
        self.assertEqual((bare["gpu"], bare["date"]), (GPU, "2026-11-24"))
        self.assertEqual(entry["cuda"], "13.0")
        self.assertEqual(
            entry["record"],
            "bin/lapscope record --no-memory -o control-control.sqlite -- ./workloads/stream_suite control --variant control",
        )
        self.assertEqual(entry["expected"]["overlap_ratio"], {"value": 0.5, "tolerance": 0.07})
        self.assertEqual(entry["shown"]["gaps"], {"launch-latency": 0.01, "short": 0.001})
        self.assertEqual(entry["shown"]["findings"], ["host-sync"])

    def test_figures_of_other_cases_stay(self):
        recorded(self.folder, [("control", "control")], "")
        self.keep()
        for page, before, after in zip(PAGES, self.pages, self.lines()):
            self.assertEqual(len(after), len(before), page)
            changed = [line for line in after if line not in before and not line.startswith(("Recorded", "Bare runs"))]
            self.assertEqual(len(changed), 1, (page, changed))
            self.assertTrue(changed[0].startswith("| control |"), page)
            self.assertIn(NEW_WALL[:3], changed[0])

    def test_a_new_case_is_added(self):
        recorded(self.folder, [("control", "control"), ("new-case", "control")], "")
        self.keep()
        after = self.entries()
        self.assertEqual(set(after) - set(self.before), {"new-case-control.sqlite"})
        self.assertTrue((self.root / "tests/traces/new-case-control.sqlite").exists())

    def test_bare_runs_alone_leave_the_trace(self):
        recorded(self.folder, [("control", "control")], "")
        (self.folder / "control-control.sqlite").unlink()
        trace = (self.root / "tests/traces/control-control.sqlite").read_bytes()
        self.keep()
        before, after = self.before["control-control.sqlite"], self.entries()["control-control.sqlite"]
        self.assertEqual({key for key in after if after[key] != before[key]} - {"repeats"}, {"bare_wall_ms"})
        self.assertEqual(after["bare_wall_ms"]["this"], 7.777)
        self.assertEqual((self.root / "tests/traces/control-control.sqlite").read_bytes(), trace)

    def test_bare_runs_of_another_gpu_are_refused(self):
        recorded(self.folder, [("control", "control")], "")
        (self.folder / "control-control.sqlite").unlink()
        text = self.folder / "bare/control-control.txt"
        text.write_text(text.read_text().replace(GPU, "NVIDIA H100"))
        with self.assertRaises(subprocess.CalledProcessError) as refused:
            self.keep()
        self.assertIn("the trace is of NVIDIA H200", refused.exception.stderr.decode())

    def test_a_run_that_is_not_warm_counts_where_there_is_no_other(self):
        recorded(self.folder, [("control", "control")], "")
        text = self.folder / "bare/control-control.txt"
        lines = [line for line in text.read_text().splitlines() if not line.startswith("run_2")]
        text.write_text("\n".join(lines) + "\n")
        self.keep()
        entry = self.entries()["control-control.sqlite"]
        self.assertEqual((entry["bare_wall_ms"]["this"], entry["repeats"]), (9.9, 3))

    def test_of_planted_variants_alone_the_trace_is_kept(self):
        recorded(self.folder, [("control", "control"), ("pipeline", "broken")], "")
        cases = json.loads((self.folder / "bare/cases.json").read_text())
        cases["cases"][1]["variants"][0]["causes"] = ["stream-order"]
        (self.folder / "bare/cases.json").write_text(json.dumps(cases))
        kept = self.root / "elsewhere"
        kept.mkdir()
        command = [sys.executable, self.root / "scripts/trace_catalogue.py", "keep", "--planted", kept, self.folder]
        subprocess.run(command, check=True, capture_output=True)
        traces = [entry["trace"] for entry in json.loads((kept / "catalogue.json").read_text())["traces"]]
        self.assertEqual(traces, [None, "pipeline-broken.sqlite"])
        self.assertEqual([path.name for path in kept.glob("*.sqlite")], ["pipeline-broken.sqlite"])

    def test_again_changes_nothing(self):
        recorded(self.folder, [("control", "control")], "")
        self.keep()
        first = (self.entries(), self.lines())
        self.keep()
        self.assertEqual((self.entries(), self.lines()), first)


unittest.main()
