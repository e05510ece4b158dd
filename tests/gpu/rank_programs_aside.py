"""More programs like those of rank_programs.py, for 2 ranks, written without knowing how their traces are judged.

    torchrun --nproc_per_node=2 rank_programs_aside.py CASE[,CASE...] VARIANT[,VARIANT...] [STEPS [ROUNDS]]

Variants are those of rank_programs.py. For both pipelines, a number of micro-batches is a variant, too.

    late-reduce-conv         a convolutional network's gradients are reduced in buckets after the backward pass; fixed:
                             each bucket during it, by hooks
    late-reduce-transformer  the same with transformer layers; fixed: by DistributedDataParallel
    pipeline-transformer     two stages, all forward and then all backward, with one micro-batch; fixed: four
    pipeline-1f1b            two stages, one forward and one backward in turn, with two micro-batches; fixed: eight
    expert-exchange          tokens go to their experts and back in each of four layers; fixed: half of them, while
                             the other half is computed
    gradient-per-tensor      each of 152 small gradients is reduced on its own; fixed: all at once
"""
import torch
import torch.distributed as dist
from torch import nn
from torch._utils import _flatten_dense_tensors, _unflatten_dense_tensors
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

from rank_programs import HALF, layers, main, train


def split_in_buckets(parameters, size):
    """Buckets of `size` bytes or a little more, in the order in which gradients are made."""
    buckets, filled = [[]], 0
    for parameter in reversed(list(parameters)):
        if filled >= size:
            buckets.append([])
            filled = 0
        buckets[-1].append(parameter)
        filled += parameter.nbytes
    return buckets


def start_reduce(parameters):
    gradients = [parameter.grad for parameter in parameters]
    flat = _flatten_dense_tensors(gradients)
    return gradients, flat, dist.all_reduce(flat, op=dist.ReduceOp.AVG, async_op=True)


def finish_reduce(gradients, flat, work):
    work.wait()
    torch._foreach_copy_(gradients, list(_unflatten_dense_tensors(flat, gradients)))


def reduce_when_ready(bucket, started):
    ready = []

    def hook(parameter):
        ready.append(parameter)
        if len(ready) == len(bucket):
            ready.clear()
            started.append(start_reduce(bucket))

    for parameter in bucket:
        parameter.register_post_accumulate_grad_hook(hook)


class ResidualBlock(nn.Module):
    def __init__(self, narrow, wide):
        super().__init__()
        stride = wide // narrow
        self.skip = nn.Conv2d(narrow, wide, 1, stride, bias=False)
        self.body = nn.Sequential(nn.Conv2d(narrow, wide, 3, stride, 1, bias=False), nn.BatchNorm2d(wide), nn.ReLU(),
                                  nn.Conv2d(wide, wide, 3, 1, 1, bias=False), nn.BatchNorm2d(wide))

    def forward(self, images):
        return functional.relu(self.skip(images) + self.body(images))


def late_reduce_conv(device, rank, last, broken):
    torch.backends.cudnn.benchmark = True
    widths = [256, 256, 256, 512, 512, 1024, 1024, 2048, 2048]
    blocks = [ResidualBlock(narrow, wide) for narrow, wide in zip(widths, widths[1:])]
    model = nn.Sequential(nn.Conv2d(3, widths[0], 7, 4, 3, bias=False), nn.BatchNorm2d(widths[0]), nn.ReLU(), *blocks,
                          nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(widths[-1], 1000))
    model.to(device, memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    images = torch.randn(64, 3, 112, 112, device=device).to(memory_format=torch.channels_last)
    labels = torch.randint(1000, (64,), device=device)
    buckets, started = split_in_buckets(model.parameters(), 100 << 20), []
    if not broken:
        for bucket in buckets:
            reduce_when_ready(bucket, started)

    def step():
        with torch.autocast(device.type, HALF):
            loss = functional.cross_entropy(model(images), labels)
        loss.backward()
        if broken:
            for bucket in buckets:
                finish_reduce(*start_reduce(bucket))
        for one in started:
            finish_reduce(*one)
        started.clear()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


def transformer(count, width, device):
    blocks = [nn.TransformerEncoderLayer(width, width // 128, 4 * width, dropout=0.0, activation="gelu",
                                         batch_first=True, norm_first=True) for _ in range(count)]
    return nn.Sequential(*blocks).to(device, HALF)


def late_reduce_transformer(device, rank, last, broken):
    model = transformer(6, 2048, device)
    batch = torch.randn(8, 512, 2048, device=device, dtype=HALF)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    buckets = split_in_buckets(model.parameters(), 100 << 20)
    if not broken:
        model = DistributedDataParallel(model, device_ids=[device.index])

    def step():
        train(model, batch)
        if broken:
            for bucket in buckets:
                finish_reduce(*start_reduce(bucket))
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


def pipeline_transformer(device, rank, last, broken, micro_batches=1):
    if not broken:
        micro_batches = 4
    stage = transformer(2, 3072, device)
    optimizer = torch.optim.AdamW(stage.parameters(), lr=1e-4, fused=True)
    sources = torch.randn(16, 512, 3072, device=device, dtype=HALF).chunk(micro_batches)
    buffers = [torch.empty_like(source) for source in sources]

    def first_stage():
        outs = []
        for source in sources:
            outs.append(stage(source))
            dist.send(outs[-1].detach(), 1)
        for out, gradient in reversed(list(zip(outs, buffers))):
            dist.recv(gradient, 1)
            out.backward(gradient)

    def last_stage():
        done = []
        for buffer in buffers:
            dist.recv(buffer, 0)
            batch = buffer.detach().requires_grad_()
            done.append((batch, stage(batch).float().square().mean() / micro_batches))
        for batch, loss in reversed(done):
            loss.backward()
            dist.send(batch.grad, 0)

    def step():
        [first_stage, last_stage][rank]()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


def pipeline_1f1b(device, rank, last, broken, micro_batches=2):
    """A send and the receive that follows it are one call. Otherwise, two sends could wait for each other."""
    if not broken:
        micro_batches = 8
    width = 4096
    stage = nn.Sequential(*[nn.Sequential(one, nn.GELU()) for one in layers(4, width, device)])
    optimizer = torch.optim.SGD(stage.parameters(), lr=1e-3, momentum=0.9)
    sources = torch.randn(16384, width, device=device, dtype=HALF).chunk(micro_batches)
    buffers = [torch.empty_like(source) for source in sources]

    def exchange(sent, received):
        calls = [dist.P2POp(dist.isend, one, 1 - rank) for one in sent]
        calls += [dist.P2POp(dist.irecv, one, 1 - rank) for one in received]
        for work in dist.batch_isend_irecv(calls):
            work.wait()

    def first_stage():
        out = stage(sources[0])
        exchange([out.detach()], [])
        for source, gradient in zip(sources[1:], buffers):
            following = stage(source)
            exchange([following.detach()], [gradient])
            out.backward(gradient)
            out = following
        exchange([], [buffers[-1]])
        out.backward(buffers[-1])

    def last_stage():
        exchange([], [buffers[0]])
        for i, buffer in enumerate(buffers):
            batch = buffer.detach().requires_grad_()
            (stage(batch).float().square().mean() / micro_batches).backward()
            exchange([batch.grad], buffers[i + 1:i + 2])

    def step():
        [first_stage, last_stage][rank]()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


def expert_exchange(device, rank, last, broken):
    """Each layer: a dense part, tokens to their experts (equally many to each), the expert's part, and back."""
    tokens, width = 16384, 4096
    dense = layers(4, width, device)
    experts = [nn.Sequential(layers(1, width, device), nn.GELU(), layers(1, width, device)) for _ in dense]
    parts = torch.randn(tokens, width, device=device, dtype=HALF).chunk(1 if broken else 2)
    orders = [torch.randperm(len(part), device=device) for part in parts]
    backs = [order.argsort() for order in orders]

    def exchange(values):
        received = torch.empty_like(values)
        work = dist.all_to_all_single(received, values, async_op=True)
        if broken:
            work.wait()
        return received, work

    def returned(pending, back):
        received, work = pending
        work.wait()
        return received[back]

    @torch.no_grad()
    def step():
        hidden, pending = list(parts), [None] * len(parts)
        for project, expert in zip(dense, experts):
            for i, order in enumerate(orders):
                if pending[i]:
                    hidden[i] = hidden[i] + returned(pending[i], backs[i])
                hidden[i] = hidden[i] + project(functional.layer_norm(hidden[i], (width,)))
                pending[i] = exchange(hidden[i][order])
            for i, (received, work) in enumerate(pending):
                work.wait()
                pending[i] = exchange(expert(received))
        return [one + returned(*both) for one, *both in zip(hidden, pending, backs)]

    return step


class MixerBlock(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.linear = nn.LayerNorm(width), nn.Linear(width, width)

    def forward(self, batch):
        return batch + functional.gelu(self.linear(self.norm(batch)))


def gradient_per_tensor(device, rank, last, broken):
    model = nn.Sequential(*[MixerBlock(512) for _ in range(38)]).to(device, HALF)
    parameters = list(model.parameters())
    batch = torch.randn(16384, 512, device=device, dtype=HALF)
    optimizer = torch.optim.AdamW(parameters, lr=1e-4, fused=True)

    def step():
        train(model, batch)
        if broken:
            for parameter in parameters:
                dist.all_reduce(parameter.grad, op=dist.ReduceOp.AVG)
        else:
            finish_reduce(*start_reduce(parameters))
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


if __name__ == "__main__":
    main(globals())
