"""Batches are in pageable memory. Fixed: they are in pinned memory, and the host does not wait for the copy."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
weight = torch.randn(1024, 1024, device="cuda") / 32
batches = [torch.randn(4096, 1024) for _ in range(4)]
if args.fixed:
    batches = [batch.pin_memory() for batch in batches]


def loop():
    total = torch.zeros((), device="cuda")
    for step in range(16):
        batch = batches[step % 4].to("cuda", non_blocking=args.fixed)
        for _ in range(2):
            batch = torch.tanh(batch @ weight)
        total += batch.sum()
    return total


measured.run(loop, torch.cuda.synchronize, args)
