"""Writes summaries of simulated ranks in the format of `lapscope summarize --ranks`, one file per host.

    many_ranks.py FOLDER RANKS [STEPS]

A host has eight ranks. The clocks of hosts differ and drift. The ranks of a host form a tensor-parallel group, with two
all-reduces in each of four layers of a step. Two more all-reduces, of gradients, join all ranks. Rank 5 computes 30 %
longer than the others, whose times scatter by 2 %. Each step keeps 48 pauses between kernels. A rank has 32 shapes of
kernels.
"""
import json
import os
import random
import sys

HOST = 8
LAYERS = 4
EPOCH = 1_700_000_000_000_000_000
KERNEL = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
SLOW = 5
SHAPES = 32


def main():
    folder, ranks = sys.argv[1], int(sys.argv[2])
    steps = int(sys.argv[3]) if len(sys.argv) > 3 else 100
    os.makedirs(folder, exist_ok=True)
    rng = random.Random(7)
    work = {}  # by rank: [start, end] of computing
    comm = {r: [] for r in range(ranks)}  # (kind, start, end)
    at = [EPOCH] * ranks
    work = {r: [] for r in range(ranks)}

    def compute(rank, ns):
        pieces = 6 if ns > 100_000 else 1
        for _ in range(pieces):
            took = int(ns / pieces * rng.uniform(0.98, 1.02) * (1.3 if rank == SLOW else 1))
            work[rank].append((at[rank] + 900, at[rank] + 900 + took))
            at[rank] += 900 + took

    def all_reduce(group, kind, ns):
        begun = {r: at[r] + 2000 for r in group}
        end = max(begun.values()) + ns
        for r in group:
            finish = end + rng.randrange(400)
            comm[r].append((kind, begun[r], finish))
            at[r] = finish

    everyone = range(ranks)
    groups = [range(g, min(g + HOST, ranks)) for g in range(0, ranks, HOST)]
    for _ in range(steps):
        for _ in range(LAYERS):
            for kind in (0, 1):
                for r in everyone:
                    compute(r, 700_000)
                for group in groups:
                    all_reduce(group, kind, 60_000)
        for kind in (2, 3):
            all_reduce(everyone, kind, 900_000)
    for number, group in enumerate(groups):
        ahead = rng.randrange(-3_000_000, 3_000_000) if number else 0
        drift = rng.uniform(-1e-4, 1e-4) if number else 0

        def own(time):
            return time + ahead + round(drift * (time - EPOCH))

        for r in group:
            work[r] = [(own(began), own(ended)) for began, ended in work[r]]
            comm[r] = [(kind, own(began), own(ended)) for kind, began, ended in comm[r]]
        with open(f"{folder}/host{number:05}.json", "w") as out:
            out.write('{"schema":"lapscope-rank-summary/1","ranks":[\n')
            out.write(",\n".join(rank_json(r, ranks, number, work[r], comm[r]) for r in group))
            out.write("\n]}\n")


def rank_json(rank, ranks, host, work, comm):
    start = min(work[0][0], comm[0][1])
    end = max(work[-1][1], comm[-1][2])
    collectives, issue, before = [], [], start
    for kind, began, ended in comm:
        collectives += [kind, began - before, ended - began]
        issue += [(began - before) // 4, 2000]  # the host needs a quarter of the time
        before = began
    busy, before = [], start
    for began, ended in work:
        busy += [began - before, ended - began]
        before = ended
    computing = sum(ended - began for began, ended in work)
    kernels = {f"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize{16 * shape}x128x64":
               [[132 * shape, 384, 168, 213504, len(work) // SHAPES, computing // SHAPES]]
               for shape in range(1, SHAPES + 1)}
    return json.dumps({
        "file": f"out/node{host}.{rank}.sqlite", "rank": str(rank), "ranks": ranks,
        "host": f"node{host}", "device": rank % HOST, "device_name": "simulated",
        "start_ns": start, "wall_ns": end - start, "evaluated_ns": [0, end - start],
        "is_steady": True, "recorder_share": 0.0, "trust": "sound",
        "first_finding": {"code": "", "where": ""}, "resolution_ns": 0, "names": [KERNEL],
        "communicators": [{"id": f"{host + 1:016x}", "stream": 0, "rank": rank % HOST},
                          {"id": f"{0:016x}", "stream": 1, "rank": rank}],
        "kinds": [{"name": 0, "kind": "all-reduce", "bytes": 16777216 + k % 2 * 8,
                   "communicator": int(k > 1)} for k in range(4)],
        "kernels": {"ns": computing, "by_name": kernels},
        "collectives": collectives, "issue": issue, "busy": busy}, separators=(",", ":"))


main()
