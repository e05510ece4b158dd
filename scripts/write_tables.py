#!/usr/bin/env python3
"""Writes measured figures into documents, so that nobody types them.

write_tables.py streams CATALOGUE PAGE...    CATALOGUE is tests/traces/catalogue.json, which keep_recordings.sh writes
write_tables.py implicit FIGURES[,FIGURES...] PAGE...   FIGURES is the output of implicit_sync --format json. A call
                     that a file lacks is read from the next file, for example of a machine with two GPUs.
write_tables.py lines KEY=FILE[,KEY=FILE...] PAGE...   FILE is the output of a program, which is copied unchanged

In each page, replaces the lines between `<!-- measured WHAT -->` and `<!-- end -->`. WHAT is one of
  machine              GPU, driver, versions and dates of the recordings
  all                  for streams: every case and variant with its expected figures
  CASE [CASE...]       for streams: broken and fixed variants of these cases side by side
  calls                for implicit: every call
  waits                for implicit: only the calls that wait for the device or keep other streams apart
  lines KEY            the lines of the file with this key
"""
import json
import pathlib
import re
import sys
from collections import Counter


def number(value, digits):
    return f"{value:.{digits}f}".replace("-", "−")


def table(head, rows, of_figures="---"):
    """Returns the lines of a Markdown table. `of_figures` is the rule below the heads of all columns but the first."""
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join(["---"] + [of_figures] * (len(head) - 1)) + " |"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


class Streams:
    def __init__(self, path):
        self.traces = json.loads(pathlib.Path(path).read_text())["traces"]

    @staticmethod
    def gaps(entry):
        largest = list(entry["shown"]["gaps"].items())[:2]
        return ", ".join(f"{code} {100 * share:.1f} %" for code, share in largest)

    @staticmethod
    def wall(bare):
        range_of_runs = f" ({number(bare['least'], 3)} to {number(bare['most'], 3)})" if "least" in bare else ""
        return number(bare["this"], 3) + range_of_runs

    def machine(self):
        def together(key):
            return ", ".join(sorted({str(entry[key]) for entry in self.traces} - {"n/a"}))

        dates = sorted({entry["date"] for entry in self.traces})
        when = f"on {dates[0]}" if len(dates) == 1 else f"from {dates[0]} to {dates[-1]}"
        cuda = f", CUDA {together('cuda')}" if together("cuda") else ""
        counts = sorted(Counter(entry["repeats"] for entry in self.traces).items(), reverse=True)
        bare = ", ".join(f"{runs} for {variants} variants" for runs, variants in counts)
        latest = max(entry["bare_wall_ms"].get("date", entry["date"]) for entry in self.traces)
        return [
            f"Recorded {when} on {together('gpu')}, driver {together('driver')}{cuda}, CUPTI {together('cupti')}, "
            f"lapscope {together('lapscope')}.",
            f"Bare runs of each variant: {bare}. The latest bare run was on {latest}.",
        ]

    def all(self):
        rows = []
        for entry in self.traces:
            bare = entry["bare_wall_ms"]
            rows.append(
                [
                    entry["case"],
                    entry["variant"],
                    self.wall(bare),
                    number(bare["expected"], 3),
                    number(100 * (bare["this"] / bare["expected"] - 1), 1),
                    number(entry["shown"]["overlap_ratio"], 3),
                    number(entry["expected"]["overlap_ratio"]["value"], 3),
                    self.gaps(entry),
                ]
            )
        head = ["case", "variant", "wall ms", "expected", "% off", "overlap", "expected", "gaps, % of the time"]
        return table(head, rows)

    def pairs(self, names):
        rows = []
        for name in dict.fromkeys(entry["case"] for entry in self.traces if entry["case"] in names):
            first, *others = [entry for entry in self.traces if entry["case"] == name]
            for last in others or [first]:
                plain = last is first or last["variant"] == "fixed"
                arrow = (lambda a, b: f"{a} → {b}") if others else (lambda a, b: a)
                wall, last_wall = (entry["bare_wall_ms"]["this"] for entry in (first, last))
                before, after = (entry["shown"] for entry in (first, last))
                rows.append(
                    [
                        name + ("" if plain else f" → {last['variant']}"),
                        arrow(number(wall, 2), number(last_wall, 2)),
                        f"{wall / last_wall:.2f}×" if others else "–",
                        arrow(number(before["overlap_ratio"], 2), number(after["overlap_ratio"], 2)),
                        arrow(f"{100 * before['idle_ratio']:.0f}", f"{100 * after['idle_ratio']:.0f}"),
                        self.gaps(first),
                    ]
                )
        return table(["case", "wall ms", "gain", "overlap", "idle %", "gaps before, % of the time"], rows)

    def lines(self, what):
        if what == ["machine"]:
            return self.machine()
        if what == ["all"]:
            return self.all()
        known = {entry["case"] for entry in self.traces}
        return self.pairs(what) if set(what) <= known else None


class Implicit:
    def __init__(self, paths):
        self.figures, *others = [json.loads(pathlib.Path(path).read_text()) for path in paths.split(",")]
        self.taken = {}  # the file that each call was read from, by call
        calls = self.figures["calls"]
        for other in others:
            measured = {call["name"]: call for call in other["calls"] if call["measured"]}
            for i, call in enumerate(calls):
                if not call["measured"] and call["name"] in measured:
                    calls[i] = measured[call["name"]]
                    self.taken[call["name"]] = other

    @staticmethod
    def verdict(verdict, words):
        if verdict["value"] is None:
            return "unclear"
        text = words.get(verdict["value"], verdict["value"])
        return f"varies: {text} {verdict['agreeing']}/{verdict['clear']}" if verdict["varies"] else text

    def row(self, call):
        head = [f"`{call['name']}`", call["documented"]]
        if not call["measured"]:
            return head + ["n/a"] * 7
        waits = {"overlaps": "no", "waits": "yes", "host_waited": "host waits"}
        runs = {"overlaps": "yes", "waits": "no", "host_waited": "host waits"}
        return head + [
            number(call["idle_ms"], 3),
            number(call["busy_ms"], 3),
            self.verdict(call["host_waits_for"], {}),
            self.verdict(call["own_stream"], waits),
            self.verdict(call["non_blocking_streams"], runs),
            self.verdict(call["blocking_streams"], runs),
            call["as_documented"],
        ]

    def calls(self):
        head = ["call", "documented", "idle ms", "busy ms", "host waits for", "own stream waits"]
        head += ["non-blocking overlap", "blocking overlap", "as documented"]
        return table(head, [self.row(call) for call in self.figures["calls"]])

    def waits(self):
        def harmful(call):
            if not call["measured"] or call["documented"] == "control":
                return False
            return call["host_waits_for"]["value"] == "device" or call["non_blocking_streams"]["value"] != "overlaps"

        rows = [[row[0], row[1], row[4], row[6], row[7]] for row in map(self.row, filter(harmful, self.figures["calls"]))]
        return table(["call", "documented", "host waits for", "non-blocking overlap", "blocking overlap"], rows)

    def machine(self):
        def sentence(what, f):
            return (
                f"{what} on {f['date']} on {f['device']}, driver {f['driver']}, CUDA {f['cuda_runtime']}, median of "
                f"{f['repeats']} repeats."
            )

        others = [sentence(f"`{name}` was measured in a separate run,", f) for name, f in self.taken.items()]
        return [sentence("Measured", self.figures), *others]

    def lines(self, what):
        return {"calls": self.calls, "waits": self.waits, "machine": self.machine}.get(" ".join(what), lambda: None)()


class Lines:
    def __init__(self, files):
        self.files = dict(pair.split("=", 1) for pair in files.split(","))

    def lines(self, what):
        if len(what) != 2 or what[0] != "lines" or what[1] not in self.files:
            return None
        text = pathlib.Path(self.files[what[1]]).read_text().splitlines()
        return ["```", *text, "```"]


def write(source, page, kind=""):
    """Replaces the marked lines of a page. `kind` stands before WHAT, for example "scan "."""
    path = pathlib.Path(page)

    def replaced(match):
        lines = source.lines(match.group(1).split())
        if lines is None:
            return match.group(0)
        return f"<!-- measured {kind}{match.group(1)} -->\n" + "\n".join(lines) + "\n<!-- end -->"

    old = path.read_text()
    new = re.sub(rf"<!-- measured {kind}([^>]*?) -->\n.*?<!-- end -->", replaced, old, flags=re.S)
    path.write_text(new)
    print(f"{page}: {'written' if new != old else 'as it was'}")


def main():
    sources = {"streams": Streams, "implicit": Implicit, "lines": Lines}
    if len(sys.argv) < 4 or sys.argv[1] not in sources:
        sys.exit(__doc__)
    source = sources[sys.argv[1]](sys.argv[2])
    for page in sys.argv[3:]:
        write(source, page)


if __name__ == "__main__":
    main()
