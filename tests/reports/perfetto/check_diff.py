"""Checks the Perfetto trace of a comparison. It has both runs completely, each in its own process. The compared ranges
of both runs begin at the same time.

usage: check_diff.py LAPSCOPE BEFORE AFTER RANGE PROTO_FOLDER
"""

import json
import subprocess
import sys

from perfetto_trace import PerfettoTrace

lapscope, before, after, judged, folder = sys.argv[1:]


def output_of(*arguments):
    return subprocess.run([lapscope, *arguments], check=True, capture_output=True).stdout


trace = PerfettoTrace(output_of("diff", before, after, "--range", judged, "--format", "perfetto",
                                "-o", "-"), folder)
begins = {}
for side, recording in (("A (before) ", before), ("B (after) ", after)):
    result = json.loads(output_of("analyze", "--format", "json", "--range", judged, recording))
    own = [(lineage, s) for lineage, s in trace.ops() if lineage[-1].startswith(side + recording)]
    assert len(own) == sum(device["ops"] for device in result["devices"])
    window = result["devices"][0]["window"]["start"]
    shift = min(start for _, (start, _, _) in own) - window
    begins[side] = result["devices"][0]["ranges"][0]["window"]["start"] + shift
    total = sum(end - start for _, (start, end, _) in own)
    assert total == sum(device["measures"]["sum"]["value"] for device in result["devices"])
assert len(set(begins.values())) == 1, begins
ids = [(kind, told[name][0]) for track in trace.tracks.values()
       for kind, name in (("process", "pid"), ("thread", "tid")) for told in track[kind]]
assert len(ids) == len(set(ids)), "two processes or threads with one id"
print(f"both begin at {begins.popitem()[1]} ns; {len(ids)} processes and threads")
