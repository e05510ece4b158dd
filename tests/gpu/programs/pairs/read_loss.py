"""Each step reads the loss, so the host cannot run ahead. Fixed: losses are added up on the GPU and read once."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(1024, 2048), torch.nn.GELU(), torch.nn.Linear(2048, 1024)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
batches = [torch.randn(4096 if args.large else 1024, 1024, device="cuda") for _ in range(4)]


def loop():
    total = torch.zeros((), device="cuda") if args.fixed else 0.0
    for step in range(12):
        batch = batches[step % 4]
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(batch), batch)
        loss.backward()
        optimizer.step()
        total += loss.detach() if args.fixed else loss.item()
    return float(total)


measured.run(loop, torch.cuda.synchronize, args)
