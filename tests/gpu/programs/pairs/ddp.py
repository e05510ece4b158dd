"""Two GPUs. Planted: gradients are added up after the backward pass. Fixed: DistributedDataParallel does this during the pass."""
import os
import socket
import subprocess
import sys

import measured

args = measured.options()
if "RANK" not in os.environ:  # The parent only starts one process for each GPU.
    measured.wait_for_turn()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    common = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "WORLD_SIZE": "2", "NCCL_NVLS_ENABLE": "0"}
    common = {**os.environ, **common, "WAIT_FOR_TURN": ""}
    ranks = [subprocess.Popen([sys.executable, *sys.argv], env={**common, "RANK": str(i)}) for i in range(2)]
    sys.exit(max(rank.wait() for rank in ranks))

rank = int(os.environ["RANK"])
torch = measured.framework("torch", gpus=2)
torch.cuda.set_device(rank)
torch.distributed.init_process_group("nccl", device_id=torch.device("cuda", rank))
torch.manual_seed(1)
width, rows, steps = (4096, 512, 4) if args.large else (2048, 256, 8)
model = torch.nn.Sequential(*[torch.nn.Linear(width, width) for _ in range(8)]).cuda()
parallel = torch.nn.parallel.DistributedDataParallel(model, device_ids=[rank])
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
batch = torch.randn(rows, width, device="cuda")


def loop():
    for _ in range(steps):
        optimizer.zero_grad()
        if args.fixed:
            parallel(batch).square().mean().backward()
        else:
            with parallel.no_sync():
                parallel(batch).square().mean().backward()
            for parameter in model.parameters():
                torch.distributed.all_reduce(parameter.grad, op=torch.distributed.ReduceOp.AVG)
        optimizer.step()


measured.run(loop, torch.cuda.synchronize, args, prints=rank == 0)
torch.distributed.destroy_process_group()
