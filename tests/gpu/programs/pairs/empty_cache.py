"""Each step empties the allocator's cache, so the next one allocates again. Fixed: the cache is kept."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
weight = torch.randn(2048, 2048, device="cuda") / 45
data = torch.randn(2048, 2048, device="cuda")


def loop():
    total = torch.zeros((), device="cuda")
    for _ in range(16):
        hidden = data
        for _ in range(3):
            hidden = torch.tanh(hidden @ weight)
        total += hidden.sum()
        del hidden
        if not args.fixed:
            torch.cuda.empty_cache()
    return total


measured.run(loop, torch.cuda.synchronize, args)
