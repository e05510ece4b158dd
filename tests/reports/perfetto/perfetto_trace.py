"""Reads a Perfetto trace with protoc, and evaluates it like trace_processor: each track has a stack of slices, in the
order of times. These are errors: a slice that the wrong end closes, a flow that leads nowhere, a value out of order,
and a field that the format lacks."""

import collections
import os
import re
import shutil
import subprocess
import sys
import zlib

if shutil.which("protoc") is None:
    print("lapscope-skip: protoc (protobuf-compiler) is not installed")
    sys.exit(77)


def text_in(escaped):
    """Returns a text whose bytes are escaped in octal."""
    return escaped.encode().decode("unicode_escape").encode("latin-1").decode()


def parse(lines):
    """Returns the lines of protobuf's text format as dictionaries of lists."""
    message = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            return message
        if line.endswith("{"):
            message[line[:-1].strip()].append(parse(lines))
        else:
            key, value = line.split(": ", 1)
            message[key].append(text_in(value[1:-1]) if value.startswith('"') else value)
    return message


def number_at(binary, at):
    """Returns a varint, and the position behind it."""
    value = shift = 0
    while binary[at] & 0x80:
        value |= (binary[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
    return value | binary[at] << shift, at + 1


def inflated(binary):
    """Returns the trace with compressed packets replaced by their content."""
    packets, at = [], 0
    while at < len(binary):
        tag, begin = number_at(binary, at)
        assert tag == 0x0A, "not a packet"
        size, begin = number_at(binary, begin)
        field, inside = number_at(binary, begin) if size else (0, begin)
        if field == 50 << 3 | 2:
            length, inside = number_at(binary, inside)
            packets.append(zlib.decompress(binary[inside:inside + length]))
        else:
            packets.append(binary[at:begin + size])
        at = begin + size
    return b"".join(packets)


class PerfettoTrace:
    """tracks by uuid; slices by track, as [start, end, name]; from_call and to_op, a (time, track) by flow; counters by
    track, as [(time, value)]."""

    def __init__(self, binary, folder):
        binary = inflated(binary)
        text = subprocess.run(["protoc", "--decode=Trace", f"-I{folder}", "subset.proto"], input=binary,
                              check=True, capture_output=True).stdout.decode("utf-8")
        # If the complete format of Perfetto is installed, it must give the same result.
        if whole := os.environ.get("LAPSCOPE_PERFETTO_PROTOS"):
            told = subprocess.run(["protoc", "--decode=perfetto.protos.Trace", f"-I{whole}",
                                   "perfetto_trace.proto"], input=binary, check=True,
                                  capture_output=True).stdout.decode("utf-8")
            assert told == text, "Perfetto's own format tells something else"
        unknown = re.findall(r"^\s*\d+[:{ ].*$", text, re.M)
        assert not unknown, f"fields that are not in the format: {unknown[:5]}"

        packets = parse(iter(text.splitlines()))["packet"]
        assert packets[0]["sequence_flags"] == ["1"]
        tracks, names, events = {}, {}, []
        for packet in packets:
            # A sequence with descriptors of threads would assign its events to them.
            threads = any(track["thread"] for track in packet["track_descriptor"])
            assert packet["trusted_packet_sequence_id"] == ["2" if threads else "1"]
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

        events.sort(key=lambda event: event[0])  # a stable sort, as in trace_processor
        assert events[-1][0] < 1 << 53, "an end that was not seen stretches the trace"
        open_slices = collections.defaultdict(list)
        slices = collections.defaultdict(list)
        from_call, to_op = {}, {}
        counters = collections.defaultdict(list)
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
                    assert flow in from_call and flow not in to_op, "a flow that comes from nothing"
                    to_op[flow] = (time, track)
            elif kind == "TYPE_SLICE_END":
                open_slices[track].pop()[1] = time
            else:
                assert tracks[track]["counter"], "a counter value on a track of slices"
                counters[track].append((time, float(event["double_counter_value"][0])))
        assert counters and all(steps[-1][1] == 0 for steps in counters.values()), "counters end at nothing"
        self.tracks, self.slices, self.counters = tracks, slices, counters
        self.from_call, self.to_op = from_call, to_op
        for track, still_open in open_slices.items():  # if a program was killed, slices of the host may be open
            assert not still_open or "device " not in self.lineage(track)[-1], "an op that never ends"
        assert set(to_op) == set(from_call), "flows with one end"
        assert to_op, "no flow"
        for flow, (time, track) in to_op.items():
            assert from_call[flow][0] <= time
            assert tracks[from_call[flow][1]]["thread"], "a flow comes from a thread"

    def lineage(self, track):
        """Returns the names of a track and of the tracks around it, outermost last."""
        found = []
        while track in self.tracks:
            found.append(self.tracks[track]["name"][0])
            track = (self.tracks[track]["parent_uuid"] or [None])[0]
        return found

    def ops(self):
        """Yields (lineage, slice) of every op: in a track of a stream, below a device."""
        for track, slices in self.slices.items():
            lineage = self.lineage(track)
            if lineage[0].startswith("stream ") and any(n.startswith("device ") for n in lineage):
                yield from ((lineage, one) for one in slices)
