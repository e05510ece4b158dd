"""What the programs of this folder share: PROGRAM [--fixed] [--large] [--repeats N].

Each has one planted mistake, which --fixed leaves out. With --large some give the GPU more to do in each step. Its loop
runs --warm times unmeasured, then --repeats times in an NVTX range "measured" and between cuProfilerStart and
cuProfilerStop. The wall time of each, until the GPU is done, is printed: "wall_ms: 1.234". With WAIT_FOR_TURN=1 a
program prints "ready" once it has imported what it needs, and uses the GPU only after a line on its standard input. Exit
status 77 where there is no framework or no GPU.
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
    """Imports it and waits for its turn; torch is also asked for its GPUs."""
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
    """Functions that push and pop an NVTX range: those of a framework that is there."""
    if "torch" in sys.modules:
        nvtx = sys.modules["torch"].cuda.nvtx
        return nvtx.range_push, nvtx.range_pop
    with contextlib.suppress(ImportError, AttributeError):
        nvtx = importlib.import_module("cupy.cuda").nvtx
        return nvtx.RangePush, nvtx.RangePop
    sys.stderr.write("no NVTX range: neither PyTorch nor CuPy is installed\n")
    return (lambda name: None), (lambda: None)


def run(loop, synchronize, args=None, prints=True):
    """`loop` does the whole work once; `synchronize` waits for the GPU. The garbage collector stays as it is."""
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
