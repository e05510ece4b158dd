#!/usr/bin/env python3
"""The programs of unseen.cu that use frameworks: unseen.py NAME broken|fixed.

The exit status is 77 if the framework is not installed.
"""
import sys


def training(torch, batches, step):
    model = torch.nn.Sequential(torch.nn.Linear(1024, 2048), torch.nn.GELU(), torch.nn.Linear(2048, 1024)).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for number, batch in enumerate(batches):
        batch = step(batch, number)
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(batch), batch)
        loss.backward()
        optimizer.step()
        yield loss


def read_loss(broken):
    """Each step reads the loss, so the host cannot run ahead. Fixed: it is read at the end."""
    import torch
    batches = [torch.randn(4096, 1024, device="cuda") for _ in range(4)] * 15
    total = 0.0 if broken else torch.zeros((), device="cuda")
    for loss in training(torch, batches, lambda batch, number: batch):
        total += loss.item() if broken else loss.detach()
    print(f"loss: {float(total):.3f}")


def pageable_batches(broken):
    """Batches are in memory that is not pinned. Fixed: they are pinned, and copied in a separate stream."""
    import torch
    batches = [torch.randn(8192, 1024) for _ in range(4)]
    if not broken:
        batches = [batch.pin_memory() for batch in batches]
    copies = torch.cuda.Stream()
    ahead = []

    def fetch(batch):
        with torch.cuda.stream(copies):
            return batch.cuda(non_blocking=True)

    def step(batch, number):
        if broken:
            return batch.cuda()
        here = ahead.pop() if ahead else fetch(batch)
        torch.cuda.current_stream().wait_stream(copies)
        here.record_stream(torch.cuda.current_stream())
        ahead.append(fetch(batches[(number + 1) % 4]))
        return here

    for loss in training(torch, batches * 10, step):
        pass
    print(f"loss: {loss.item():.3f}")


def cupy_streams(broken):
    """Blocking streams, and a reduction in the legacy default stream. Fixed: the reduction is in its own stream."""
    import cupy
    streams = [cupy.cuda.Stream(non_blocking=False) for _ in range(3)]
    spin = cupy.RawKernel(r"""extern "C" __global__ void spin(float* x, int rounds) {
        float v = x[blockIdx.x * blockDim.x + threadIdx.x];
        for (int i = 0; i < rounds; ++i) v = v * 0.999f + 0.001f;
        x[blockIdx.x * blockDim.x + threadIdx.x] = v; }""", "spin")
    data = [cupy.zeros(1 << 20, dtype=cupy.float32) for _ in streams]
    sums = cupy.zeros(3, dtype=cupy.float32)
    for item in range(90):
        with streams[item % 3]:
            spin((32,), (256,), (data[item % 3], cupy.int32(60000)))
            if not broken:
                data[item % 3].sum(out=sums[item % 3:item % 3 + 1].reshape(()))
        if broken:
            data[item % 3].sum(out=sums[item % 3:item % 3 + 1].reshape(()))
    cupy.cuda.Device().synchronize()


PROGRAMS = {"read-loss": read_loss, "pageable-batches": pageable_batches, "cupy-streams": cupy_streams}


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in PROGRAMS:
        sys.exit("usage: unseen.py NAME broken|fixed, where NAME is one of " + ", ".join(PROGRAMS))
    try:
        PROGRAMS[sys.argv[1]](sys.argv[2] == "broken")
    except ImportError as error:
        print(error, file=sys.stderr)
        sys.exit(77)


if __name__ == "__main__":
    main()
