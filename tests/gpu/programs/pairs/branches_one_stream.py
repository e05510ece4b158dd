"""Integrates four groups of acceleration sensors twice, to positions. A scan along 8 long rows keeps only a few of the
GPU's multiprocessors busy. Planted: the four independent groups run one after another in one stream. Fixed: each has its
own stream."""
import sys

import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(0)
device = torch.device("cuda")
SENSORS, SAMPLES, DT = 8, 1 << 20, 1e-3

groups = [torch.randn(SENSORS, SAMPLES, device=device) for _ in range(4)]
streams = [torch.cuda.Stream() for _ in groups]
result = None


def integrate(acceleration):
    velocity = torch.cumsum(acceleration - acceleration.mean(dim=1, keepdim=True), dim=1) * DT
    position = torch.cumsum(velocity - velocity.mean(dim=1, keepdim=True), dim=1) * DT
    energy = torch.cumsum(velocity * velocity, dim=1) * DT
    return torch.stack([position.abs().amax(dim=1), energy[:, -1]])


@torch.inference_mode()
def loop():
    global result
    if not args.fixed:
        found = [integrate(group) for group in groups]
    else:
        main = torch.cuda.current_stream()
        found = []
        for group, stream in zip(groups, streams):
            stream.wait_stream(main)
            with torch.cuda.stream(stream):
                found.append(integrate(group))
        for stream, tensor in zip(streams, found):
            main.wait_stream(stream)
            tensor.record_stream(main)
    result = torch.stack(found)


measured.run(loop, torch.cuda.synchronize, args)
print(f"check: {result.double().sum().item():.4f}", file=sys.stderr)
