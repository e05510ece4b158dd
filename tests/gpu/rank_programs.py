"""Programs of several ranks, each with one planted cause of waiting between ranks, and a fixed variant.

    torchrun --nproc_per_node=2 rank_programs.py CASE[,CASE...] VARIANT[,VARIANT...] [STEPS [ROUNDS]]

A variant is broken, fixed or, for pipeline, a number of micro-batches; "both" is broken,fixed.
Rank 0 prints the wall time of the NVTX range "measure" in ms, one for each round. A round runs all cases one after the
other. NVLink multicast is off.

    straggler-host       the last rank's host works for 10 ms before each step
    straggler-kernels    the last rank has four times as many layers
    exposed-all-reduce   gradients are reduced one by one after the backward pass; fixed: during it, by
                         DistributedDataParallel
    small-all-reduces    256 all-reduces of 1 KiB per step; fixed: one for all
    sharded-layers       a layer's outputs are gathered, and its gradients scattered, before the next layer; fixed: half
                         as often, with twice as much
    pipeline             each rank is a stage, and there is one micro-batch; fixed: 16
    pipeline-of-four     the same with four micro-batches
    tensor-parallel      each layer's sums are reduced before the next layer; fixed: the sums of half the batch, during
                         the other half
    fsdp-host            straggler-host with sharded parameters
    mesh-host            straggler-host, reduced by rows and by columns (4 ranks or more)
    uneven-experts       half of all tokens go to the last rank's expert; fixed: equally many to each
    saving-rank          the last rank copies all parameters to pageable memory in each step
    long-sequences       the last rank's sequences are four times as long as the others'
    skewed-tokens        the last rank counts tokens that are all alike; fixed: random ones, as on the others

No rule was made with saving-rank and long-sequences: they test the rules.
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


def pipeline(device, rank, last, broken, micro_batches=1):
    """Each rank is a stage. The outputs of a micro-batch go forward, and its gradients go back, in order."""
    if not broken:
        micro_batches = 16
    rows, width = 16384 // micro_batches, 4096
    stage = layers(4, width, device)
    stages = dist.get_world_size()
    sources = [torch.randn(rows, width, device=device, dtype=HALF) for _ in range(micro_batches)]
    received = [torch.empty(rows, width, device=device, dtype=HALF) for _ in range(micro_batches)]
    gradient = torch.empty(rows, width, device=device, dtype=HALF)

    def step():
        done = []
        for source, buffer in zip(sources, received):
            batch = source
            if rank > 0:
                dist.recv(buffer, rank - 1)
                batch = buffer.detach().requires_grad_()
            out = stage(batch)
            if rank < stages - 1:
                dist.send(out.detach(), rank + 1)
            done.append((batch, out))
        for batch, out in done:
            if rank == stages - 1:
                out.float().square().mean().backward()
            else:
                dist.recv(gradient, rank + 1)
                out.backward(gradient)
            if rank > 0:
                dist.send(batch.grad, rank - 1)
        stage.zero_grad(set_to_none=True)

    return step


def tensor_parallel(device, rank, last, broken):
    """Each layer's partial sums are reduced. Fixed: the sums of one half of the batch, while the other is computed."""
    ranks = dist.get_world_size()
    width, inner = 4096, 16384 // ranks
    up = [torch.randn(width, inner, device=device, dtype=HALF) / 64 for _ in range(8)]
    down = [torch.randn(inner, width, device=device, dtype=HALF) / 64 for _ in range(8)]
    parts = torch.randn(4096, width, device=device, dtype=HALF).chunk(1 if broken else 2)

    def step():
        outs, pending = list(parts), [None] * len(parts)
        for a, b in zip(up, down):
            for i, out in enumerate(outs):
                if pending[i]:
                    pending[i].wait()
                outs[i] = torch.relu(out @ a) @ b
                pending[i] = dist.all_reduce(outs[i], async_op=True)
                if broken:
                    pending[i].wait()
        for one in pending:
            one.wait()

    return step


def fsdp_host(device, rank, last, broken):
    from torch.distributed.fsdp import FullyShardedDataParallel
    model = nn.Sequential(*[FullyShardedDataParallel(layers(2, 4096, device)) for _ in range(4)])
    model = FullyShardedDataParallel(model)
    batch = torch.randn(4096, 4096, device=device, dtype=HALF)

    def step():
        if broken and rank == last:
            work_on_host(0.010)
        train(model, batch)
        model.zero_grad(set_to_none=True)

    return step


def mesh_host(device, rank, last, broken):
    """Each rank is in two communicators: one for its column and one for its row."""
    ranks = dist.get_world_size()
    half = ranks // 2
    rows = [dist.new_group(list(range(i * half, (i + 1) * half))) for i in range(2)]
    columns = [dist.new_group([i, i + half]) for i in range(half)]
    row, column = rows[rank // half], columns[rank % half]
    model = layers(4, 4096, device)
    batch = torch.randn(4096, 4096, device=device, dtype=HALF)
    total = torch.zeros(4096 * 1024, device=device)

    def step():
        if broken and rank == last:
            work_on_host(0.005)
        with torch.no_grad():
            out = model(batch)
            dist.all_reduce(out, group=row)
            out = model(out)
            total[:4096].copy_(out[0])
        dist.all_reduce(total, group=column)

    return step


def uneven_experts(device, rank, last, broken):
    """Tokens go to their experts and back. Broken: half of all tokens go to the last rank's expert."""
    ranks = dist.get_world_size()
    tokens = 4096
    if broken:
        most = tokens // 2
        sizes = [(tokens - most) // (ranks - 1)] * (ranks - 1)
        sizes.append(tokens - sum(sizes))
    else:
        sizes = [tokens // ranks] * ranks
    received = [sizes[rank]] * ranks
    expert = layers(4, 4096, device)
    batch = torch.randn(tokens, 4096, device=device, dtype=HALF)
    here = torch.empty(sum(received), 4096, device=device, dtype=HALF)
    back = torch.empty_like(batch)

    def step():
        with torch.no_grad():
            dist.all_to_all_single(here, batch, received, sizes)
            dist.all_to_all_single(back, expert(here), sizes, received)

    return step


def saving_rank(device, rank, last, broken):
    """One rank writes checkpoints. Ranks share gradients by DistributedDataParallel."""
    model = DistributedDataParallel(layers(4, 4096, device), device_ids=[device.index])
    batch = torch.randn(4096, 4096, device=device, dtype=HALF)

    def step():
        if broken and rank == last:
            for parameter in model.parameters():
                parameter.detach().cpu()
        train(model, batch)
        model.zero_grad(set_to_none=True)

    return step


def long_sequences(device, rank, last, broken):
    layer = nn.TransformerEncoderLayer(1024, 16, 4096, dropout=0.0, batch_first=True)
    model = DistributedDataParallel(layer.to(device, HALF), device_ids=[device.index])
    length = 2048 if broken and rank == last else 512
    batch = torch.randn(16, length, 1024, device=device, dtype=HALF)

    def step():
        train(model, batch)
        model.zero_grad(set_to_none=True)

    return step


def skewed_tokens(device, rank, last, broken):
    """Each token's weight is added to its entry of a table. Adding to one address is slow."""
    table = torch.zeros(1 << 20, device=device)
    tokens = torch.randint(1 if broken and rank == last else len(table), (1 << 22,), device=device)
    weights = torch.rand(len(tokens), device=device)
    model = layers(2, 4096, device)
    batch = torch.randn(4096, 4096, device=device, dtype=HALF)

    def step():
        with torch.no_grad():
            model(batch)
        table.scatter_add_(0, tokens, weights)
        dist.all_reduce(table)

    return step


def pipeline_of_four(device, rank, last, broken):
    return pipeline(device, rank, last, broken, 4)


def measure(step, steps):
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
    return wall * 1e3


def main(makers):
    """Runs programs of `makers`, which has a function for each case (with _ in place of -)."""
    cases = sys.argv[1].split(",")
    variants = sys.argv[2].replace("both", "broken,fixed").split(",")
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    torch.manual_seed(0)
    programs = {}
    for case in cases:
        make = makers[case.replace("-", "_")]
        for variant in variants:
            number = [int(variant)] if variant.isdigit() else []
            broken = variant == "broken" or bool(number)
            step = make(device, dist.get_rank(), dist.get_world_size() - 1, broken, *number)
            for _ in range(WARM_UP):
                step()
            programs[case, variant] = step
    walls = {program: [] for program in programs}
    for _ in range(rounds):
        for program, step in programs.items():
            if rounds > 1:
                step()
            walls[program].append(measure(step, steps))
    if dist.get_rank() == 0:
        for (case, variant), times in walls.items():
            print(case, variant, " ".join(f"{one:.3f}" for one in times), "ms", flush=True)
    dist.barrier()
    dist.destroy_process_group()


if __name__ == "__main__":
    main(globals())
