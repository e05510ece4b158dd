"""Each step page-locks its batch before the copy. Fixed: the data are page-locked once."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
weight = torch.randn(1024, 1024, device="cuda") / 32
batches = [torch.randn(2048 + 256 * i, 1024) for i in range(4)]
pinned = [batch.pin_memory() for batch in batches]


def loop():
    total = torch.zeros((), device="cuda")
    for step in range(12):
        batch = pinned[step % 4] if args.fixed else batches[step % 4].pin_memory()
        values = batch.to("cuda", non_blocking=True)
        for _ in range(8):
            values = torch.tanh(values @ weight)
        total += values.sum()
    return total


measured.run(loop, torch.cuda.synchronize, args)
