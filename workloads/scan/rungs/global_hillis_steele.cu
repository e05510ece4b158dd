#include <algorithm>
#include <bit>

#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/levels.cuh"

namespace lapscope::workloads::scan {
namespace {

constexpr unsigned threads = 256;

// At least one, which copies.
unsigned steps_for(std::uint64_t n) { return std::max(1, static_cast<int>(std::bit_width(n - 1))); }

}  // namespace

// One step for all elements. `shift` moves the input one to the right: the exclusive scan.
template <typename P>
__global__ void step_hillis_steele(const typename P::Acc* in, typename P::Acc* out, std::uint64_t n,
                                   std::uint64_t distance, bool shift) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * threads + threadIdx.x;
  if (i >= n) return;
  const auto at = [&](std::uint64_t k) {
    if (!shift) return in[k];
    return k == 0 ? P::Op::identity() : in[k - 1];
  };
  out[i] = i >= distance ? typename P::Op{}(at(i - distance), at(i)) : at(i);
}

namespace {

template <typename P>
void launch_steps(const ScanCall& call) {
  using Acc = typename P::Acc;
  const unsigned steps = steps_for(call.n);
  const std::size_t bytes = call.n * sizeof(Acc);
  auto* const other = static_cast<Acc*>(call.workspace->scratch(bytes));
  auto* const out = static_cast<Acc*>(call.out);
  const auto* from = static_cast<const Acc*>(call.in);
  // The last step must write to `out`. If then the first does so too, it may not read there.
  Acc* to = steps % 2 == 1 ? out : other;
  if (from == to) {
    check(cudaMemcpyAsync(other, from, bytes, cudaMemcpyDeviceToDevice, call.stream),
          "copy the input out of the way");
    from = other;
  }
  const auto blocks = static_cast<unsigned>(tiles_of(call.n, threads));
  for (unsigned step = 0; step < steps; ++step) {
    const bool shift = step == 0 && call.kind == Kind::exclusive;
    step_hillis_steele<P>
        <<<blocks, threads, 0, call.stream>>>(from, to, call.n, std::uint64_t{1} << step, shift);
    check(cudaGetLastError(), "launch the kernel step_hillis_steele");
    from = to;
    to = to == out ? other : out;
  }
}

}  // namespace

const Rung global_hillis_steele{
    .name = "global-hillis-steele",
    .change = "a kernel per step over the whole array: any n, log2(n) times the traffic",
    .passes = [](std::uint64_t n) { return n == 0 ? 2.0 : 2.0 * steps_for(n); },
    .depth = [](std::uint64_t n) -> std::uint64_t { return n == 0 ? 0 : steps_for(n); },
    .supports = contains<TeachingProblems>,
    .scan =
        [](const ScanCall& call) {
          if (call.n == 0) return;
          with_problem(TeachingProblems{}, call.combination,
                       [&]<typename P>(P) { launch_steps<P>(call); });
        },
    .tile = threads,
    .copies_array = true};

}  // namespace lapscope::workloads::scan
