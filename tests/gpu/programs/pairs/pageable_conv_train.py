"""Trains a small conv net. Planted: each batch is in pageable memory, and .to(device) moves it just before its step.
Fixed: the batches are in pinned memory, and a second stream copies the next one during the step."""
import sys
import measured

args = measured.options()
torch = measured.framework("torch")
nn = torch.nn
torch.manual_seed(0)
torch.backends.cudnn.benchmark = True
device = torch.device("cuda")


def conv(inputs, outputs, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, stride, 1), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


model = nn.Sequential(conv(3, 64, 2), conv(64, 128, 2), conv(128, 128), conv(128, 128), conv(128, 256, 2),
                      conv(256, 256), conv(256, 256), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, 100))
model = model.to(device, memory_format=torch.channels_last)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
batches = [(torch.randn(256, 3, 128, 128), torch.randint(0, 100, (256,))) for _ in range(6)]
if args.fixed:
    batches = [(images.pin_memory(), labels.pin_memory()) for images, labels in batches]
compute = torch.cuda.current_stream()
copies = torch.cuda.Stream()
losses = []


def step(images, labels):
    loss = nn.functional.cross_entropy(model(images), labels)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    losses.append(loss.detach())


def fetch(index):
    with torch.cuda.stream(copies):
        images, labels = (tensor.to(device, non_blocking=True) for tensor in batches[index])
        return images, labels, copies.record_event()


def loop():
    if not args.fixed:
        return [step(images.to(device), labels.to(device)) for images, labels in batches]
    upcoming = fetch(0)
    for index in range(len(batches)):
        images, labels, copied = upcoming
        if index + 1 < len(batches):
            upcoming = fetch(index + 1)
        compute.wait_event(copied)
        for tensor in (images, labels):
            tensor.record_stream(compute)
        step(images, labels)


measured.run(loop, torch.cuda.synchronize, args)
print(f"check: {losses[-1].item():.4f}", file=sys.stderr)
