"""Control: training with loss.item() in each step. --fixed calls it only at the end. A step keeps the GPU busy for more
than 10 ms, and its first kernel for nearly 1 ms, so the wait costs almost nothing."""
import sys

import measured

args = measured.options()
torch = measured.framework("torch")
nn = torch.nn
torch.manual_seed(0)
device = torch.device("cuda")
BATCH, DIM, LAYERS, STEPS = 16384, 4096, 4, 5

model = nn.Sequential(*(layer for _ in range(LAYERS) for layer in (nn.Linear(DIM, DIM), nn.ReLU())))
model = model.to(device, torch.bfloat16)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
inputs = torch.randn(BATCH, DIM, device=device).bfloat16()
targets = torch.randn(BATCH, DIM, device=device).bfloat16()
log = []


def loop():
    losses = []
    for _ in range(STEPS):
        loss = (model(inputs) - targets).float().square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach() if args.fixed else loss.item())
    log.extend(torch.stack(losses).tolist() if args.fixed else losses)


measured.run(loop, torch.cuda.synchronize, args)
print(f"check: {log[-1]:.4f}", file=sys.stderr)
