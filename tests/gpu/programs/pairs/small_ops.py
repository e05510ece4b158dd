"""Very many small operations, each with its own launch. Fixed: they are captured once in a graph, which is replayed."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
state = torch.randn(64, 256, device="cuda")
weight = torch.randn(256, 256, device="cuda") / 16


def step():
    for _ in range(10):
        state.copy_(torch.tanh(state @ weight) * 0.9 + state * 0.1)


graph = torch.cuda.CUDAGraph()
if args.fixed:
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        step()
    torch.cuda.current_stream().wait_stream(side)
    with torch.cuda.graph(graph):
        step()


def loop():
    for _ in range(12):
        if args.fixed:
            graph.replay()
        else:
            step()


measured.run(loop, torch.cuda.synchronize, args)
