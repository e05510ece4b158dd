#!/usr/bin/env python3
"""Writes the figures of tests/bench/collector/compare.py into documents, so that nobody types them.

write_cost_tables.py FIGURES[,FIGURES...] PAGE...     FIGURES is a file of compare.py --json. If several files have a
                                                      scenario, the last of them counts.

In each page, replaces the lines between `<!-- measured collector WHAT -->` and `<!-- end -->`. WHAT is one of
  machine    GPU, driver, cores and date
  goals      each goal, the measured figure, and whether the goal is met
  launches   the time of a launch with each collector
  rest       memory, size of the trace, and the time to its end
"""
import json
import pathlib
import statistics
import sys

sys.dont_write_bytecode = True
from write_tables import table, write  # noqa: E402

NAMES = {
    "empty-1": "empty kernel, 1 thread",
    "empty-16": "empty kernel, 16 threads",
    "graph-1": "graph of 1,000 kernels, 1 thread",
    "graph-16": "graph of 1,000 kernels, 16 threads",
    "churn": "48 threads that live briefly",
    "add-1": "PyTorch `add_`, 1 thread",
    "add-16": "PyTorch `add_`, 16 threads",
    "long-1": "without pause, 1 thread",
    "long-16": "without pause, 16 threads",
}
COLLECTORS = {"none": "none", "bare": "bare", "bare-flush": "bare, flushing", "lapscope": "lapscope"}


def number(value, digits=0):
    return f"{value:,.{digits}f}".replace("-", "−")


def values(runs, key):
    return [run[key] for run in runs]


def median(runs, key):
    return statistics.median(values(runs, key))


class Cost:
    def __init__(self, files):
        self.machines = []
        self.scenarios = {}
        for name in files.split(","):
            content = json.loads(pathlib.Path(name).read_text())
            self.scenarios.update(content["scenarios"])
            if content["machine"] not in self.machines:
                self.machines.append(content["machine"])
        self.scenarios = {name: self.scenarios[name] for name in NAMES if name in self.scenarios}

    def added(self, scenario, collector):
        """Returns ns per launch in each round, minus those without a collector in the same round."""
        results = self.scenarios[scenario]
        pairs = zip(results[collector], results["none"])
        return [run["ns_per_launch"] - base["ns_per_launch"] for run, base in pairs]

    def machine(self):
        return [
            f"Measured on {m['date']} on {m['gpu']}, driver {m['driver']}, {m['cores']} cores." for m in self.machines
        ]

    def goal_rows(self):
        """Yields (goal, scenario, figure, whether the goal is met)."""
        for name, results in self.scenarios.items():
            lapscope, none = results["lapscope"], results["none"]
            if name == "churn":
                wall = median(lapscope, "wall_ms") / median(none, "wall_ms")
                yield "wall time within 3 % of none", name, f"{100 * (wall - 1):+.1f} %".replace("-", "−"), abs(wall - 1) <= 0.03
            elif "bare" in results:
                mine, bare = (statistics.median(self.added(name, collector)) for collector in ("lapscope", "bare"))
                # If launches are not the bottleneck, the time that a collector adds is lost in the scatter.
                scatter = max(values(none, "ns_per_launch")) - min(values(none, "ns_per_launch"))
                shows = bare > scatter
                figure = f"{mine / bare:.2f} ×" if shows else f"{number(mine)} ns, where none scatters by {number(scatter)}"
                yield "adds at most 1.10 × what bare adds", name, figure, mine / bare <= 1.10 if shows else mine <= scatter
            if name.startswith("long"):
                launches, seconds = median(lapscope, "launches_per_s"), median(lapscope, "wall_ms") / 1e3
                lost = median(lapscope, "lost")
                yield (
                    "60 s at 200,000 launches/s and 0 lost",
                    name,
                    f"{seconds:.0f} s at {number(launches)}, {number(lost)} lost",
                    launches >= 200_000 and seconds >= 59.9 and lost == 0,
                )
                later = median(lapscope, "end_ms") - median(none, "end_ms")
                yield "file complete at most 1 s later than the program without", name, f"{later:.0f} ms", later <= 1000
            if name != "churn":
                size = median(lapscope, "trace_bytes") / median(lapscope, "kernels")
                yield "at most 160 bytes of trace a launch", name, number(size, 1), size <= 160

    def goals(self):
        rows = sorted(self.goal_rows(), key=lambda row: row[0])
        return table(
            ["goal", "scenario", "measured", "met"],
            [[goal, NAMES[name], figure, "yes" if met else "**no**"] for goal, name, figure, met in rows],
        )

    def launches(self):
        rows = []
        for name, results in self.scenarios.items():
            for collector, runs in results.items():
                took = values(runs, "ns_per_launch")
                row = [NAMES[name], COLLECTORS[collector], number(statistics.median(took))]
                row += [f"{number(min(took))} to {number(max(took))}" if len(took) > 1 else ""]
                row += ["" if collector == "none" else number(statistics.median(self.added(name, collector)))]
                rows.append(row + [str(len(runs))])
        return table(["scenario", "collector", "ns a launch", "range", "added", "rounds"], rows)

    def rest(self):
        rows = []
        for name, results in self.scenarios.items():
            for collector, runs in results.items():
                row = [NAMES[name], COLLECTORS[collector], number(median(runs, "peak_rss_mib"))]
                row += [number(median(runs, "gpu_memory_mib")), number(median(runs, "end_ms"))]
                traced = "kernels" in runs[0]
                row += [number(median(runs, "trace_bytes") / median(runs, "kernels"), 1) if traced else ""]
                rows.append(row + [number(median(runs, "lost")) if traced else ""])
        return table(["scenario", "collector", "peak RSS MiB", "GPU MiB", "last line to end ms", "bytes a launch", "lost"], rows)

    def lines(self, what):
        return {"machine": self.machine, "goals": self.goals, "launches": self.launches, "rest": self.rest}[" ".join(what)]()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    cost = Cost(sys.argv[1])
    for page in sys.argv[2:]:
        write(cost, page, "collector ")


main()
