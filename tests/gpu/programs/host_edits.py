"""Training loops with host work that one edit removes: host_edits.py CASE [--fixed] [--seconds S]

Each case exists in two versions: as people write it first, and with the edit in its name. Both run the same number of
steps, in the range "measure": as many as the first version does in about S seconds. Prints JSON: the wall in ms.
"""
import argparse
import collections
import concurrent.futures
import gc
import json
import multiprocessing
import os
import random
import tempfile
import threading
import time

import numpy
import torch
from torch import nn

device = "cuda"


class Work:
    """About a millisecond of work on the GPU. One launch takes a hundred microseconds."""

    def __init__(self, matrices=10, size=2048):
        self.a = torch.randn(size, size, device=device, dtype=torch.float16)
        self.b = torch.empty_like(self.a)
        self.matrices = matrices

    def __call__(self):
        for _ in range(self.matrices):
            torch.mm(self.a, self.a, out=self.b)


def ahead(make, jobs, pool, depth):
    """Yields results of make(job). While one is used, `depth` others are being made."""
    waiting = collections.deque(pool.submit(make, next(jobs)) for _ in range(depth))
    while True:
        result = waiting.popleft().result()
        waiting.append(pool.submit(make, next(jobs)))
        yield result


# Data loading


class Images(torch.utils.data.Dataset):
    def __init__(self):
        self.images = numpy.random.default_rng(1).integers(0, 256, (256, 96, 96, 3), dtype=numpy.uint8)

    def __len__(self):
        return 1 << 20

    def __getitem__(self, index):
        image = self.images[index % 256].astype(numpy.float32) / 255
        top, left = index % 17, index % 13
        image = numpy.pad(image, ((8, 8), (8, 8), (0, 0)))[top:top + 96, left:left + 96]
        if index % 2:
            image = image[:, ::-1]
        return numpy.ascontiguousarray(((image - 0.45) / 0.22).transpose(2, 0, 1)), index % 10


def image_loader(fixed):
    net = nn.Sequential(nn.Conv2d(3, 32, 3, 2), nn.ReLU(), nn.Conv2d(32, 64, 3, 2), nn.ReLU(), nn.Flatten(),
                        nn.LazyLinear(10)).to(device)
    more = dict(num_workers=8) if fixed else {}
    batches = iter(torch.utils.data.DataLoader(Images(), 32, **more))
    work = Work()

    def step():
        images, labels = next(batches)
        loss = nn.functional.cross_entropy(net(images.to(device, non_blocking=True)),
                                           labels.to(device, non_blocking=True))
        loss.backward()
        work()

    return step


class Sentences(torch.utils.data.Dataset):
    words = [f"word{i}" for i in range(5000)]
    numbers = {word: i for i, word in enumerate(words)}

    def __len__(self):
        return 1 << 20

    def __getitem__(self, index):
        draw = random.Random(index)
        text = " ".join(draw.choice(self.words).upper() for _ in range(60))
        return [self.numbers[word.strip(".,").lower()] for word in text.split()]


def padded(rows):
    longest = max(len(row) for row in rows)
    return torch.tensor([row + [0] * (longest - len(row)) for row in rows])


def text_loader(fixed):
    embed = nn.Embedding(5000, 256).to(device)
    more = dict(num_workers=6) if fixed else {}
    batches = iter(torch.utils.data.DataLoader(Sentences(), 64, collate_fn=padded, **more))
    work = Work()

    def step():
        embed(next(batches).to(device)).sum()
        work()

    return step


# The program's own code


def parsed(seed):
    lines = [",".join(str((seed * 31 + i * j) % 997) for j in range(24)) for i in range(200)]
    rows = []
    for line in lines:
        values = [float(text) for text in line.split(",")]
        mean = sum(values) / len(values)
        rows.append(sum((value - mean) ** 2 for value in values))
    return rows


def parse_records(fixed):
    work = Work()
    jobs = iter(range(1 << 30))
    rows = ahead(parsed, jobs, concurrent.futures.ProcessPoolExecutor(1), 4) if fixed else map(parsed, jobs)

    def step():
        torch.tensor(next(rows)).to(device)
        work(), work(), work()

    return step


def negatives(seed):
    draw, seen, rows = random.Random(seed), set(range(0, 4000, 3)), []
    while len(rows) < 2500:
        item = draw.randrange(4000)
        if item not in seen:
            rows.append(item)
    return rows


def sample_negatives(fixed):
    scores, work = nn.Embedding(4000, 128).to(device), Work(6)
    jobs = iter(range(1 << 30))
    drawn = ahead(negatives, jobs, concurrent.futures.ProcessPoolExecutor(1), 4) if fixed else map(negatives, jobs)

    def step():
        scores(torch.tensor(next(drawn), device=device)).sum()
        work()

    return step


# Logging, reading and writing


def write_log(fixed):
    work, log = Work(), open(os.path.join(tempfile.mkdtemp(), "log.jsonl"), "w")
    norms = {f"layer{i}.weight": 0.1 * i for i in range(300)}
    steps = 0

    def write():
        for part in range(8):
            log.write(json.dumps({"step": steps, "part": part, "norms": norms}) + "\n")
            log.flush()

    def step():
        nonlocal steps
        steps += 1
        work()
        if not fixed or steps % 20 == 0:
            write()

    return step


def save_state(fixed):
    work, folder = Work(), tempfile.mkdtemp()
    state = {f"layer{i}": torch.randn(256, 256) for i in range(24)}
    steps = 0

    def step():
        nonlocal steps
        steps += 1
        work()
        if steps % (50 if fixed else 2) == 0:
            torch.save(state, os.path.join(folder, "state.pt"))

    return step


def read_shards(fixed):
    work, path = Work(), os.path.join(tempfile.mkdtemp(), "shard")
    numpy.zeros(12 << 20, numpy.uint8).tofile(path)
    buffers = [bytearray(12 << 20) for _ in range(3)]

    def read(number):
        with open(path, "rb", buffering=0) as file:
            file.readinto(buffers[number % 3])
        return buffers[number % 3]

    jobs = iter(range(1 << 30))
    shards = ahead(read, jobs, concurrent.futures.ThreadPoolExecutor(1), 2) if fixed else map(read, jobs)

    def step():
        torch.frombuffer(next(shards), dtype=torch.uint8)[:4096].to(device)
        work(), work(), work()

    return step


# Garbage


def collect(fixed):
    work, rest = Work(), [[i] for i in range(150_000)]
    if fixed:
        gc.freeze()

    def step():
        work()
        if not fixed:
            gc.collect()
        assert rest

    return step


def replay_buffer(fixed):
    work, kept = Work(), collections.deque(maxlen=400_000)
    for i in range(400_000):
        kept.append({"state": [i], "reward": 0.0})
    if fixed:
        gc.collect()
        gc.freeze()
        gc.disable()

    def step():
        work()
        for i in range(6000):
            kept.append({"state": [i], "reward": 1.0})

    return step


# Dispatch


def graphed(body, fixed):
    if not fixed:
        return body
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            body()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        body()
    return graph.replay


def small_ops(fixed):
    x, y = torch.randn(1 << 16, device=device), torch.randn(1 << 16, device=device)

    def body():
        z = x
        for _ in range(100):
            z = torch.tanh(z * 0.5 + y)
        return z

    return graphed(body, fixed)


def lstm_cell(fixed):
    cell, inputs = nn.LSTMCell(128, 256).to(device), torch.randn(50, 16, 128, device=device)

    @torch.no_grad()
    def body():
        state = (torch.zeros(16, 256, device=device), torch.zeros(16, 256, device=device))
        for i in range(50):
            state = cell(inputs[i], state)
        return state[0]

    return graphed(body, fixed)


def optimizer_loop(fixed, kind, shapes):
    parameters = [nn.Parameter(torch.randn(shape, device=device)) for shape in shapes]
    for one in parameters:
        one.grad = torch.randn_like(one)
    more = {"fused": True} if fixed else {"foreach": False}
    return kind(parameters, lr=1e-3, **more)


def adam_loop(fixed):
    optimizer = optimizer_loop(fixed, torch.optim.Adam, [(128, 128), (128,)] * 60)
    work = Work()

    def step():
        work()
        optimizer.step()

    return step


def adamw_transformer(fixed):
    layer = nn.TransformerEncoderLayer(256, 4, 512, dropout=0, batch_first=True)
    net = nn.TransformerEncoder(layer, 6).to(device)
    inputs = torch.randn(64, 128, 256, device=device)
    more = {"fused": True} if fixed else {"foreach": False}
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-4, **more)

    def step():
        optimizer.zero_grad(set_to_none=True)
        net(inputs).square().mean().backward()
        optimizer.step()

    return step


# Waits


def shared_lock(fixed):
    work, taken, ready = Work(3), threading.Lock(), collections.deque([0], maxlen=4)
    data = numpy.random.default_rng(1).random(1 << 18)

    def feed():
        while True:
            if fixed:
                batch = numpy.sort(data)[0]
                with taken:
                    ready.append(batch)
            else:
                with taken:
                    ready.append(numpy.sort(data)[0])
            time.sleep(0.001)

    threading.Thread(target=feed, daemon=True).start()

    def step():
        with taken:
            torch.full((16,), float(ready[-1]), device=device)
        work()

    return step


def poll_event(fixed):
    work, done = Work(20), torch.cuda.Event()

    def step():
        work()
        done.record()
        if fixed:
            done.synchronize()
        while not done.query():
            time.sleep(0.005)

    return step


def simulate(seed):
    draw, x = random.Random(seed), 0.0
    for _ in range(8000):
        x = 0.99 * x + draw.random()
    return x


def pool_map(fixed):
    work, pool = Work(), multiprocessing.get_context("fork").Pool(16 if fixed else 8)
    following = [pool.map_async(simulate, range(16), 1)] if fixed else []

    def step():
        if fixed:
            following.append(pool.map_async(simulate, range(16), 1))
        states = following.pop(0).get() if fixed else pool.map(simulate, range(16), 1)
        torch.tensor(states).to(device)
        work(), work()

    return step


# How many steps the first version makes in a second, about.
CASES = {"image_loader": (image_loader, 60), "parse_records": (parse_records, 180), "write_log": (write_log, 200),
         "read_shards": (read_shards, 150), "collect": (collect, 15), "small_ops": (small_ops, 400),
         "adam_loop": (adam_loop, 80), "shared_lock": (shared_lock, 250), "poll_event": (poll_event, 140),
         "text_loader": (text_loader, 150), "sample_negatives": (sample_negatives, 250),
         "save_state": (save_state, 150), "replay_buffer": (replay_buffer, 300), "lstm_cell": (lstm_cell, 100),
         "adamw_transformer": (adamw_transformer, 60), "pool_map": (pool_map, 150)}

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    parser.add_argument("--fixed", action="store_true")
    parser.add_argument("--seconds", type=float, default=2.0)
    arguments = parser.parse_args()
    make, steps_a_second = CASES[arguments.case]
    step = make(arguments.fixed)
    for _ in range(20):
        step()
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_push("measure")
    begin = time.perf_counter()
    for _ in range(round(steps_a_second * arguments.seconds)):
        step()
    torch.cuda.synchronize()
    wall = time.perf_counter() - begin
    torch.cuda.nvtx.range_pop()
    print(json.dumps({"case": arguments.case, "fixed": arguments.fixed, "wall_ms": round(wall * 1e3, 3)}), flush=True)
