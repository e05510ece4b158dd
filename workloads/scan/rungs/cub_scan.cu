#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>
#include <type_traits>

#include "workloads/scan/problem/problems.h"
#include "workloads/scan/rungs/ladder.h"
#include "workloads/scan/rungs/levels.cuh"

namespace lapscope::workloads::scan {
namespace {

// Each takes seconds to compile: sums of every type, and one of each other operator.
using CubProblems =
    Problems<U8<Sum>, I32<Sum>, U32<Sum>, U64<Sum>, F32<Sum>, U32<Max>, U64<Affine>>;

// CUB is tuned for the operators that it knows.
template <typename P>
auto operator_for_cub() {
  if constexpr (P::Op::name == Operator::sum && std::is_same_v<typename P::In, typename P::Acc>) {
    return cuda::std::plus<>{};
  } else {
    return typename P::Op{};
  }
}

template <typename P>
void launch_cub(const ScanCall& call) {
  const auto* const in = static_cast<const typename P::In*>(call.in);
  auto* const out = static_cast<typename P::Acc*>(call.out);
  const auto n = static_cast<std::int64_t>(call.n);
  const auto op = operator_for_cub<P>();
  const auto scan = [&](void* temporary, std::size_t& bytes) {
    if (call.kind == Kind::inclusive) {
      return cub::DeviceScan::InclusiveScan(temporary, bytes, in, out, op, n, call.stream);
    }
    return cub::DeviceScan::ExclusiveScan(temporary, bytes, in, out, op, P::Op::identity(), n,
                                          call.stream);
  };
  std::size_t bytes = 0;
  check(scan(nullptr, bytes), "ask CUB for its temporary storage");
  check(scan(call.workspace->scratch(bytes), bytes), "launch CUB's scan");
}

}  // namespace

const Rung cub_scan{
    .name = "cub",
    .change = "cub::DeviceScan of the toolkit, the reference from outside",
    .passes = [](std::uint64_t) { return 2.0; },
    // Not documented. Tiles have 1024 elements or more, a thread combines a few dozen in a row.
    .depth = [](std::uint64_t n) { return tiles_of(n, 1024) + 128; },
    .supports = contains<CubProblems>,
    .scan =
        [](const ScanCall& call) {
          if (call.n == 0) return;
          with_problem(CubProblems{}, call.combination,
                       [&]<typename P>(P) { launch_cub<P>(call); });
        }};

}  // namespace lapscope::workloads::scan
