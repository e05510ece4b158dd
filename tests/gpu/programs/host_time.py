"""Training loops whose host time is known: host_time.py CASE [SECONDS]

Each step launches a few kernels, with host work of known kinds between them. Prints JSON: the seconds of each part in the
range "measure", by time.perf_counter().
"""
import collections
import contextlib
import gc
import json
import os
import sys
import threading
import time

import torch

spent = collections.Counter()


@contextlib.contextmanager
def part(name):
    begin = time.perf_counter()
    yield
    spent[name] += time.perf_counter() - begin


def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


def short_work():
    with part("short_work"):
        spin(0.003)


def long_work():
    with part("long_work"):
        spin(0.007)


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 1 << 20

    def __getitem__(self, index):
        spin(0.001)
        return torch.full((256,), float(index % 7))


def launch():
    torch.add(x, 1.0, out=y)


def two_functions():
    while True:
        short_work()
        launch()
        long_work()
        yield


def lock():
    taken, free = threading.Lock(), threading.Event()

    def keep():
        while True:
            with taken:
                free.set()
                time.sleep(0.006)
            time.sleep(0.002)

    threading.Thread(target=keep, daemon=True).start()
    free.wait()
    while True:
        with part("lock"):
            with taken:
                pass
        short_work()
        yield


def sleep():
    while True:
        with part("sleep"):
            time.sleep(0.006)
        short_work()
        yield


def read():
    reads, writes = os.pipe()

    def write():
        while True:
            time.sleep(0.006)
            os.write(writes, b"x")

    threading.Thread(target=write, daemon=True).start()
    while True:
        with part("read"):
            os.read(reads, 1)
        short_work()
        yield


def collect():
    rest = [[i] for i in range(100_000)]
    while True:
        with part("collect"):
            gc.collect()
        short_work()
        yield
        assert rest


def loader(workers):
    batches = iter(torch.utils.data.DataLoader(Data(), 8, num_workers=workers))
    while True:
        with part("loader"):
            next(batches)
        short_work()
        yield


def dispatch():
    while True:
        with part("dispatch"):
            for _ in range(300):
                launch()
        short_work()
        yield


CASES = {"two_functions": two_functions, "lock": lock, "sleep": sleep, "read": read, "collect": collect,
         "loader_in_thread": lambda: loader(0), "loader_in_worker": lambda: loader(1), "dispatch": dispatch}

if __name__ == "__main__":
    case, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 2.0
    x, y = torch.zeros(1 << 12, device="cuda"), torch.zeros(1 << 12, device="cuda")
    steps = CASES[case]()
    for _ in range(10):
        next(steps)
        launch()
    torch.cuda.synchronize()
    spent.clear()
    torch.cuda.nvtx.range_push("measure")
    begin = time.perf_counter()
    while time.perf_counter() - begin < seconds:
        launch()
        next(steps)
    torch.cuda.synchronize()
    wall = time.perf_counter() - begin
    torch.cuda.nvtx.range_pop()
    print(json.dumps({"case": case, "wall": wall, "parts": dict(spent)}))
