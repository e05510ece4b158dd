"""Layers of 32 experts. Each token goes to one. Planted: nonzero() finds the tokens of each expert, and the CPU waits for
their number. Fixed: the tokens are sorted by expert, and all numbers are read at once, with one wait per layer."""
import sys

import measured

args = measured.options()
torch = measured.framework("torch")
F = torch.nn.functional
torch.manual_seed(0)
device = torch.device("cuda")
TOKENS, DIM, HIDDEN, EXPERTS, LAYERS = 4096, 512, 1024, 32, 6


def weights(*shape):
    return (torch.randn(*shape, device=device) * shape[-2] ** -0.5).bfloat16()


layers = [(weights(DIM, EXPERTS), weights(EXPERTS, DIM, HIDDEN), weights(EXPERTS, HIDDEN, DIM)) for _ in range(LAYERS)]
numbers = torch.arange(EXPERTS, device=device)
start = weights(TOKENS, DIM) * 8
result = None


def expert(x, up, down):
    return F.silu(x @ up) @ down


def one_by_one(x, choice, ups, downs):
    out = torch.empty_like(x)
    for index in range(EXPERTS):
        rows = (choice == index).nonzero().squeeze(1)
        out.index_copy_(0, rows, expert(x[rows], ups[index], downs[index]))
    return out


def sorted_once(x, choice, ups, downs):
    order = torch.argsort(choice, stable=True)
    counts = (choice[:, None] == numbers).sum(dim=0).tolist()
    parts = [expert(part, ups[index], downs[index]) for index, part in enumerate(x[order].split(counts))]
    return torch.empty_like(x).index_copy_(0, order, torch.cat(parts))


@torch.inference_mode()
def loop():
    global result
    mix = sorted_once if args.fixed else one_by_one
    x = start
    for gate, ups, downs in layers:
        normed = F.layer_norm(x, (DIM,))
        weight, choice = (normed @ gate).float().softmax(dim=-1).max(dim=-1)
        x = x + mix(normed, choice, ups, downs) * weight[:, None].bfloat16()
    result = x


measured.run(loop, torch.cuda.synchronize, args)
print(f"check: {result.float().abs().mean().item():.4f}", file=sys.stderr)
