#!/usr/bin/env python3
"""Programs like those that people write with PyTorch, for judging lapscope: networks.py NAME VARIANT [--repeat N].

See measuring.py; planted.json tells what is wrong.
"""
import math
import os

import numpy

import measuring
from measuring import Program


def deep_net(torch, width, layers, outputs):
    torch.manual_seed(1)
    parts = []
    for _ in range(layers):
        parts += [torch.nn.Linear(width, width), torch.nn.LayerNorm(width), torch.nn.GELU()]
    return torch.nn.Sequential(*parts, torch.nn.Linear(width, outputs)).cuda()


class Training:
    """A model and its optimizer, which can be made what they were in the beginning."""

    def __init__(self, torch, model, rate=1e-3):
        self.torch = torch
        self.model = model
        self.rate = rate
        self.first = [parameter.detach().clone() for parameter in model.parameters()]
        self.reset()

    def reset(self):
        with self.torch.no_grad():
            for parameter, first in zip(self.model.parameters(), self.first):
                parameter.copy_(first)
                parameter.grad = None
        self.optimizer = self.torch.optim.AdamW(self.model.parameters(), lr=self.rate, foreach=True)

    def checksum(self):
        return sum(float(parameter.detach().double().abs().sum()) for parameter in self.model.parameters())


def embedding_lookup(torch, broken):
    """Scores advertisements: dense features, 20 embeddings, and products of all pairs of them."""
    rows, features, batches = 4096, 20, 12
    torch.manual_seed(2)
    tables = [torch.randn(100_000, 64, device="cuda") for _ in range(features)]
    bottom = torch.nn.Sequential(torch.nn.Linear(13, 256), torch.nn.ReLU(), torch.nn.Linear(256, 64)).cuda()
    top = torch.nn.Sequential(torch.nn.Linear(21 * 21, 512), torch.nn.ReLU(), torch.nn.Linear(512, 1)).cuda()
    dense = [torch.rand(rows, 13, device="cuda") for _ in range(batches)]
    indices = [torch.randint(100_000, (features, rows)) for _ in range(batches)]
    if not broken:
        indices = [each.pin_memory() for each in indices]
    scores = torch.zeros(batches, rows, device="cuda")

    @torch.no_grad()
    def work():
        for i in range(batches):
            if broken:
                own = [indices[i][k].cuda() for k in range(features)]
            else:
                own = indices[i].cuda(non_blocking=True)
            vectors = [bottom(dense[i])] + [torch.nn.functional.embedding(own[k], tables[k]) for k in range(features)]
            stacked = torch.stack(vectors, dim=1)
            pairs = torch.bmm(stacked, stacked.transpose(1, 2)).flatten(1)
            scores[i] = top(pairs).squeeze(1).sigmoid()

    return Program(work, lambda: scores.double().sum())


def clip_guard(torch, broken):
    """Training with clipped gradients that ends when a loss is not finite."""
    steps, most = 10, 0.5
    training = Training(torch, deep_net(torch, 1024, 6, 1024))
    batches = [torch.randn(512, 1024, device="cuda") for _ in range(4)]
    wrong = torch.zeros((), device="cuda")

    def work():
        wrong.zero_()
        for i in range(steps):
            training.optimizer.zero_grad()
            batch = batches[i % 4]
            loss = torch.nn.functional.mse_loss(training.model(batch), batch.sin())
            loss.backward()
            gradients = [parameter.grad for parameter in training.model.parameters()]
            norm = torch.linalg.vector_norm(torch.stack(torch._foreach_norm(gradients)))
            if broken:
                if not math.isfinite(loss.item()):
                    raise FloatingPointError
                if norm.item() > most:
                    torch._foreach_mul_(gradients, most / norm)
            else:
                wrong.add_(~torch.isfinite(loss))
                torch._foreach_mul_(gradients, (most / norm).clamp(max=1.0))
            training.optimizer.step()
        if not broken and wrong.item() > 0:
            raise FloatingPointError

    return Program(work, training.checksum, training.reset)


class Block:
    """A layer of a transformer, whose scales and shifts depend on the time."""

    def __init__(self, torch, width, heads):
        self.torch = torch
        self.heads = heads
        self.mixes = [torch.randn(width, 3 * width, device="cuda") / width**0.5,
                      torch.randn(width, width, device="cuda") / width**0.5,
                      torch.randn(width, 4 * width, device="cuda") / width**0.5,
                      torch.randn(4 * width, width, device="cuda") / (4 * width) ** 0.5]
        self.times = torch.randn(width, 2 * width, device="cuda") / width**0.5

    def __call__(self, tokens, time):
        functional = self.torch.nn.functional
        count, length, width = tokens.shape
        scale, shift = (time @ self.times).unsqueeze(1).chunk(2, dim=2)
        normed = functional.layer_norm(tokens, (width,)) * (1 + 0.1 * scale) + shift
        parts = (normed @ self.mixes[0]).view(count, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(parts[0], parts[1], parts[2])
        tokens = tokens + seen.transpose(1, 2).reshape(count, length, width) @ self.mixes[1]
        return tokens + functional.gelu(functional.layer_norm(tokens, (width,)) @ self.mixes[2]) @ self.mixes[3]


def diffusion_sampler(torch, broken):
    """Pictures are made of noise in 14 steps, by a small transformer."""
    steps, count, length, width = 14, 4, 256, 512
    torch.manual_seed(3)
    blocks = [Block(torch, width, 8) for _ in range(4)]
    waves = torch.randn(1, width, device="cuda")
    noise = torch.randn(count, length, width, device="cuda")
    kept = torch.linspace(0.9999, 0.02, steps + 1, device="cuda").flip(0)
    kept_on_host = kept.tolist()
    times = torch.arange(steps, device="cuda", dtype=torch.float32).repeat(count, 1).T.contiguous()
    result = [noise]

    @torch.no_grad()
    def work():
        picture = noise
        for step in range(steps):
            if broken:
                now, after = kept[step].item(), kept[step + 1].item()
                time = torch.tensor([float(step)] * count).cuda()
            else:
                now, after = kept_on_host[step], kept_on_host[step + 1]
                time = times[step]
            embedded = torch.sin(time.unsqueeze(1) * waves)
            guess = picture
            for block in blocks:
                guess = block(guess, embedded)
            guess = torch.tanh(guess)
            clean = (picture - math.sqrt(1 - now) * guess) / math.sqrt(now)
            picture = math.sqrt(after) * clean.clamp(-3, 3) + math.sqrt(1 - after) * guess
        result[0] = picture

    return Program(work, lambda: result[0].double().abs().sum())


def eval_confusion(torch, broken):
    """Pictures are classified, and how often each class was taken for each other one is counted."""
    rows, batches, classes = 512, 28, 400
    torch.manual_seed(4)
    model = torch.nn.Sequential(torch.nn.Linear(2048, 4096), torch.nn.ReLU(), torch.nn.Linear(4096, 4096),
                                torch.nn.ReLU(), torch.nn.Linear(4096, classes)).cuda()
    pictures = [torch.randn(rows, 2048, device="cuda") for _ in range(7)]
    labels = [torch.randint(classes, (rows,)) for _ in range(7)]
    labels_on_host = [each.numpy() for each in labels]
    labels_on_device = [each.cuda() for each in labels]
    result = [numpy.zeros((classes, classes), dtype=numpy.int64)]

    @torch.no_grad()
    def work():
        counts = numpy.zeros((classes, classes), dtype=numpy.int64)
        gathered = torch.zeros(classes * classes, dtype=torch.int64, device="cuda")
        ones = torch.ones(rows, dtype=torch.int64, device="cuda")
        for i in range(batches):
            guesses = model(pictures[i % 7]).argmax(dim=1)
            if broken:
                numpy.add.at(counts, (labels_on_host[i % 7], guesses.cpu().numpy()), 1)
            else:
                gathered.index_add_(0, labels_on_device[i % 7] * classes + guesses, ones)
        result[0] = counts if broken else gathered.cpu().numpy().reshape(classes, classes)

    def checksum():
        return (result[0] * (1 + numpy.arange(classes * classes).reshape(classes, classes) % 31)).sum()

    return Program(work, checksum)


def rollouts(torch, broken):
    """Two groups of machines are steered by a policy on the GPU; what they do is computed with NumPy."""
    steps, count, sensors, actions = 24, 512, 64, 16
    torch.manual_seed(5)
    policy = torch.nn.Sequential(torch.nn.Linear(sensors, 2048), torch.nn.Tanh(), torch.nn.Linear(2048, 2048),
                                 torch.nn.Tanh(), torch.nn.Linear(2048, 2048), torch.nn.Tanh(),
                                 torch.nn.Linear(2048, actions)).cuda()
    effects = numpy.random.default_rng(6).standard_normal((actions, sensors)).astype(numpy.float32)
    first = [numpy.random.default_rng(group).standard_normal((count, sensors)).astype(numpy.float32) for group in range(2)]
    states = [each.copy() for each in first]
    seen = [torch.zeros(count, sensors).pin_memory() for _ in range(2)]
    chosen = [torch.zeros(count, dtype=torch.int64).pin_memory() for _ in range(2)]
    done = [torch.cuda.Event() for _ in range(2)]
    rewards = [0.0]

    def ask(group):
        seen[group].numpy()[:] = states[group]
        best = policy(seen[group].cuda(non_blocking=True)).argmax(dim=1)
        chosen[group].copy_(best, non_blocking=True)
        done[group].record()

    def act(group):
        done[group].synchronize()
        state = states[group]
        state *= 0.9
        state += 0.3 * effects[chosen[group].numpy()]
        state += 0.2 * numpy.sin(2.0 * numpy.roll(state, 1, axis=1)) * numpy.cos(state)
        numpy.clip(state, -3.0, 3.0, out=state)
        rewards[0] += float(numpy.exp(-numpy.square(state[:, :8]).sum(axis=1)).mean())

    @torch.no_grad()
    def work():
        rewards[0] = 0.0
        for group in range(2):
            states[group][:] = first[group]
        if not broken:
            ask(0)
        for step in range(steps):
            for group in range(2):
                if broken:
                    ask(group)
                elif group == 0:
                    ask(1)
                elif step + 1 < steps:
                    ask(0)
                act(group)

    return Program(work, lambda: rewards[0] + sum(float(numpy.abs(state).sum(dtype=numpy.float64)) for state in states))


def checkpoints(torch, broken):
    """Training that keeps what the weights are after every fourth step."""
    steps, every = 8, 4
    training = Training(torch, deep_net(torch, 2048, 4, 2048))
    batches = [torch.randn(4096, 2048, device="cuda") for _ in range(2)]
    parameters = list(training.model.parameters())
    kept = []
    if not broken:
        copies = torch.cuda.Stream()
        snapshots = [torch.empty_like(parameter) for parameter in parameters]
        hosts = [[torch.empty(parameter.shape).pin_memory() for parameter in parameters] for _ in range(steps // every)]

    def keep(number):
        if broken:
            kept.append([parameter.detach().cpu() for parameter in parameters])
            return
        # The copies of the last ones must have been made before the snapshots are written again.
        torch.cuda.current_stream().wait_stream(copies)
        with torch.no_grad():
            torch._foreach_copy_(snapshots, parameters)
        copies.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(copies):
            for host, snapshot in zip(hosts[number], snapshots):
                host.copy_(snapshot, non_blocking=True)
        kept.append(hosts[number])

    def work():
        kept.clear()
        for step in range(steps):
            training.optimizer.zero_grad()
            batch = batches[step % 2]
            torch.nn.functional.mse_loss(training.model(batch), batch.cos()).backward()
            training.optimizer.step()
            if step % every == every - 1:
                keep(step // every)
        if not broken:
            copies.synchronize()

    def checksum():
        return training.checksum() + sum(float(each.double().abs().sum()) for weights in kept for each in weights)

    return Program(work, checksum, training.reset)


def features_of(torch, part):
    mean = part.mean(dim=-1)
    apart = part - mean.unsqueeze(-1)
    turns = (apart[..., 1:] * apart[..., :-1] < 0).sum(dim=-1)
    return torch.stack([mean, part.amax(dim=-1), part.amin(dim=-1), apart.square().mean(dim=-1).sqrt(),
                        (part[..., 1:] - part[..., :-1]).abs().mean(dim=-1), turns.float()], dim=-1)


def window_features(torch, broken):
    """Features of windows of what acceleration sensors measured."""
    window, step, recordings = 256, 128, 2
    torch.manual_seed(7)
    signals = [torch.randn(48, 2816, device="cuda") for _ in range(recordings)]
    results = []

    @torch.no_grad()
    def work():
        results.clear()
        for signal in signals:
            if broken:
                parts = [features_of(torch, signal[:, first:first + window])
                         for first in range(0, signal.shape[1] - window + 1, step)]
                results.append(torch.stack(parts, dim=1))
            else:
                results.append(features_of(torch, signal.unfold(1, window, step)))

    return Program(work, lambda: sum(result.double().sum() for result in results))


def before_blocking(broken):
    os.environ.pop("CUDA_LAUNCH_BLOCKING", None)
    if broken:
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"  # Left behind by the search for an error.


def blocking_train(torch, broken):
    """Training, after an error was looked for."""
    del broken
    training = Training(torch, deep_net(torch, 768, 6, 768))
    batches = [torch.randn(768, 768, device="cuda") for _ in range(4)]

    def work():
        for step in range(10):
            training.optimizer.zero_grad()
            batch = batches[step % 4]
            torch.nn.functional.mse_loss(training.model(batch), batch.tanh()).backward()
            training.optimizer.step()

    return Program(work, training.checksum, training.reset)


def reference_track(torch, broken):
    """A recording is smoothed in several passes and compared with a reference, which has a stream of its own."""
    channels, samples, pieces = 8, 1 << 17, 10
    torch.manual_seed(8)
    recording = [torch.randn(channels, samples, device="cuda") for _ in range(5)]
    reference = [torch.randn(channels, samples, device="cuda") for _ in range(5)]
    errors = torch.zeros(pieces, device="cuda")
    beside = torch.cuda.Stream()

    def smooth(signal, passes):
        for _ in range(passes):
            sums = torch.cumsum(signal, dim=1)
            signal = 0.5 * signal + (sums[:, 512:] - sums[:, :-512]).repeat(1, 2)[:, :samples] / 1024
        return signal

    @torch.no_grad()
    def work():
        main = torch.cuda.current_stream()
        errors.zero_()
        for piece in range(pieces):
            beside.wait_stream(main)
            with torch.cuda.stream(beside):
                # As loud as the last error asks for.
                wanted = smooth(reference[piece % 5] * (1 + 0.1 * errors[piece - 1]), 2)
                ready = beside.record_event()
            if broken:
                main.wait_event(ready)
            smoothed = smooth(recording[piece % 5], 4)
            if not broken:
                main.wait_event(ready)
            wanted.record_stream(main)
            errors[piece] = (smoothed - wanted).square().mean()

    return Program(work, lambda: errors.double().sum())


def metrics_each_step(torch, broken):
    """Training of a classifier, whose loss and accuracies are written down in each step."""
    steps, classes = 10, 1000
    training = Training(torch, deep_net(torch, 2048, 4, classes))
    batches = [torch.randn(1024, 2048, device="cuda") for _ in range(4)]
    labels = [torch.randint(classes, (1024,), device="cuda") for _ in range(4)]
    log = []

    def work():
        log.clear()
        kept = []
        for step in range(steps):
            training.optimizer.zero_grad()
            scores = training.model(batches[step % 4])
            loss = torch.nn.functional.cross_entropy(scores, labels[step % 4])
            with torch.no_grad():
                hits = scores.topk(5, dim=1).indices == labels[step % 4].unsqueeze(1)
                first, any_of_5 = hits[:, 0].float().mean(), hits.any(dim=1).float().mean()
            if broken:
                log.append((loss.item(), first.item(), any_of_5.item()))
            else:
                kept.append(torch.stack([loss.detach(), first, any_of_5]))
            loss.backward()
            training.optimizer.step()
        if not broken:
            log.extend(torch.stack(kept).tolist())

    def checksum():
        return training.checksum() + sum(sum(each) for each in log)

    return Program(work, checksum, training.reset)


def control_prefetch(torch, broken):
    """Nothing is wrong: the next batch is copied from pinned memory while the GPU is busy, and losses are read seldom."""
    del broken
    steps = 12
    training = Training(torch, deep_net(torch, 2048, 4, 2048))
    batches = [torch.randn(4096, 2048).pin_memory() for _ in range(4)]
    here = [torch.empty(4096, 2048, device="cuda") for _ in range(2)]
    copies = torch.cuda.Stream()
    used = [torch.cuda.Event() for _ in range(2)]
    arrived = [torch.cuda.Event() for _ in range(2)]
    losses = []

    def fetch(step):
        with torch.cuda.stream(copies):
            copies.wait_event(used[step % 2])
            here[step % 2].copy_(batches[step % 4], non_blocking=True)
            arrived[step % 2].record()

    def work():
        losses.clear()
        fetch(0)
        for step in range(steps):
            if step + 1 < steps:
                fetch(step + 1)
            torch.cuda.current_stream().wait_event(arrived[step % 2])
            training.optimizer.zero_grad()
            batch = here[step % 2]
            loss = torch.nn.functional.mse_loss(training.model(batch), batch.cos())
            loss.backward()
            used[step % 2].record()
            training.optimizer.step()
            if step % 6 == 5:
                losses.append(loss.item())

    return Program(work, lambda: training.checksum() + sum(losses), training.reset)


PROGRAMS = {"embedding-lookup": ("torch", embedding_lookup),
            "clip-guard": ("torch", clip_guard),
            "diffusion-sampler": ("torch", diffusion_sampler),
            "eval-confusion": ("torch", eval_confusion),
            "rollouts": ("torch", rollouts),
            "checkpoints": ("torch", checkpoints),
            "window-features": ("torch", window_features),
            "blocking-train": ("torch", blocking_train, before_blocking),
            "reference-track": ("torch", reference_track),
            "metrics-each-step": ("torch", metrics_each_step),
            "control-prefetch": ("torch", control_prefetch)}

if __name__ == "__main__":
    measuring.run(PROGRAMS, {"torch": (lambda torch: torch.cuda.is_available(), lambda torch: torch.cuda.synchronize())})
