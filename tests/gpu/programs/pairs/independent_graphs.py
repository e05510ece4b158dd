"""Two independent graphs are replayed alternately in one stream. Fixed: each has its own stream."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
weight = torch.randn(512, 512, device="cuda") / 23
states = [torch.randn(512, 512, device="cuda") for _ in range(2)]


def step(state):
    for _ in range(6):
        state.copy_(torch.tanh(state @ weight))


def captured(state):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        step(state)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):  # with its own workspace
        step(state)
    return graph


graphs = [captured(state) for state in states]
streams = [torch.cuda.Stream() for _ in states]
torch.cuda.synchronize()


def loop():
    for _ in range(20):
        for graph, stream in zip(graphs, streams):
            with torch.cuda.stream(stream if args.fixed else streams[0]):
                graph.replay()


measured.run(loop, torch.cuda.synchronize, args)
