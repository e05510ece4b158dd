#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What one thread puts into one stream until it begins anew.
//
//   thread 1  hkdhkdhkd............     three rounds of H K D, where a copy in begins one
//   stream 1  .HHKKDDHHKKDDHHKKDD..
struct Round {
  std::uint32_t device = 0;       // in Trace::devices
  std::uint64_t stream = 0;       // that the ops were put into: its process and id
  std::uint32_t next = no_index;  // that the thread puts behind it into the stream
  std::uint64_t does = 0;         // the same for all that do the same, in whatever order
  bool recurs = false;            // enough_examples of the trace do the same
  std::vector<std::uint32_t> ops;
};

// Whether an op begins a round behind the one before it, which has the same thread and stream.
using BeginsRound = bool (*)(const Ops& ops, std::uint32_t before, std::uint32_t op);

// Device by device, in the order of their first ops.
std::vector<Round> rounds_of(const Trace& trace, BeginsRound begins);

// What ops do, as a number: ops that do the same, in whatever order, have the same number.
std::uint64_t what_they_do(const Ops& ops, const std::uint32_t* first, std::size_t count);

}  // namespace lapscope::analyzer
