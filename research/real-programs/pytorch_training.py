"""Trains a small transformer as many first versions do: batches from pageable memory, the loss printed at every step."""
import statistics
import time

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(
    torch.nn.TransformerEncoderLayer(d_model=512, nhead=8, dim_feedforward=2048, batch_first=True),
    torch.nn.TransformerEncoderLayer(d_model=512, nhead=8, dim_feedforward=2048, batch_first=True),
).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
data = torch.utils.data.TensorDataset(torch.randn(640, 128, 512), torch.randn(640, 128, 512))
loader = torch.utils.data.DataLoader(data, batch_size=32, num_workers=2)
times = []
for epoch in range(3):
    for step, (inputs, targets) in enumerate(loader):
        if epoch == 2:
            torch.cuda.nvtx.range_push(f"step {step}")
            begin = time.perf_counter()
        inputs, targets = inputs.cuda(), targets.cuda()
        loss = torch.nn.functional.mse_loss(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        last = loss.item()
        if epoch == 2:
            times.append(1e3 * (time.perf_counter() - begin))
            torch.cuda.nvtx.range_pop()
    print(f"epoch {epoch} loss {last:.6f}")
print(f"median step {statistics.median(times):.3f} ms")
