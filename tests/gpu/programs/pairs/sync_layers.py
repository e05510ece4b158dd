"""The host waits for the GPU after each layer. Fixed: it waits once, at the end."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
layers = [torch.nn.TransformerEncoderLayer(512, 8, 2048, batch_first=True, device="cuda").eval() for _ in range(6)]
tokens = torch.randn(16, 256, 512, device="cuda")


@torch.no_grad()
def loop():
    for _ in range(4):
        values = tokens
        for layer in layers:
            values = layer(values)
            if not args.fixed:
                torch.cuda.synchronize()


measured.run(loop, torch.cuda.synchronize, args)
