"""PyTorch programs that the host limits: small operators, training steps of a small GPT, of an LSTM made from cells,
and of a network with an averaged copy, Fourier transforms with new plans, and small reductions of two GPUs.

record_kinds.py imports this module and forks a process for each run, which is the first to use CUDA. `torch_programs.py
eager|gpt|lstm|average|plans` runs one program twice, the second time in an NVTX range of its name.
"""
import os
import sys
import time

import torch
from torch import nn


def eager_small_ops(device):
    """60 x 300 launches of a kernel that does almost nothing."""
    values = torch.zeros(16, device=device)

    def run():
        for _ in range(60):
            for _ in range(300):
                values.add_(1)

    return run


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.project = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        batch, length, width = x.shape
        heads = [part.view(batch, length, self.heads, -1).transpose(1, 2) for part in self.qkv(self.norm1(x)).split(width, 2)]
        mixed = nn.functional.scaled_dot_product_attention(*heads, is_causal=True)
        x = x + self.project(mixed.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.norm2(x))


class Gpt(nn.Module):
    def __init__(self, tokens=512, width=384, heads=6, layers=6, length=128):
        super().__init__()
        self.token, self.place = nn.Embedding(tokens, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(*(Block(width, heads) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, tokens)

    def forward(self, tokens):
        x = self.token(tokens) + self.place(torch.arange(tokens.shape[1], device=tokens.device))
        return self.head(self.norm(self.blocks(x)))


def gpt_training(device, steps=30):
    """Steps of a GPT of six layers. Batches are on the GPU, so most of the time is host work."""
    torch.manual_seed(1)
    model = Gpt().to(device)
    optimizer = torch.optim.AdamW(model.parameters())
    tokens = torch.randint(0, 512, (8, 129), device=device)

    def run():
        for _ in range(steps):
            logits = model(tokens[:, :-1])
            loss = nn.functional.cross_entropy(logits.reshape(-1, 512), tokens[:, 1:].reshape(-1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return run


def lstm_training(device, steps=10, tokens=32):
    """Steps of two LSTM cells, which process tokens one by one: many small kernels in both passes."""
    torch.manual_seed(1)
    cells = nn.ModuleList(nn.LSTMCell(256, 256) for _ in range(2)).to(device)
    optimizer = torch.optim.AdamW(cells.parameters())
    sequence = torch.randn(tokens, 16, 256, device=device)

    def run():
        for _ in range(steps):
            states = [None] * len(cells)
            for token in sequence:
                for i, cell in enumerate(cells):
                    states[i] = cell(token, states[i])
                    token = states[i][0]
            loss = token.square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    return run


def averaged_training(device, steps=10):
    """Steps of convolutions. After each, a separate operator updates the exponential average of each parameter."""
    torch.manual_seed(1)
    layers = [nn.Sequential(nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU()) for _ in range(24)]
    model = nn.Sequential(*layers).to(device)
    optimizer = torch.optim.SGD(model.parameters(), 1e-3)
    images = torch.randn(8, 32, 28, 28, device=device)
    averages = [parameter.detach().clone() for parameter in model.parameters()]

    def run():
        for _ in range(steps):
            loss = model(images).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            with torch.no_grad():
                for average, parameter in zip(averages, model.parameters()):
                    average.mul_(0.999).add_(parameter, alpha=0.001)

    return run


def transforms_with_new_plans(device, count=40):
    """Fourier transforms. cuFFT makes a plan for each."""
    torch.backends.cuda.cufft_plan_cache.max_size = 0
    rows = torch.randn(64, 4096, dtype=torch.complex64, device=device)

    def run():
        for _ in range(count):
            torch.fft.fft(rows)

    return run


def small_reductions(device, steps=15, count=192):
    """Steps of matrix products, each with 192 all-reduces of 1 KiB over all ranks."""
    values = [torch.randn(256, device=device) for _ in range(count)]
    weights = torch.randn(4096, 4096, device=device, dtype=torch.bfloat16) / 64

    def run():
        for _ in range(steps):
            x = weights
            for _ in range(8):
                x = nn.functional.gelu(x @ weights)
            for value in values:
                torch.distributed.all_reduce(value, op=torch.distributed.ReduceOp.AVG)

    return run


PROGRAMS = {
    "eager": eager_small_ops,
    "gpt": gpt_training,
    "lstm": lstm_training,
    "average": averaged_training,
    "plans": transforms_with_new_plans,
}
RANK_PROGRAMS = {"reductions": small_reductions}


def measure(repeats, names):
    """Returns [(name, ms)] of the named programs, after a warm-up."""
    times = []
    for name in names:
        run = (PROGRAMS | RANK_PROGRAMS)[name]("cuda")
        for repeat in range(-1, repeats):
            torch.cuda.synchronize()
            begin = time.perf_counter()
            run()
            torch.cuda.synchronize()
            if repeat >= 0:
                times.append((f"{name}_ms", (time.perf_counter() - begin) * 1e3))
    return times


def measure_rank(rank, ranks, port, repeats):
    """Runs measure() in one rank of the program with ranks."""
    os.environ.setdefault("NCCL_NVLS_ENABLE", "0")
    torch.cuda.set_device(rank)
    device = torch.device("cuda", rank)
    torch.distributed.init_process_group("nccl", f"tcp://127.0.0.1:{port}", rank=rank, world_size=ranks, device_id=device)
    times = measure(repeats, RANK_PROGRAMS)
    torch.distributed.destroy_process_group()
    return times


def run_in_range(name):
    run = PROGRAMS[name]("cuda")
    run()
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_push(name)
    run()
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_pop()


if __name__ == "__main__":
    run_in_range(sys.argv[1])
