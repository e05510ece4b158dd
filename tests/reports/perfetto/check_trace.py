"""Checks a Perfetto trace against the JSON result of the same recording.

usage: check_trace.py LAPSCOPE TRACE PROTO_FOLDER [SQL_FILE]
       (also checks the track of the host, if the trace has samples)
       check_trace.py SAMPLE_PAGE findings|hostile PROTO_FOLDER

SQL_FILE changes a copy of the recording first.
"""

import json
import sys

from perfetto_trace import PerfettoTrace
from recording import changed, written

program, recording, folder, *sql = sys.argv[1:]


def output_of(*arguments):
    return written(program, *arguments)


result = None
if recording in ("findings", "hostile"):
    trace = PerfettoTrace(output_of(recording, "perfetto"), folder)
else:
    with changed(recording, *sql) as copy:
        trace = PerfettoTrace(output_of("report", copy, "--format", "perfetto", "-o", "-"), folder)
        result = json.loads(output_of("analyze", "--format", "json", copy))
ops = list(trace.ops())
for device in result["devices"] if result else ():
    lineages = [lineage for lineage, _ in ops if lineage[-1].startswith(f"device {device['id']}")]
    own = [s for lineage, s in ops if lineage[-1].startswith(f"device {device['id']}")]
    # Perfetto merges tracks of one name.
    assert len({lineage[0] for lineage in lineages}) == len(device["streams"]), "streams in one track"
    assert len(own) == device["ops"], (len(own), device["ops"])
    total = sum(end - start for start, end, _ in own)
    assert total == device["measures"]["sum"]["value"], "an op was closed at the wrong time"
    for engine in {e["name"] for e in device["engines"]}:
        words = {"compute": "compute", "h2d": "copy to device", "d2h": "copy to host",
                 "other": "other copies", "comm": "communication"}[engine]
        assert any(words in lineage for lineage, _ in ops)
# The track of the host's work belongs to the track of its thread. Its slices lie between calls.
host = [track for track in trace.slices if trace.lineage(track)[0] == "host"]
has_samples = any(device.get("host_time") for device in result["devices"]) if result else False
assert bool(host) == has_samples, (len(host), has_samples)
for track in host:
    calls = trace.slices[trace.tracks[track]["parent_uuid"][0]]
    between = trace.slices[track]
    assert all(start < end for start, end, _ in between)
    assert all(a[1] <= b[0] for a, b in zip(between, between[1:])), "slices of the host overlap"
    at = 0
    for start, end, _ in sorted(calls):
        while at < len(between) and between[at][1] <= start:
            at += 1
        assert at == len(between) or between[at][0] >= end, "the host is in a call"
if result is None:
    found = [s for track in trace.slices for s in trace.slices[track]
             if trace.lineage(track)[0] == "findings"]
    report = json.loads(output_of(recording, "json"))
    told = [one for device in report["devices"] for one in device["findings"]]
    assert len(told) >= 2 and len(found) == sum(len(one["evidence"]) for one in told), found
    assert {name for _, _, name in found} == {one["code"] for one in told}
print(f"{len(ops)} ops, {len(trace.to_op)} flows, {len(trace.tracks)} tracks, "
      f"{len(trace.counters)} counters")
