#!/usr/bin/env python3
"""Prints a table of what recording adds to kernels, or to the time per op on the device.

kernel_lengths.py BUILD_DIR [--program kernel_lengths|op_periods] [--rounds N]

Runs the program alternately without a collector and with lapscope. Figures are medians over the rounds. Needs a GPU.
Exit status: 0; 1 if a program failed; 77 without a GPU.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile


def lengths(command):
    """Returns name -> us."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        sys.exit(77 if done.returncode == 77 else 1)
    lines = (line.split("\t") for line in done.stdout.splitlines())
    return {name: int(ns) / 1e3 for name, ns in lines}


def main():
    parser = argparse.ArgumentParser(description="What recording does to kernels, or between ops of the device, as a table.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--program", choices=("kernel_lengths", "op_periods"), default="kernel_lengths")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    program = str(options.build / "tests/bench/collector" / options.program)
    with tempfile.TemporaryDirectory(prefix="lapscope-bench-") as folder:
        trace = str(pathlib.Path(folder) / "t.sqlite")
        record = [str(options.build / "bin/lapscope"), "record", "-o", trace, "--", program]
        rounds = [(lengths([program]), lengths(record)) for _ in range(options.rounds)]
    print("| device work | alone, us | recorded, us | added, us | ratio |\n| --- | ---: | ---: | ---: | ---: |")
    for name in rounds[0][0]:
        alone = statistics.median(bare[name] for bare, _ in rounds)
        recorded = statistics.median(with_lapscope[name] for _, with_lapscope in rounds)
        print(f"| {name} | {alone:.2f} | {recorded:.2f} | {recorded - alone:+.2f} | {recorded / alone:.2f} |")


if __name__ == "__main__":
    main()
