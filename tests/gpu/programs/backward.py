"""PyTorch: training steps of many small operators, with emit_nvtx, or with --bare without it. A thread of autograd
launches the backward pass. The exit status is 77 without PyTorch or without a GPU.
"""
import contextlib
import sys

try:
    import torch
except ImportError as error:
    sys.stderr.write(f"{error}\n")
    sys.exit(77)
if not torch.cuda.is_available():
    sys.stderr.write("PyTorch sees no GPU\n")
    sys.exit(77)

weight = torch.randn(64, 64, device="cuda", requires_grad=True)
data = torch.randn(64, 64, device="cuda")


def step():
    value = data
    for _ in range(8):
        value = torch.tanh(value @ weight)  # forward
        value = value * 0.9 + value.sin()  # forward
    value.sum().backward()  # backward
    weight.grad = None


def main():
    for _ in range(3):
        step()
    torch.cuda.synchronize()
    watched = contextlib.nullcontext() if "--bare" in sys.argv else torch.autograd.profiler.emit_nvtx()
    with watched:
        torch.cuda.nvtx.range_push("measured")
        for _ in range(10):
            step()
        torch.cuda.synchronize()
        torch.cuda.nvtx.range_pop()


main()
