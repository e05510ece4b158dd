"""Programs of several ranks, each with one planted cause of waiting between them, and without it.

    torchrun --nproc_per_node=2 rank_programs.py CASE broken|fixed [STEPS]

Rank 0 prints the wall time of the NVTX range "measure" in ms. NVLink multicast is off.

    straggler-host       the last rank's host works for 10 ms before each step
    straggler-kernels    the last rank has four times as many layers
    exposed-all-reduce   gradients are reduced one by one after the backward pass; fixed: by
                         DistributedDataParallel, during it
    small-all-reduces    256 all-reduces of 1 KiB a step; fixed: one of all
    sharded-layers       a layer's outputs are gathered and its gradients scattered before the next
                         one; fixed: half as often, of twice as much
"""
import os
import sys
import time

os.environ.setdefault("NCCL_NVLS_ENABLE", "0")
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

WARM_UP = 5
HALF = torch.bfloat16


def layers(count, width, device):
    return nn.Sequential(*[nn.Linear(width, width) for _ in range(count)]).to(device, HALF)


def train(model, batch):
    model(batch).float().square().mean().backward()


def work_on_host(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        sum(range(200))


def straggler_host(device, rank, last, broken):
    model = DistributedDataParallel(layers(8, 4096, device), device_ids=[device.index])
    batch = torch.randn(4096, 4096, device=device, dtype=HALF)

    def step():
        if broken and rank == last:
            work_on_host(0.010)
        train(model, batch)
        model.zero_grad(set_to_none=True)

    return step


def straggler_kernels(device, rank, last, broken):
    own = layers(8 if broken and rank == last else 2, 4096, device)
    batch = torch.randn(4096, 4096, device=device, dtype=HALF)
    total = torch.zeros(4096 * 1024, device=device)

    def step():
        with torch.no_grad():
            total[:4096].copy_(own(batch)[0])
        dist.all_reduce(total)

    return step


def exposed_all_reduce(device, rank, last, broken):
    model = layers(10, 4096, device)
    batch = torch.randn(4096, 4096, device=device, dtype=HALF)
    if not broken:
        model = DistributedDataParallel(model, device_ids=[device.index], bucket_cap_mb=64)

    def step():
        train(model, batch)
        if broken:
            for parameter in model.parameters():
                dist.all_reduce(parameter.grad, op=dist.ReduceOp.AVG)
        model.zero_grad(set_to_none=True)

    return step


def small_all_reduces(device, rank, last, broken):
    values = [torch.randn(256, device=device) for _ in range(256)]
    model = layers(4, 4096, device)
    batch = torch.randn(4096, 4096, device=device, dtype=HALF)

    def step():
        with torch.no_grad():
            model(batch)
        if broken:
            for value in values:
                dist.all_reduce(value, op=dist.ReduceOp.AVG)
        else:
            flat = torch.cat(values)
            dist.all_reduce(flat, op=dist.ReduceOp.AVG)
            torch._foreach_copy_(values, list(flat.split(256)))

    return step


def sharded_layers(device, rank, last, broken):
    count = 8
    shard = torch.randn(4096 // dist.get_world_size(), 4096, device=device, dtype=HALF)
    batch = torch.randn(2048, 4096, device=device, dtype=HALF)
    gathered = torch.empty(4096 * (1 if broken else 2), 4096, device=device, dtype=HALF)
    wide = shard if broken else torch.cat([shard, shard])
    scattered = torch.empty_like(wide)

    def step():
        out = batch
        for _ in range(count if broken else count // 2):
            dist.all_gather_into_tensor(gathered, wide)
            for half in gathered.split(4096):
                out = out @ half.t() / 64
            dist.reduce_scatter_tensor(scattered, gathered)

    return step


def main():
    case, variant = sys.argv[1], sys.argv[2]
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    torch.manual_seed(0)
    make = globals()[case.replace("-", "_")]
    step = make(device, dist.get_rank(), dist.get_world_size() - 1, variant == "broken")
    for _ in range(WARM_UP):
        step()
    torch.cuda.synchronize()
    dist.barrier()
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_push("measure")
    began = time.perf_counter()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    wall = time.perf_counter() - began
    torch.cuda.nvtx.range_pop()
    if dist.get_rank() == 0:
        print(f"{case} {variant} {wall * 1e3:.3f} ms", flush=True)
    dist.barrier()
    dist.destroy_process_group()


main()
