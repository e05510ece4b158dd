"""Control: two independent towers of matrix products run one after another in one stream. --fixed gives each a stream.
Each product fills the whole GPU, so two streams gain nothing."""
import sys

import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(0)
device = torch.device("cuda")
SIDE, LAYERS, ROUNDS = 8192, 3, 3


def matrix():
    return (torch.randn(SIDE, SIDE, device=device) * SIDE ** -0.5).bfloat16()


text, images = matrix() * SIDE ** 0.5, matrix() * SIDE ** 0.5
text_tower = [matrix() for _ in range(LAYERS)]
image_tower = [matrix() for _ in range(LAYERS)]
streams = [torch.cuda.Stream(), torch.cuda.Stream()]
result = None


def tower(x, layers):
    for layer in layers:
        x = x @ layer
    return x


def both():
    if not args.fixed:
        return tower(text, text_tower), tower(images, image_tower)
    main = torch.cuda.current_stream()
    out = []
    for stream, x, layers in zip(streams, (text, images), (text_tower, image_tower)):
        stream.wait_stream(main)
        with torch.cuda.stream(stream):
            out.append(tower(x, layers))
    for stream, tensor in zip(streams, out):
        main.wait_stream(stream)
        tensor.record_stream(main)
    return out


@torch.inference_mode()
def loop():
    global result
    for _ in range(ROUNDS):
        left, right = both()
        result = (left * right).float().mean(dim=1)


measured.run(loop, torch.cuda.synchronize, args)
print(f"check: {result.abs().mean().item():.4f}", file=sys.stderr)
