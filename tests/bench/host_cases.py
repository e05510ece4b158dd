#!/usr/bin/env python3
"""Compares the first findings in recordings with what is true of their programs: host_cases.py LAPSCOPE

The host limits these programs. Somebody who did not work on the analyzer wrote them after public reports.
"""
import json
import pathlib
import subprocess
import sys

import page_table

archive = pathlib.Path(__file__).resolve().parent.parent / "traces/host-cases/traces.tar.xz"

# By case: the code of the first finding. For host-compute, also the kind of work and the function.
true_of = {
    "resnet_loader": ("host-compute", ("data_loading", "D.__getitem__")),  # batches are made in the training thread
    "prepare_gap": ("host-compute", ("user", "PrepareGap::run(bool, int)")),  # tiles are prepared between calls
    "lightning": ("host-compute", ("dispatch", "<module>")),  # small kernels; all at the line of fit()
    "ema_loop": ("host-compute", ("dispatch", "ema_loop.<locals>.f")),  # two kernels a tensor
    "scheduler_lookup": ("host-sync", None),  # .item() in a loop; the host's dispatch comes second
}


def first(lapscope, trace):
    report = json.loads(subprocess.run([lapscope, "analyze", "--format", "json", trace], capture_output=True, text=True).stdout)
    device = report["devices"][0]
    scope = device["steady"] or device
    finding = scope["findings"][0]
    work = finding.get("host_work")
    return finding["code"], (work["kind"]["kind"], work["functions"][0]["function"]) if work else None


def main():
    wrong = 0
    with page_table.unpacked(archive) as place:
        for case, true in true_of.items():
            found = first(sys.argv[1], f"{place}/{case}.sqlite")
            print(f"{case}: {found}{'' if found == true else f', but {true} is true'}")
            wrong += found != true
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
