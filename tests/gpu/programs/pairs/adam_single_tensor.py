"""Trains a deep and narrow residual net. Planted: Adam updates each of 144 parameters with separate kernels
(foreach=False), so the GPU runs them faster than the CPU launches them. Fixed: fused=True."""
import sys

import measured

args = measured.options()
torch = measured.framework("torch")
nn = torch.nn
torch.manual_seed(0)
device = torch.device("cuda")
DEPTH, DIM, BATCH, STEPS = 24, 256, 1024, 4


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Sequential(nn.LayerNorm(DIM), nn.Linear(DIM, 2 * DIM), nn.GELU(), nn.Linear(2 * DIM, DIM))

    def forward(self, x):
        return x + self.inner(x)


model = nn.Sequential(*(Residual() for _ in range(DEPTH))).to(device)
if args.fixed:
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, fused=True)
else:
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, foreach=False)
inputs = torch.randn(STEPS, BATCH, DIM, device=device)
targets = torch.randn(STEPS, BATCH, DIM, device=device)
last = None


def loop():
    global last
    for index in range(STEPS):
        loss = nn.functional.mse_loss(model(inputs[index]), targets[index])
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        last = loss.detach()


measured.run(loop, torch.cuda.synchronize, args)
print(f"check: {last.item():.4f}", file=sys.stderr)
