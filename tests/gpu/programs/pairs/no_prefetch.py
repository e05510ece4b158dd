"""Each batch is copied in the stream that computes, just before its use. Fixed: another stream copies the next one meanwhile."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
weight = torch.randn(1024, 1024, device="cuda") / 32
batches = [torch.randn(8192, 1024).pin_memory() for _ in range(4)]
copies = torch.cuda.Stream()


def fetch(step):
    with torch.cuda.stream(copies):
        return batches[step % 4].to("cuda", non_blocking=True)


def loop():
    total = torch.zeros((), device="cuda")
    ahead = fetch(0) if args.fixed else None
    for step in range(16):
        if args.fixed:
            torch.cuda.current_stream().wait_stream(copies)
            batch, ahead = ahead, fetch(step + 1) if step < 15 else None
            batch.record_stream(torch.cuda.current_stream())
        else:
            batch = batches[step % 4].to("cuda", non_blocking=True)
        for _ in range(2):
            batch = torch.tanh(batch @ weight)
        total += batch.sum()
    return total


measured.run(loop, torch.cuda.synchronize, args)
