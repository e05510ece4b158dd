#pragma once

#include <cstdint>

#include "workloads/scan/problem/in_threads.h"
#include "workloads/scan/rungs/rung.h"

namespace lapscope::workloads::scan {

// Scans a range of the arrays in host memory; `left` is the combination of all before it.
template <typename P>
void scan_range(const ScanCall& call, Range range, typename P::Acc left) {
  using Acc = typename P::Acc;
  const auto* const in = static_cast<const typename P::In*>(call.in);
  auto* const out = static_cast<Acc*>(call.out);
  if (call.kind == Kind::inclusive) {
    for (std::uint64_t i = range.begin; i < range.end; ++i) {
      left = typename P::Op{}(left, static_cast<Acc>(in[i]));
      out[i] = left;
    }
  } else {
    for (std::uint64_t i = range.begin; i < range.end; ++i) {
      const auto own = static_cast<Acc>(in[i]);
      out[i] = left;
      left = typename P::Op{}(left, own);
    }
  }
}

template <typename P>
typename P::Acc reduce_range(const ScanCall& call, Range range) {
  const auto* const in = static_cast<const typename P::In*>(call.in);
  typename P::Acc total = P::Op::identity();
  for (std::uint64_t i = range.begin; i < range.end; ++i) {
    total = typename P::Op{}(total, static_cast<typename P::Acc>(in[i]));
  }
  return total;
}

}  // namespace lapscope::workloads::scan
