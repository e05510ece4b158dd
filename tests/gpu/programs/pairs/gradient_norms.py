"""Each step reads the norm of each gradient. Fixed: norms stay on the GPU, and are read after the last step."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
model = torch.nn.Sequential(*[torch.nn.Linear(2048, 2048) for _ in range(6)]).cuda()
batch = torch.randn(4096, 2048, device="cuda")


def loop():
    kept = []
    for _ in range(10):
        model.zero_grad(set_to_none=True)
        model(batch).square().mean().backward()
        norms = [parameter.grad.norm() for parameter in model.parameters()]
        kept.append(norms if args.fixed else [norm.item() for norm in norms])
    if args.fixed:
        torch.stack([norm for norms in kept for norm in norms]).tolist()


measured.run(loop, torch.cuda.synchronize, args)
