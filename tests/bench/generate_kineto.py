#!/usr/bin/env python3
"""Writes JSON in the format of PyTorch's profiler, for a training loop with operators, launches, kernels and flows. The
same size gives the same bytes.

    tests/bench/generate_kineto.py BYTES OUT.json
"""
import sys

HEADER = """{
  "schemaVersion": 1,
  "deviceProperties": [
    {
      "id": 0, "name": "NVIDIA H200", "totalGlobalMem": 150000000000,
      "computeMajor": 9, "computeMinor": 0, "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048,
      "regsPerBlock": 65536, "warpSize": 32, "sharedMemPerBlock": 49152, "numSms": 132,
      "regsPerMultiprocessor": 65536, "sharedMemPerBlockOptin": 232448, "sharedMemPerMultiprocessor": 233472
    }
  ],
  "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 8},
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": 1767189312000000000,
  "traceEvents": [
"""
STEP = """  {
    "ph": "X", "cat": "user_annotation", "name": "ProfilerStep#%d", "pid": 2910249, "tid": 2910249,
    "ts": %s, "dur": %s,
    "args": {
      "External id": %d,"Record function id": 0, "Ev Idx": %d
    }
  },
"""
OPERATOR = """  {
    "ph": "X", "cat": "cpu_op", "name": "%s", "pid": 2910249, "tid": 2910249,
    "ts": %s, "dur": %s,
    "args": {
      "External id": %d,"Record function id": 0, "Concrete Inputs": ["", "", "", "1"], "Input type": ["float", "float", "float", "Scalar"], "Input Strides": [[4096, 1], [4096, 1], [1, 4096], []], "Input Dims": [[512, 4096], [512, 4096], [4096, 4096], []], "Ev Idx": %d
    }
  },
"""
LAUNCH = """  {
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 2910249, "tid": 2910249,
    "ts": %s, "dur": 4.750,
    "args": {
      "External id": %d,"cbid": 211, "correlation": %d
    }
  },
  {
    "ph": "s", "id": %d, "pid": 2910249, "tid": 2910249, "ts": %s,
    "cat": "ac2g", "name": "ac2g"
  },
"""
KERNEL = """  {
    "ph": "X", "cat": "kernel", "name": "%s", "pid": 0, "tid": 7,
    "ts": %s, "dur": %s,
    "args": {
      "External id": %d,"queued": 0, "device": 0, "context": 1,
      "stream": 7, "correlation": %d,
      "registers per thread": 122,
      "shared memory": 12544,
      "blocks per SM": 5.925926,
      "warps per SM": 23.703703,
      "grid": [%d, 16, 5],
      "block": [128, 1, 1],
      "est. achieved occupancy %%": 25
    }
  },
  {
    "ph": "f", "id": %d, "pid": 0, "tid": 7, "ts": %s,
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  },
"""
FOOTER = """  {
    "name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": %s
  }
  ],
  "traceName": "generated.json"
}
"""
KERNELS = [
    "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, at::detail::Array<char*, 3> >"
    "(int, at::native::AddFunctor<float>, at::detail::Array<char*, 3>)",
    "ampere_sgemm_128x64_nn",
    "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_128x128_16x5_nn_align4>"
    "(cutlass_80_tensorop_s1688gemm_128x128_16x5_nn_align4::Params)",
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
]
OP_NS = 12_000  # from launch to launch
OPS_OF_STEP = 1000


def us(ns):
    return f"{ns // 1000}.{ns % 1000:03}"


def events(op, time):
    """Returns the events of one launch."""
    parts = []
    if op % OPS_OF_STEP == 0:
        parts.append(STEP % (op // OPS_OF_STEP, us(time), us(OPS_OF_STEP * OP_NS), op, op))
    parts.append(OPERATOR % ("aten::linear", us(time), us(9500), op, op))
    parts.append(OPERATOR % ("aten::addmm", us(time), us(8000), op, op))
    parts.append(LAUNCH % (us(time + 1500), op, op + 1, op + 1, us(time + 1500)))
    name = KERNELS[op % len(KERNELS)]
    start = us(time + 6000)
    parts.append(KERNEL % (name, start, us(9000 + op % 800), op, op + 1, 1 + op % 64, op + 1, start))
    return "".join(parts)


def main():
    size, path = int(float(sys.argv[1])), sys.argv[2]
    written = op = 0
    time = 1365627862757064
    with open(path, "w", encoding="utf-8", buffering=1 << 20) as out:
        written += out.write(HEADER)
        while written < size:
            written += out.write(events(op, time))
            op += 1
            time += OP_NS
        out.write(FOOTER % us(time))
    print(f"{op} ops")


main()
