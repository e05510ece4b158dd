"""The code that the programs of this folder share: PROGRAM [--fixed] [--large] [--repeats N].

Each program has one planted mistake. --fixed leaves it out. --large gives the GPU more work in each step of some
programs. The loop runs --warm times unmeasured. Then it runs --repeats times in an NVTX range "measured", between
cuProfilerStart and cuProfilerStop. Prints the wall time of each until the GPU is done: "wall_ms: 1.234". With
WAIT_FOR_TURN=1, a program prints "ready" after its imports, and uses the GPU after a line on its standard input. The
exit status is 77 without a framework or without a GPU.
"""
import argparse
import contextlib
import ctypes
import importlib
import os
import sys
import time


def options():
    parser = argparse.ArgumentParser(usage="PROGRAM [--fixed] [--large] [--repeats N] [--warm N]")
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--large", action="store_true", help="more work for the GPU in each step")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--warm", type=int, default=2)
    return parser.parse_args()


def wait_for_turn():
    if os.environ.get("WAIT_FOR_TURN"):
        print("ready", flush=True)
        sys.stdin.readline()


def framework(name, gpus=1):
    """Imports a module and waits for the program's turn. For torch, also checks the GPUs."""
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(77)
    wait_for_turn()
    if name == "torch" and module.cuda.device_count() < gpus:
        sys.stderr.write(f"it needs {gpus} GPUs, and {module.cuda.device_count()} are visible\n")
        sys.exit(77)
    return module


def ranges():
    """Returns functions that push and pop an NVTX range, from an imported framework."""
    if "torch" in sys.modules:
        nvtx = sys.modules["torch"].cuda.nvtx
        return nvtx.range_push, nvtx.range_pop
    with contextlib.suppress(ImportError, AttributeError):
        nvtx = importlib.import_module("cupy.cuda").nvtx
        return nvtx.RangePush, nvtx.RangePop
    sys.stderr.write("no NVTX range: neither PyTorch nor CuPy is installed\n")
    return (lambda name: None), (lambda: None)


def run(loop, synchronize, args=None, prints=True):
    """`loop` does the whole work once, and `synchronize` waits for the GPU. The garbage collector is not changed."""
    args = args or options()
    push, pop = ranges()
    driver = ctypes.CDLL("libcuda.so.1")
    for _ in range(args.warm):
        loop()
    synchronize()
    for _ in range(args.repeats):
        driver.cuProfilerStart()
        push("measured")
        begin = time.perf_counter()
        loop()
        synchronize()
        wall = time.perf_counter() - begin
        pop()
        driver.cuProfilerStop()
        if prints:
            print(f"wall_ms: {1000 * wall:.3f}", flush=True)
