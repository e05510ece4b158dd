#!/usr/bin/env python3
"""Calls PyTorch's add_ on 16 floats as fast as possible, and prints the time of a call.

add_loop.py [CALLS [THREADS]]        CALLS of each thread (50000), number of launching threads (1)
"""
import sys
import threading
import time

import torch


def main():
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    ready = threading.Barrier(threads + 1)

    def work():
        with torch.cuda.stream(torch.cuda.Stream()):
            values = torch.zeros(16, device="cuda")
            for _ in range(1000):
                values.add_(1)
            torch.cuda.current_stream().synchronize()
            ready.wait()
            for _ in range(calls):
                values.add_(1)
            torch.cuda.current_stream().synchronize()
            if values[0].item() != calls + 1000:
                raise SystemExit("add_loop.py: wrong result")

    workers = [threading.Thread(target=work) for _ in range(threads)]
    for worker in workers:
        worker.start()
    ready.wait()
    begin = time.perf_counter()
    for worker in workers:
        worker.join()
    wall = time.perf_counter() - begin
    free, total = torch.cuda.mem_get_info()
    print(f"launches: {calls * threads}")
    print(f"wall_ms: {wall * 1e3:.3f}")
    print(f"ns_per_launch: {wall * 1e9 / (calls * threads):.1f}")
    print(f"gpu_memory_mib: {(total - free) / 2**20:.1f}")
    print(f"last_line_utc_ns: {time.time_ns()}")


if __name__ == "__main__":
    main()
