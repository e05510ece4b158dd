#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/levels.cuh"

namespace lapscope::workloads::scan {
namespace {

constexpr unsigned block_size = 1024;

}  // namespace

// Step d combines each element with the one 2^d to its left. Two copies take turns, because a
// thread must not overwrite what its neighbour has yet to read.
template <typename P>
__global__ void scan_block_hillis_steele(Arrays<P> arrays) {
  using Acc = typename P::Acc;
  using Op = typename P::Op;
  __shared__ Acc copies[2][block_size];
  const unsigned i = threadIdx.x;
  unsigned now = 0;
  // Exclusive: everything moves one to the right.
  const unsigned from = arrays.exclusive ? i - 1 : i;
  copies[now][i] = from < arrays.n ? static_cast<Acc>(arrays.in[from]) : Op::identity();
  for (unsigned distance = 1; distance < arrays.n; distance *= 2) {
    __syncthreads();
    const Acc own = copies[now][i];
    copies[1 - now][i] = i >= distance ? Op{}(copies[now][i - distance], own) : own;
    now = 1 - now;
  }
  // All reads of the input lie before this, which matters in place.
  __syncthreads();
  if (i < arrays.n) arrays.out[i] = copies[now][i];
}

const Rung block_hillis_steele{
    .name = "block-hillis-steele",
    .change =
        "log2(n) steps in the shared memory of one block; n log2(n) combinations, 1024 "
        "elements at most",
    .passes = [](std::uint64_t) { return 2.0; },
    .depth = [](std::uint64_t) -> std::uint64_t { return 10; },
    .supports = contains<TeachingProblems>,
    .scan =
        [](const ScanCall& call) {
          if (call.n == 0) return;
          with_problem(TeachingProblems{}, call.combination, [&]<typename P>(P) {
            scan_block_hillis_steele<P><<<1, block_size, 0, call.stream>>>(arrays_of<P>(call));
            check(cudaGetLastError(), "launch the kernel scan_block_hillis_steele");
          });
        },
    .max_n = block_size,
    .tile = block_size};

}  // namespace lapscope::workloads::scan
