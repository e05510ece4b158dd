"""A training step with backward and optimizer. Planted: the stream that computes copies images and labels. Fixed:
another stream copies the next ones meanwhile."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
torch.backends.cudnn.benchmark = False
model = torch.nn.Sequential(
    torch.nn.Conv2d(3, 64, 3, padding=1), torch.nn.ReLU(), torch.nn.Conv2d(64, 64, 3, stride=2, padding=1), torch.nn.ReLU(),
    torch.nn.AdaptiveAvgPool2d(8), torch.nn.Flatten(), torch.nn.Linear(64 * 64, 100)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
loss_of = torch.nn.CrossEntropyLoss()
images = [torch.randn(128, 3, 128, 128).pin_memory() for _ in range(4)]
labels = [torch.randint(100, (128,)).pin_memory() for _ in range(4)]
copies = torch.cuda.Stream()


def fetch(step):
    return images[step % 4].to("cuda", non_blocking=True), labels[step % 4].to("cuda", non_blocking=True)


def fetch_aside(step):
    with torch.cuda.stream(copies):
        return fetch(step)


def loop():
    ahead = fetch_aside(0) if args.fixed else None
    for step in range(12):
        if args.fixed:
            torch.cuda.current_stream().wait_stream(copies)
            now, ahead = ahead, fetch_aside(step + 1) if step < 11 else None
            for tensor in now:
                tensor.record_stream(torch.cuda.current_stream())
        else:
            now = fetch(step)
        optimizer.zero_grad(set_to_none=True)
        loss_of(model(now[0]), now[1]).backward()
        optimizer.step()


measured.run(loop, torch.cuda.synchronize, args)
