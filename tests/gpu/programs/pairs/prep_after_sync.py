"""Trains an image model. NumPy normalizes each batch on the CPU, and each step reads the loss for a log.
Planted: the next batch is prepared after the loss was read, so CPU and GPU take turns. Fixed: it is prepared between
the launch of the step and the read of its loss."""
import sys
import measured

args = measured.options()
torch = measured.framework("torch")
import numpy  # noqa: E402

nn = torch.nn
torch.manual_seed(0)
torch.set_float32_matmul_precision("high")
device = torch.device("cuda")
STEPS, BATCH, SIDE, PATCH, WIDTH = 8, 128, 96, 8, 1024
TOKENS = (SIDE // PATCH) ** 2

random = numpy.random.default_rng(0)
raw = [random.integers(0, 256, (BATCH, 3, SIDE, SIDE), dtype=numpy.uint8) for _ in range(STEPS)]
mean = numpy.array([124, 117, 104], dtype=numpy.float32).reshape(3, 1, 1)
scale = numpy.array([0.017, 0.0175, 0.0174], dtype=numpy.float32).reshape(3, 1, 1)
pinned = [torch.empty(BATCH, 3, SIDE, SIDE, pin_memory=True) for _ in range(2)]
labels = torch.randint(0, 10, (BATCH,), device=device)


def mixer():
    return nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))


model = nn.Sequential(nn.Conv2d(3, WIDTH, PATCH, PATCH), nn.Flatten(2)).to(device)
blocks = nn.Sequential(mixer(), mixer()).to(device)
head = nn.Linear(WIDTH, 10).to(device)
optimizer = torch.optim.SGD([*model.parameters(), *blocks.parameters(), *head.parameters()], lr=0.01)
log = []


def prepare(index):
    host = pinned[index % 2]
    images = raw[index][:, :, :, ::-1] if index % 2 else raw[index]
    numpy.multiply(images.astype(numpy.float32) - mean, scale, out=host.numpy())
    return host


def loop():
    host = prepare(0)
    for index in range(STEPS):
        tokens = model(host.to(device, non_blocking=True)).transpose(1, 2).reshape(BATCH * TOKENS, WIDTH)
        loss = nn.functional.cross_entropy(head(blocks(tokens).view(BATCH, TOKENS, WIDTH).mean(1)), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if args.fixed and index + 1 < STEPS:
            host = prepare(index + 1)
        log.append(loss.item())
        if not args.fixed and index + 1 < STEPS:
            host = prepare(index + 1)


measured.run(loop, torch.cuda.synchronize, args)
print(f"check: {log[-1]:.4f}", file=sys.stderr)
