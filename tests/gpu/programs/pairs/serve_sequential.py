"""A server for image segmentation. A request is a copy to the GPU, the net, and a copy of the answer back, all pinned.
Planted: one stream, and each request ends before the next begins. Fixed: three requests run at a time, each in its own
stream, so copies in both directions and the net overlap."""
import sys

import measured

args = measured.options()
torch = measured.framework("torch")
nn = torch.nn
torch.manual_seed(0)
device = torch.device("cuda")
REQUESTS, FLIGHT = 16, 3

model = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.ReLU(inplace=True),
                      nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(inplace=True),
                      nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(inplace=True),
                      nn.Conv2d(32, 8, 1))
model = model.to(device, torch.half, memory_format=torch.channels_last).eval()
requests = [torch.rand(8, 3, 512, 512).pin_memory() for _ in range(REQUESTS)]
answers = [torch.empty(8, 8, 512, 512, dtype=torch.half, pin_memory=True) for _ in range(REQUESTS)]
streams = [torch.cuda.Stream() for _ in range(FLIGHT)]
torch.cuda.synchronize()


def serve(index):
    """Issues all work of one request into the current stream, without a wait."""
    images = requests[index].to(device, non_blocking=True)
    scores = model(images.half().contiguous(memory_format=torch.channels_last))
    answers[index].copy_(scores.contiguous(), non_blocking=True)


@torch.inference_mode()
def loop():
    if not args.fixed:
        for index in range(REQUESTS):
            serve(index)
            torch.cuda.current_stream().synchronize()
        return
    for index in range(REQUESTS):
        stream = streams[index % FLIGHT]
        stream.synchronize()  # the earlier request of this stream is answered
        with torch.cuda.stream(stream):
            serve(index)
    for stream in streams:
        stream.synchronize()


measured.run(loop, torch.cuda.synchronize, args)
print(f"check: {sum(answer.float().abs().mean().item() for answer in answers):.4f}", file=sys.stderr)
