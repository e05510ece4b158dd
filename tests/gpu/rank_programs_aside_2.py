"""Five more programs, by another author who did not know either how their traces are judged. For 2 ranks.

    torchrun --nproc_per_node=2 rank_programs_aside_2.py CASE[,CASE...] VARIANT[,VARIANT...] [STEPS [ROUNDS]]

Variants are those of rank_programs.py. For pipeline-conv1d, a number of micro-batches is a variant, too.

    uncached-tokens         the last rank tokenizes its texts in each step; fixed: all texts were tokenized before
    sorted-documents        the last rank has the long documents; fixed: each rank has a short batch and a long one
    statistic-by-statistic  192 statistics of layers' outputs are averaged over ranks one by one; fixed: all at once
    gather-before-use       a layer's parameters are gathered just before their use; fixed: during the layer before it
    pipeline-conv1d         two stages, all forward and then all backward, with one micro-batch; fixed: four
"""
import random
import re
import string

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional
from torch.nn.parallel import DistributedDataParallel

from rank_programs import HALF, main, train


def encode(lines, vocabulary, length):
    """Token ids of lines, cut or padded to `length`. The ids 0 and 1 are padding and unknown tokens."""
    rows = []
    for line in lines:
        ids = [vocabulary.get(token, 1) for token in re.findall(r"\w+|[^\w\s]", line.lower())]
        rows.append((ids + [0] * length)[:length])
    return torch.tensor(rows)


class TextClassifier(nn.Module):
    def __init__(self, tokens, width, hidden, classes):
        super().__init__()
        self.embedding, self.head = nn.Embedding(tokens, width), nn.Linear(hidden, classes)
        self.encoder = nn.GRU(width, hidden, batch_first=True)

    def forward(self, ids):
        return self.head(self.encoder(self.embedding(ids))[0][:, -1])


def uncached_tokens(device, rank, last, broken):
    choose = random.Random(0)
    words = ["".join(choose.choices(string.ascii_lowercase, k=choose.randint(2, 9))) for _ in range(50000)]
    vocabulary = {word: i for i, word in enumerate(dict.fromkeys(words), 2)}
    texts = [[" ".join(choose.choices(words, k=80)).capitalize() + "." for _ in range(256)] for _ in range(4)]
    cache = [] if broken and rank == last else [encode(lines, vocabulary, 48).pin_memory() for lines in texts]
    labels = torch.randint(16, (256,), device=device)
    model = TextClassifier(len(vocabulary) + 2, 256, 768, 16).to(device)
    model = DistributedDataParallel(model, device_ids=[device.index])
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    done = 0

    def step():
        nonlocal done
        i, done = done % len(texts), done + 1
        ids = cache[i] if cache else encode(texts[i], vocabulary, 48)
        functional.cross_entropy(model(ids.to(device, non_blocking=True)), labels).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


class Residual(nn.Sequential):
    def forward(self, batch):
        return batch + super().forward(batch)


class DocumentReader(nn.Module):
    def __init__(self, count, width, latents):
        super().__init__()
        self.latents = nn.Parameter(torch.randn(latents, width))
        self.readers = nn.ModuleList(nn.MultiheadAttention(width, width // 128, batch_first=True) for _ in range(count))
        self.feeds = nn.ModuleList(Residual(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(),
                                            nn.Linear(2 * width, width)) for _ in range(count))

    def forward(self, batches):
        outs = [self.latents.expand(len(documents), -1, -1) for documents in batches]
        for read, feed in zip(self.readers, self.feeds):
            outs = [feed(out + read(out, documents, documents, need_weights=False)[0])
                    for out, documents in zip(outs, batches)]
        return torch.cat(outs)


def sorted_documents(device, rank, last, broken):
    """Two batches of four documents for each rank. In both variants, all ranks together read the same documents."""
    lengths = [1024, 1024, 7168, 7168]
    own = lengths[2 * rank:2 * rank + 2] if broken else lengths[rank::2]
    batches = [torch.randn(4, length, 1024, device=device, dtype=HALF) for length in own]
    model = DistributedDataParallel(DocumentReader(4, 1024, 256).to(device, HALF), device_ids=[device.index])

    def step():
        train(model, batches)
        model.zero_grad(set_to_none=True)

    return step


def mixer(patches, width):
    return nn.Sequential(Residual(nn.LayerNorm(width), nn.Conv1d(patches, 2 * patches, 1), nn.GELU(),
                                  nn.Conv1d(2 * patches, patches, 1)),
                         Residual(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(),
                                  nn.Linear(4 * width, width)))


def statistic_by_statistic(device, rank, last, broken):
    """Watches the mean and the size of each layer's outputs while a model is evaluated."""
    model = nn.Sequential(*[mixer(256, 1024) for _ in range(16)]).to(device, HALF)
    images = torch.randn(32, 256, 1024, device=device, dtype=HALF)
    averages = torch.zeros(16 * 6 * 2, device=device)
    statistics = []

    def watch(module, inputs, output):
        size = torch.linalg.vector_norm(output, dtype=torch.float32) / output.numel() ** 0.5
        statistics.extend([output.mean(dtype=torch.float32), size])

    for module in model.modules():
        if isinstance(module, (nn.LayerNorm, nn.Conv1d, nn.Linear)):
            module.register_forward_hook(watch)

    @torch.no_grad()
    def step():
        statistics.clear()
        model(images)
        if broken:
            for value in statistics:
                dist.all_reduce(value, op=dist.ReduceOp.AVG)
        values = torch.stack(statistics)
        if not broken:
            dist.all_reduce(values, op=dist.ReduceOp.AVG)
        averages.lerp_(values, 0.1)

    return step


def gather_before_use(device, rank, last, broken):
    """Scores a batch. Each rank keeps its part of each layer's parameters."""
    count, width, inner = 12, 4096, 8192
    shards = [torch.randn(3 * inner * width // 2, device=device, dtype=HALF) / 64 for _ in range(count)]
    whole = [torch.empty(3, inner, width, device=device, dtype=HALF) for _ in range(2)]
    batch = torch.randn(2048, width, device=device, dtype=HALF)

    def gather(i):
        return dist.all_gather_into_tensor(whole[i % 2].view(-1), shards[i], async_op=True)

    @torch.no_grad()
    def step():
        hidden, work = batch, None
        for i in range(count):
            work = work or gather(i)
            work.wait()
            work = None if broken or i + 1 == count else gather(i + 1)
            gate, up, down = whole[i % 2]
            normed = functional.layer_norm(hidden, (width,))
            hidden = hidden + (functional.silu(normed @ gate.t()) * (normed @ up.t())) @ down
        return hidden

    return step


def pipeline_conv1d(device, rank, last, broken, micro_batches=1):
    stage = nn.Sequential(*[Residual(nn.Conv1d(1024, 2048, 3, padding=1), nn.GLU(1), nn.Conv1d(1024, 1024, 1))
                            for _ in range(3)]).to(device, HALF)
    optimizer = torch.optim.SGD(stage.parameters(), lr=1e-3, momentum=0.9)
    sources = torch.randn(32, 1024, 384, device=device, dtype=HALF).chunk(micro_batches if broken else 4)
    buffers = [torch.empty_like(source) for source in sources]

    def step():
        outs, batches, sent = [], [], []
        received = [dist.irecv(buffer, 0) for buffer in buffers] if rank else []
        for i, source in enumerate(sources):
            if rank:
                received[i].wait()
                batches.append(buffers[i].detach().requires_grad_())
                outs.append(stage(batches[i]).float().square().mean() / len(sources))
            else:
                outs.append(stage(source))
                sent.append(dist.isend(outs[i].detach(), 1))
        received = [] if rank else [dist.irecv(buffer, 1) for buffer in buffers]
        for i, out in enumerate(outs):
            if rank:
                out.backward()
                sent.append(dist.isend(batches[i].grad, 0))
            else:
                received[i].wait()
                out.backward(buffers[i])
        for work in sent:
            work.wait()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    return step


if __name__ == "__main__":
    main(globals())
