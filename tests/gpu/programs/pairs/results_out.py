"""Each result is copied to the host in the stream that computes the next one. Fixed: in another stream."""
import measured

args = measured.options()
torch = measured.framework("torch")
torch.manual_seed(1)
weight = torch.randn(2048, 2048, device="cuda") / 45
data = [torch.randn(4096, 2048, device="cuda") for _ in range(4)]
results = [torch.empty(4096, 2048, pin_memory=True) for _ in range(4)]
copies = torch.cuda.Stream()


def loop():
    for step in range(16):
        result = torch.nn.functional.gelu(data[step % 4] @ weight)
        if args.fixed:
            copies.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(copies):
                results[step % 4].copy_(result, non_blocking=True)
            result.record_stream(copies)
        else:
            results[step % 4].copy_(result, non_blocking=True)


measured.run(loop, torch.cuda.synchronize, args)
