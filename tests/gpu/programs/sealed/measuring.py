"""What the programs of this folder share: PROGRAM NAME VARIANT [--repeat N].

VARIANT is broken or fixed; of a control, in which nothing is wrong, it is control. The work is done once without being
measured, then N times in an NVTX range "measured", and each time a line tells what came out of it and how long it took.
With WAIT_FOR_TURN=1 a program prints "ready" once it has imported what it needs, and uses the GPU only after a line on its
standard input. Exit status 77 where there is no framework or no GPU.
"""
import argparse
import importlib
import os
import sys
import time


class Program:
    """`work` does the whole work once; `checksum` tells afterwards what came out of it. What `reset` does is not measured."""

    def __init__(self, work, checksum, reset=lambda: None):
        self.work = work
        self.checksum = checksum
        self.reset = reset


def skip(why):
    sys.stderr.write(f"{why}\n")
    sys.exit(77)


def imported(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        skip(f"{name} is not installed: {error}")


def wait_for_turn():
    if os.environ.get("WAIT_FOR_TURN"):
        print("ready", flush=True)
        sys.stdin.readline()


def ranges():
    """Functions that push and pop an NVTX range: those of a framework that is there."""
    if "torch" in sys.modules:
        nvtx = sys.modules["torch"].cuda.nvtx
        return nvtx.range_push, nvtx.range_pop
    try:
        nvtx = importlib.import_module("cupy.cuda").nvtx
        return nvtx.RangePush, nvtx.RangePop
    except (ImportError, AttributeError):
        sys.stderr.write("no NVTX range: neither PyTorch nor CuPy is installed\n")
        return (lambda name: None), (lambda: None)


def run(programs, frameworks):
    """`programs` by their names: the framework and a function that makes the program of a variant, and what that is to do
    before the framework is imported. `frameworks` by their names: a function that tells whether there is a GPU for the
    module, and one that waits for it."""
    names = " ".join(programs)
    parser = argparse.ArgumentParser(usage=f"PROGRAM NAME VARIANT [--repeat N], where NAME is one of {names}")
    parser.add_argument("name", choices=programs)
    parser.add_argument("variant", choices=["broken", "fixed", "control"])
    parser.add_argument("--repeat", type=int, default=1)
    args = parser.parse_args()
    if (args.variant == "control") != args.name.startswith("control-"):
        parser.error(f"{args.name} has no variant {args.variant}")
    broken = args.variant == "broken"
    framework, make, *before = programs[args.name]
    for each in before:
        each(broken)
    module = imported(framework)
    has_gpu, synchronize = frameworks[framework]
    push, pop = ranges()
    wait_for_turn()
    if not has_gpu(module):
        skip("no usable GPU")
    program = make(module, broken)
    for turn in range(1 + args.repeat):
        program.reset()
        synchronize(module)
        if turn == 0:
            program.work()
            synchronize(module)
            continue
        push("measured")
        begin = time.perf_counter()
        program.work()
        synchronize(module)
        wall = time.perf_counter() - begin
        pop()
        print(f"{args.name} {args.variant} checksum={float(program.checksum()):.9g} wall_ms={1000 * wall:.3f}", flush=True)
