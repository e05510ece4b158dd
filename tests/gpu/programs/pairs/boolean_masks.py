"""A boolean mask selects values, and the host must know how many. Fixed: other values become zero."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
weights = [torch.randn(2048, 2048, device="cuda") / 45 for _ in range(4)]
data = torch.randn(4096 if args.large else 1024, 2048, device="cuda")


def loop():
    total = torch.zeros((), device="cuda")
    for step in range(24):
        values = data @ weights[step % 4]
        values = torch.tanh(values) + 0.1 * values
        if args.fixed:
            total += torch.where(values > 0, values, 0).sum()
        else:
            total += values[values > 0].sum()
    return total


measured.run(loop, torch.cuda.synchronize, args)
