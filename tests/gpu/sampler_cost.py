#!/usr/bin/env python3
"""Measures what samples of the host cost a loop, in one process: sampler_cost.py LIBRARY [--rate HZ] [--pairs N]
[PROGRAM...]

LIBRARY is sampler_switch of the build. Each program is a loop that its host limits. A pair is a part of the loop with
samples and a part without, in random order. Nothing else is recorded. The table has the median of the ratios of the
time of an iteration, and its 95 % interval, from ranks of the binomial distribution.

The last line says for how long a thread that only reads the clock did not run, with samples and without.
"""
import argparse
import ctypes
import math
import random
import statistics
import time

stretch_seconds = 0.25


def launches():
    import torch
    x = torch.zeros(16, device="cuda")

    def step():
        for _ in range(100):
            x.add_(1)
    return step


def ema_loop():
    import torch
    live = [torch.randn(64, 64, device="cuda") for _ in range(200)]
    mean = [t.clone() for t in live]

    def step():
        for e, t in zip(mean, live):
            e.mul_(0.999).add_(t, alpha=0.001)
    return step


def lstm():
    import torch
    net = torch.nn.LSTMCell(256, 256).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=1e-4)
    x = torch.randn(8, 256, device="cuda")

    def step():
        h = c = torch.zeros(8, 256, device="cuda")
        for _ in range(16):
            h, c = net(x, (h, c))
        h.square().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return step


def gpt():
    import torch
    layer = torch.nn.TransformerEncoderLayer(256, 4, 512, batch_first=True, device="cuda")
    net = torch.nn.TransformerEncoder(layer, 6).cuda()
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4)
    x = torch.randn(4, 64, 256, device="cuda")

    def step():
        net(x).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return step


def python_alone():
    """A loop that needs no GPU."""
    values = list(range(1000))

    def step():
        sum(v * v for v in values)
    return step


programs = {f.__name__: f for f in (launches, ema_loop, lstm, gpt, python_alone)}


def stretch(step, seconds):
    """Runs the loop for about `seconds`. Returns the time of an iteration in s."""
    count = 0
    begin = time.perf_counter()
    while (now := time.perf_counter()) < begin + seconds:
        step()
        count += 1
    return (now - begin) / count


def interval(values):
    """Returns the 95 % interval of the median, from ranks of the binomial distribution."""
    values = sorted(values)
    n = len(values)
    rank, below = 0, 0.5 ** n
    while below <= 0.025:
        rank += 1
        below += math.comb(n, rank) * 0.5 ** n
    rank = max(rank, 1)
    return values[rank - 1], values[n - rank]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("program", nargs="*", default=["launches", "ema_loop", "lstm", "gpt"])
    parser.add_argument("--rate", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=60)
    options = parser.parse_args()
    for name in options.program:
        if name not in programs:
            parser.error(f"there is no program '{name}': choose from {', '.join(programs)}")
    library = ctypes.CDLL(options.library)
    native = library.sampler_prepare(options.rate)
    print(f"{options.rate} samples a second, native frames: {'yes' if native else 'refused'}")
    print(f"{'program':12} {'iteration ms':>12} {'samples/s':>9}  {'with / without':>14}  95 % interval     with nothing changed")
    for name in options.program:
        step = programs[name]()
        stretch(step, 1)
        ratios, nothing, times, taken = [], [], [], 0
        for _ in range(options.pairs):
            found = {}
            for samples in random.sample([True, False], 2):
                if samples:
                    library.sampler_start()
                found[samples] = stretch(step, stretch_seconds)
                if samples:
                    taken += library.sampler_stop()
            ratios.append(found[True] / found[False])
            times.append(found[False])
            # Measures in the same way without samples, to show the error of the method.
            again = {one: stretch(step, stretch_seconds) for one in random.sample([True, False], 2)}
            nothing.append(again[True] / again[False])
        low, high = interval(ratios)
        zero = interval(nothing)
        print(f"{name:12} {statistics.median(times) * 1e3:12.3f} {taken / options.pairs / stretch_seconds:9.0f}  "
              f"{statistics.median(ratios):14.4f}  {low:.4f} to {high:.4f}  "
              f"{statistics.median(nothing):.4f} ({zero[0]:.4f} to {zero[1]:.4f})", flush=True)
    lost = [f"{statistics.median(values):.0f} ({low:.0f} to {high:.0f})"
            for values in interruptions(library, options.pairs) for low, high in [interval(values)]]
    print(f"kept from running, us a second: {lost[0]} with samples, {lost[1]} without")


def interruptions(library, pairs):
    """Returns the time in which a thread did not run, in us per second, with samples and without."""
    library.sampler_gaps.restype = ctypes.c_longlong
    library.sampler_gaps.argtypes = [ctypes.c_double]
    lost = {True: [], False: []}
    for _ in range(pairs):
        for samples in random.sample([True, False], 2):
            if samples:
                library.sampler_start()
            lost[samples].append(library.sampler_gaps(stretch_seconds) / 1e3 / stretch_seconds)
            if samples:
                library.sampler_stop()
    return lost[True], lost[False]


if __name__ == "__main__":
    main()
