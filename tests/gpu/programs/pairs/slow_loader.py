"""Threads read batches ahead of the loop, each for 2 ms, as from a disk. Planted: one thread, too few. Fixed: six threads."""
import time
from concurrent.futures import ThreadPoolExecutor

import measured

args = measured.options()
torch = measured.framework("torch")

torch.manual_seed(1)
weight = torch.randn(2048, 2048, device="cuda") / 45
batches = [torch.randn(512, 2048).pin_memory() for _ in range(12)]
readers = ThreadPoolExecutor(6 if args.fixed else 1)


def read(step):
    time.sleep(0.002)
    return batches[step]


def loop():
    total = torch.zeros((), device="cuda")
    ahead = [readers.submit(read, step) for step in range(12)]
    for step in range(12):
        hidden = ahead[step].result().to("cuda", non_blocking=True)
        for _ in range(16):
            hidden = torch.tanh(hidden @ weight)
        total += hidden.sum()
    return total


measured.run(loop, torch.cuda.synchronize, args)
readers.shutdown()
