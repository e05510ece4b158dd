"""Checks a Perfetto trace against the JSON result of the same recording.

usage: check_trace.py LAPSCOPE TRACE PROTO_FOLDER
       check_trace.py SAMPLE_PAGE findings|hostile PROTO_FOLDER

Decodes it with protoc, and then does what trace_processor does: keeps a stack of slices for each
track, in the order of times. A slice that is closed by the wrong end, a flow that leads nowhere, a
value out of order or a field that is not in the format is an error.
"""

import collections
import json
import re
import shutil
import subprocess
import sys

if shutil.which("protoc") is None:
    print("lapscope-skip: protoc (protobuf-compiler) is not installed")
    sys.exit(77)

lapscope, trace, folder = sys.argv[1:]
result = None
if trace in ("findings", "hostile"):
    binary = subprocess.run([lapscope, trace, "perfetto"], check=True, capture_output=True).stdout
else:
    binary = subprocess.run([lapscope, "report", trace, "--format", "perfetto", "-o", "-"], check=True,
                            capture_output=True).stdout
    result = json.loads(subprocess.run([lapscope, "analyze", "--format", "json", trace], check=True,
                                       capture_output=True).stdout)
text = subprocess.run(["protoc", "--decode=Trace", f"-I{folder}", "subset.proto"], input=binary,
                      check=True, capture_output=True).stdout.decode("utf-8")
unknown = re.findall(r"^\s*\d+[:{ ].*$", text, re.M)
assert not unknown, f"fields that are not in the format: {unknown[:5]}"


def parse(lines):
    """The text format as dictionaries of lists."""
    message = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            return message
        if line.endswith("{"):
            message[line[:-1].strip()].append(parse(lines))
        else:
            key, value = line.split(": ", 1)
            message[key].append(value.strip('"'))
    return message


packets = parse(iter(text.splitlines()))["packet"]
assert packets[0]["sequence_flags"] == ["1"]
tracks, names, events = {}, {}, []
for packet in packets:
    assert packet["trusted_packet_sequence_id"] == ["1"]
    for data in packet["interned_data"]:
        for entry in data["event_names"]:
            assert names.setdefault(entry["iid"][0], entry["name"][0]) == entry["name"][0]
    for track in packet["track_descriptor"]:
        assert track["uuid"][0] not in tracks
        assert not track["parent_uuid"] or track["parent_uuid"][0] in tracks
        tracks[track["uuid"][0]] = track
    for event in packet["track_event"]:
        assert event["track_uuid"][0] in tracks
        events.append((int(packet["timestamp"][0]), event))

events.sort(key=lambda event: event[0])  # stable: as the importer sorts
open_slices = collections.defaultdict(list)
slices = collections.defaultdict(list)
from_call, to_op = {}, {}
counters = {}
for time, event in events:
    track = event["track_uuid"][0]
    kind = event["type"][0]
    if kind == "TYPE_SLICE_BEGIN":
        begun = [time, None, names[event["name_iid"][0]]]
        open_slices[track].append(begun)
        slices[track].append(begun)
        for flow in event["flow_ids"]:
            from_call[flow] = (time, track)
        for flow in event["terminating_flow_ids"]:
            assert flow not in to_op
            to_op[flow] = (time, track)
    elif kind == "TYPE_SLICE_END":
        open_slices[track].pop()[1] = time
    else:
        assert tracks[track]["counter"], "a counter value on a track of slices"
        counters[track] = float(event["double_counter_value"][0])
assert not any(open_slices.values()), "slices that never end"
assert counters and all(value == 0 for value in counters.values()), "counters end at nothing"


def lineage(track):
    found = []
    while track in tracks:
        found.append(tracks[track]["name"][0])
        track = (tracks[track]["parent_uuid"] or [None])[0]
    return found


ops = [(track, s) for track in slices for s in slices[track]
       if lineage(track)[0].startswith("stream ") and lineage(track)[-1].startswith("device ")]
for device in result["devices"] if result else ():
    own = [s for track, s in ops if lineage(track)[-1].startswith(f"device {device['id']}")]
    assert len(own) == device["ops"], (len(own), device["ops"])
    total = sum(end - start for start, end, _ in own)
    assert total == device["measures"]["sum"]["value"], "an op was closed at the wrong time"
    for engine in {e["name"] for e in device["engines"]}:
        words = {"compute": "compute", "h2d": "copy to device", "d2h": "copy to host",
                 "other": "other copies"}[engine]
        assert any(words in lineage(track) for track, _ in ops)
assert set(to_op) == set(from_call), "flows with one end"
assert to_op, "no flow"
for flow, (time, track) in to_op.items():
    assert from_call[flow][0] <= time
    assert tracks[from_call[flow][1]]["thread"], "a flow comes from a thread"
if result is None:
    found = [s for track in slices for s in slices[track] if lineage(track)[0] == "findings"]
    assert len(found) == 6 + 5, found  # as many as there is evidence
    assert {name for _, _, name in found} == {"default-stream-barrier", "launch-overhead"}
print(f"{len(ops)} ops, {len(to_op)} flows, {len(tracks)} tracks, {len(counters)} counters")
