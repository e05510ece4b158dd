#!/usr/bin/env python3
"""pair_accuracy_test.py LAPSCOPE SOURCE_DIR

Two recorded pairs meet the goals. They miss them if the times of their fixed programs are tripled.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

LAPSCOPE, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
PAIRS = SOURCE / "tests/traces/pairs"
NAMES = ["sync-stream-gemm-half-copies", "pipeline-map-half-copies"]


def accuracy(factor):
    recorded = json.loads((PAIRS / "pairs.json").read_text())
    recorded["pairs"] = [pair for pair in recorded["pairs"] if pair["name"] in NAMES]
    assert len(recorded["pairs"]) == len(NAMES), NAMES
    for pair in recorded["pairs"]:
        fixed = pair["variants"]["fixed"]
        fixed["wall_ms"] = [[factor * wall for wall in process] for process in fixed["wall_ms"]]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for trace in PAIRS.glob("*.sqlite"):
            (folder / trace.name).symlink_to(trace)
        (folder / "pairs.json").write_text(json.dumps(recorded))
        return subprocess.run([SOURCE / "tests/bench/pair_accuracy.py", LAPSCOPE, folder], capture_output=True, text=True,
                              check=False)


met = accuracy(1)
assert met.returncode == 0, met.stdout + met.stderr
assert ": missed by" not in met.stdout, met.stdout
missed = accuracy(3)
assert missed.returncode == 1, missed.stdout + missed.stderr
assert f"promises 10 % more than was gained: missed by {NAMES[0]}" in missed.stdout, missed.stdout
