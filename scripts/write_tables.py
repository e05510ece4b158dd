#!/usr/bin/env python3
"""Writes measured figures into documents, so that nobody types them.

write_tables.py streams RECORDED PAGE...     RECORDED is a folder that record_traces.sh has filled
write_tables.py implicit FIGURES[,FIGURES...] PAGE...   what implicit_sync --format json printed; a call that one file
                     has not measured is taken from the next, such as one of a machine with two GPUs
write_tables.py lines KEY=FILE[,KEY=FILE...] PAGE...   what a program printed, as it is

A page has places for them: the lines between `<!-- measured WHAT -->` and `<!-- end -->` are replaced. WHAT is
  machine              GPU, driver, CUDA version and date of a recording
  all                  of streams: every case and variant with what was expected of it
  CASE [CASE...]       of streams: broken and fixed side by side
  calls                of implicit: every call
  waits                of implicit: only the calls that make somebody wait
  lines KEY            the lines of that file
"""
import json
import pathlib
import re
import sqlite3
import statistics
import sys


def printed(path):
    values = {}
    for line in path.read_text().splitlines():
        key, _, value = line.partition(": ")
        values.setdefault(key, []).append(value)
    return values


def median_of(values, key):
    return statistics.median(float(value) for value in values[key])


def number(value, digits):
    return f"{value:.{digits}f}".replace("-", "−")


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


class Streams:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.cases = json.loads((self.folder / "bare" / "cases.json").read_text())["cases"]

    def figures(self, case, variant):
        """None where that was not run, for lack of a second GPU."""
        name = f"{case}-{variant}"
        text = self.folder / "bare" / f"{name}.txt"
        analysis = self.folder / "bare" / f"{name}.json"
        if not text.exists() or not analysis.exists():
            return None
        bare = printed(text)
        ranges = [r for d in json.loads(analysis.read_text())["devices"] for r in d.get("ranges", [])]
        shown = max(ranges, key=lambda r: r["ops"])
        wall = shown["measures"]["wall"]["value"]
        causes = sorted(shown["gaps"]["by_cause"].items(), key=lambda item: -item[1])
        return {
            "wall": median_of(bare, "wall_ms"),
            "expected_wall": median_of(bare, "expected_wall_ms"),
            "overlap": shown["measures"]["overlap_ratio"]["value"],
            "expected_overlap": median_of(printed(text.with_suffix(".recorded")), "expected_overlap"),
            "idle": shown["measures"]["idle_ratio"]["value"],
            "causes": ", ".join(f"{code} {100 * ns / wall:.1f} %" for code, ns in causes[:2] if ns > 0.001 * wall),
        }

    def machine(self):
        trace = sqlite3.connect(next(iter(sorted(self.folder.glob("*.sqlite")))))
        capture = dict(trace.execute("SELECT * FROM LAPSCOPE_CAPTURE"))
        gpu = trace.execute("SELECT name FROM TARGET_INFO_GPU").fetchone()[0]
        trace.close()
        return [
            f"Measured on {capture['created'][:10]} on {gpu}, driver {capture['driver-version']}, programs built with "
            f"CUDA 13.0, CUPTI {capture['cupti-version']}."
        ]

    def all(self):
        rows = []
        for case in self.cases:
            for variant in case["variants"]:
                f = self.figures(case["name"], variant["name"])
                if f is None:
                    rows.append([case["name"], variant["name"]] + ["not run"] + [""] * 5)
                    continue
                rows.append(
                    [
                        case["name"],
                        variant["name"],
                        number(f["wall"], 3),
                        number(f["expected_wall"], 3),
                        number(100 * (f["wall"] / f["expected_wall"] - 1), 1),
                        number(f["overlap"], 3),
                        number(f["expected_overlap"], 3),
                        f["causes"],
                    ]
                )
        head = ["case", "variant", "wall ms", "expected", "% off", "overlap", "expected", "gaps, % of the time"]
        return table(head, rows)

    def pairs(self, names):
        rows = []
        for case in self.cases:
            if case["name"] not in names:
                continue
            first = self.figures(case["name"], case["variants"][0]["name"])
            for variant in case["variants"][1:] or [None]:
                f = self.figures(case["name"], variant["name"]) if variant else None
                if first is None or (variant and f is None):
                    rows.append([case["name"]] + ["not run"] + [""] * 4)
                    continue
                last = f or first
                label = case["name"] + ("" if not variant or variant["name"] == "fixed" else f" → {variant['name']}")
                arrow = (lambda a, b: f"{a} → {b}") if variant else (lambda a, b: a)
                rows.append(
                    [
                        label,
                        arrow(number(first["wall"], 2), number(last["wall"], 2)),
                        f"{first['wall'] / last['wall']:.2f}×" if variant else "–",
                        arrow(number(first["overlap"], 2), number(last["overlap"], 2)),
                        arrow(f"{100 * first['idle']:.0f}", f"{100 * last['idle']:.0f}"),
                        first["causes"],
                    ]
                )
        return table(["case", "wall ms", "gain", "overlap", "idle %", "gaps before, % of the time"], rows)

    def lines(self, what):
        if what == ["machine"]:
            return self.machine()
        if what == ["all"]:
            return self.all()
        known = {case["name"] for case in self.cases}
        return self.pairs(what) if set(what) <= known else None


class Implicit:
    def __init__(self, paths):
        self.figures, *others = [json.loads(pathlib.Path(path).read_text()) for path in paths.split(",")]
        self.taken = {}  # By call: the file that had it.
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

        others = [sentence(f"`{name}` was measured apart,", f) for name, f in self.taken.items()]
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


def write(source, page):
    path = pathlib.Path(page)

    def replaced(match):
        lines = source.lines(match.group(1).split())
        return match.group(0) if lines is None else f"<!-- measured {match.group(1)} -->\n" + "\n".join(lines) + "\n<!-- end -->"

    old = path.read_text()
    new = re.sub(r"<!-- measured ([^>]*?) -->\n.*?<!-- end -->", replaced, old, flags=re.S)
    path.write_text(new)
    print(f"{page}: {'written' if new != old else 'as it was'}")


def main():
    sources = {"streams": Streams, "implicit": Implicit, "lines": Lines}
    if len(sys.argv) < 4 or sys.argv[1] not in sources:
        sys.exit(__doc__)
    source = sources[sys.argv[1]](sys.argv[2])
    for page in sys.argv[3:]:
        write(source, page)


main()
