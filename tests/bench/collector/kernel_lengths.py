#!/usr/bin/env python3
"""What recording does to kernels themselves, as a table.

kernel_lengths.py BUILD_DIR [--rounds N]

Runs kernel_lengths without a collector and with lapscope in turn; figures are medians over the rounds.
Needs a GPU. Exit status: 0; 1 when a program failed; 77 where there is no GPU.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile


def lengths(command):
    """Name -> us."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        sys.exit(77 if done.returncode == 77 else 1)
    lines = (line.split("\t") for line in done.stdout.splitlines())
    return {name: int(ns) / 1e3 for name, ns in lines}


def main():
    parser = argparse.ArgumentParser(description="What recording does to kernels themselves, as a table.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    program = str(options.build / "tests/bench/collector/kernel_lengths")
    with tempfile.TemporaryDirectory(prefix="lapscope-bench-") as folder:
        trace = str(pathlib.Path(folder) / "t.sqlite")
        record = [str(options.build / "bin/lapscope"), "record", "-o", trace, "--", program]
        rounds = [(lengths([program]), lengths(record)) for _ in range(options.rounds)]
    print("| kernel | alone, us | recorded, us | ratio |\n| --- | ---: | ---: | ---: |")
    for name in rounds[0][0]:
        alone = statistics.median(bare[name] for bare, _ in rounds)
        recorded = statistics.median(with_lapscope[name] for _, with_lapscope in rounds)
        print(f"| {name} | {alone:.1f} | {recorded:.1f} | {recorded / alone:.2f} |")


if __name__ == "__main__":
    main()
