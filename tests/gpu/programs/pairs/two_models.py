"""Two independent models are evaluated one after the other in one stream. Fixed: in two streams."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
torch.backends.cudnn.benchmark = False


def new_model():
    layers = []
    for _ in range(8):
        layers += [torch.nn.Conv2d(64, 64, 3, padding=1), torch.nn.BatchNorm2d(64), torch.nn.ReLU()]
    return torch.nn.Sequential(*layers).cuda().eval()


models = [new_model() for _ in range(2)]
images = [torch.randn(4, 64, 56, 56, device="cuda") for _ in range(2)]
streams = [torch.cuda.Stream() for _ in range(2)]


@torch.no_grad()
def loop():
    for _ in range(12):
        for i in range(2):
            with torch.cuda.stream(streams[i if args.fixed else 0]):
                models[i](images[i])


measured.run(loop, torch.cuda.synchronize, args)
