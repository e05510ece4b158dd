#!/usr/bin/env python3
"""Small programs of common Python frameworks: frameworks.py NAME. Their output depends only on their work.

The exit status is 77 if the framework is not installed.
"""
import os
import sys


def model_and_data():
    import torch

    torch.manual_seed(1)
    model = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)).cuda()
    data = torch.randn(64, 256, device="cuda")
    target = torch.randint(0, 10, (64,), device="cuda")
    return torch, model, data, target


def train(steps=20, compiled=False):
    torch, model, data, target = model_and_data()
    optimizer = torch.optim.AdamW(model.parameters())
    step = torch.compile(model) if compiled else model
    loss = None
    for _ in range(steps):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(step(data), target)
        loss.backward()
        optimizer.step()
    print(f"loss after {steps} steps: {loss.item():.3f}")


def torch_training():
    train()


def torch_step():
    """A few training steps with the usual annotations. Each has a batch from pageable memory."""
    torch, model, _, _ = model_and_data()
    optimizer = torch.optim.AdamW(model.parameters())
    batches = [(torch.randn(64, 256), torch.randint(0, 10, (64,))) for _ in range(5)]
    loss = None
    for step, (data, target) in enumerate(batches):
        with torch.cuda.nvtx.range(f"step {step}"):
            with torch.cuda.nvtx.range("copy"):
                data, target = data.cuda(), target.cuda()
            with torch.cuda.nvtx.range("forward"):
                loss = torch.nn.functional.cross_entropy(model(data), target)
            with torch.cuda.nvtx.range("backward"):
                optimizer.zero_grad()
                loss.backward()
            with torch.cuda.nvtx.range("optimizer"):
                optimizer.step()
    print(f"loss after {len(batches)} steps: {loss.item():.3f}")


def torch_compile():
    train(compiled=True)


def torch_loader():
    """A DataLoader. Its workers are forked after CUDA was used."""
    import torch

    print(torch.ones(3, device="cuda").sum().item())
    dataset = torch.utils.data.TensorDataset(torch.arange(256, dtype=torch.float32))
    loader = torch.utils.data.DataLoader(dataset, batch_size=16, num_workers=3, pin_memory=True)
    total = torch.zeros((), device="cuda")
    for _ in range(2):
        for (batch,) in loader:
            total += batch.cuda(non_blocking=True).sum()
    print(f"sum: {total.item():.0f}")


def torch_graphs():
    torch, model, data, _ = model_and_data()
    side = torch.cuda.Stream()
    with torch.cuda.stream(side), torch.no_grad():
        for _ in range(3):
            model(data)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph):
        result = model(data)
    for _ in range(50):
        graph.replay()
    print(f"sum: {result.sum().item():.3f}")


def torch_profiler():
    """PyTorch's own profiler, which is also a CUPTI client. Prints the number of kernels that it recorded."""
    import torch

    values = torch.zeros(16, device="cuda")
    for _ in range(100):
        values.add_(1)
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profile:
        for _ in range(100):
            values.add_(1)
        torch.cuda.synchronize()
    for _ in range(100):
        values.add_(1)
    print(f"sum: {values.sum().item():.0f}")
    kernels = sum(1 for event in profile.events() if event.device_type == torch.autograd.DeviceType.CUDA)
    print(f"seen by PyTorch's profiler: {kernels}")


def torch_os_exit():
    import time

    import torch

    print(torch.arange(1000, device="cuda").sum().item(), flush=True)
    time.sleep(0.7)
    os._exit(3)


def cupy():
    import cupy as library

    a = library.arange(1 << 20, dtype=library.float64)
    print(f"sum: {float((a * 2 + 1).sum()):.0f}")
    print(f"sorted: {int(library.sort(a[::-1])[17])}")


def jax():
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    import jax as library
    import jax.numpy as jnp

    assert library.default_backend() == "gpu", "JAX has found no GPU"

    @library.jit
    def step(x):
        return jnp.tanh(x @ x.T) @ x

    x = jnp.linspace(-1, 1, 256 * 256, dtype=jnp.float32).reshape(256, 256)
    for _ in range(10):
        x = step(x) / 100
    print(f"sum of squares: {float((x * x).sum()):.3e}")


PROGRAMS = {
    "torch-training": torch_training,
    "torch-loader": torch_loader,
    "torch-graphs": torch_graphs,
    "torch-step": torch_step,
    "torch-compile": torch_compile,
    "torch-profiler": torch_profiler,
    "torch-os-exit": torch_os_exit,
    "cupy": cupy,
    "jax": jax,
}


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in PROGRAMS:
        sys.exit("usage: frameworks.py NAME, which is one of " + ", ".join(PROGRAMS))
    try:
        PROGRAMS[sys.argv[1]]()
    except ImportError as error:
        print(error, file=sys.stderr)
        sys.exit(77)


if __name__ == "__main__":
    main()
