#!/usr/bin/env python3
"""Shows which thread issues what inside an NVTX range: range_threads.py NAME.

Each program does all its GPU work inside the range 'loop' of the main thread, and prints its result. The exit status is
77 without PyTorch, or with too few GPUs.
"""
import os
import sys
import threading
import time


def model_and_data(torch):
    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)).cuda()
    return model, torch.randn(64, 256, device="cuda"), torch.randint(0, 10, (64,), device="cuda")


def train(torch, model, data, target, steps=3):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    loss = None
    with torch.cuda.nvtx.range("loop"):
        for _ in range(steps):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(data), target)
            loss.backward()
            optimizer.step()
        torch.cuda.synchronize()
    print(f"loss: {loss.item():.3f}")


def backward(torch):
    """A separate thread, without a range, issues PyTorch's backward pass."""
    train(torch, *model_and_data(torch))


def emit_nvtx(torch):
    """The same, but PyTorch opens a range for each operator, also in the thread of the backward pass."""
    with torch.autograd.profiler.emit_nvtx():
        train(torch, *model_and_data(torch))


def loader(torch):
    """A thread copies batches in its own range: four before the loop, and others until the loop has ended."""
    model, data, target = model_and_data(torch)
    torch.nn.functional.cross_entropy(model(data), target).backward()  # loads what the loop needs
    torch.cuda.synchronize()
    batch = torch.randn(64, 256).pin_memory()
    stream = torch.cuda.Stream()
    warm = threading.Event()
    done = threading.Event()

    def load():
        number = 0
        while number < 4 or not done.is_set():
            with torch.cuda.nvtx.range("load"), torch.cuda.stream(stream):
                batch.cuda(non_blocking=True)
                stream.synchronize()
            number += 1
            if number == 4:
                warm.set()
            time.sleep(0.001)

    thread = threading.Thread(target=load)
    thread.start()
    warm.wait()
    train(torch, model, data, target, steps=12)
    done.set()
    thread.join()


def workers(torch):
    """Four threads do all the work of the main thread's range."""

    def work(index):
        with torch.cuda.stream(torch.cuda.Stream()):
            values = torch.zeros(1 << 16, device="cuda")
            for _ in range(30):
                values.add_(index).mul_(0.5).sub_(1)
            torch.cuda.current_stream().synchronize()

    torch.zeros(1, device="cuda")
    with torch.cuda.nvtx.range("loop"):
        threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print("4 threads")


def ddp(torch):
    """DistributedDataParallel with one process per GPU. NCCL's kernels overlap the backward pass."""
    if torch.cuda.device_count() < 2:
        sys.exit(77)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29511")
    if "RANK" not in os.environ:
        import subprocess

        # The ranks have the command line of this process, because recordings store it.
        ranks = [subprocess.Popen(["python3", sys.argv[0], "ddp"], executable=sys.executable,
                                  env={**os.environ, "RANK": str(r), "WORLD_SIZE": "2"})
                 for r in range(2)]
        sys.exit(max(rank.wait() for rank in ranks))
    rank = int(os.environ["RANK"])
    torch.cuda.set_device(rank)
    torch.distributed.init_process_group("nccl")
    layers = [layer for _ in range(8) for layer in (torch.nn.Linear(2048, 2048), torch.nn.ReLU())]
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Sequential(*layers).cuda(), device_ids=[rank])
    data = torch.randn(4096, 2048, device="cuda")
    target = torch.randint(0, 2048, (4096,), device="cuda")
    torch.nn.functional.cross_entropy(model(data), target).backward()
    train(torch, model, data, target)
    torch.distributed.destroy_process_group()


PROGRAMS = {"backward": backward, "emit-nvtx": emit_nvtx, "loader": loader, "workers": workers, "ddp": ddp}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in PROGRAMS:
        sys.exit("usage: range_threads.py NAME, which is one of " + ", ".join(PROGRAMS))
    try:
        import torch
    except ImportError as error:
        print(error, file=sys.stderr)
        sys.exit(77)
    PROGRAMS[sys.argv[1]](torch)


if __name__ == "__main__":
    main()
