"""NumPy prepares each batch between the steps. Fixed: a thread prepares the next batch during a step."""
from concurrent.futures import ThreadPoolExecutor

import measured

args = measured.options()
torch = measured.framework("torch")
import numpy  # noqa: E402

torch.manual_seed(1)
weight = torch.randn(2048, 2048, device="cuda") / 45
raw = numpy.random.default_rng(1).standard_normal((4, 512, 2048), dtype=numpy.float32)
staged = [torch.empty(512, 2048).pin_memory() for _ in range(12)]
worker = ThreadPoolExecutor(1)


def prepare(step):
    batch = staged[step]
    numpy.sin(raw[step % 4], out=batch.numpy())  # without the interpreter's lock
    return batch


def loop():
    total = torch.zeros((), device="cuda")
    ahead = worker.submit(prepare, 0) if args.fixed else None
    for step in range(12):
        batch = ahead.result() if args.fixed else prepare(step)
        if args.fixed and step < 11:
            ahead = worker.submit(prepare, step + 1)
        hidden = batch.to("cuda", non_blocking=True)
        for _ in range(8):
            hidden = torch.tanh(hidden @ weight)
        total += hidden.sum()
    return total


measured.run(loop, torch.cuda.synchronize, args)
worker.shutdown()
