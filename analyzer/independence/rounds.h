#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// A round: consecutive ops that one thread issues to one stream. `BeginsRound` decides which ops
// begin a new round.
//
//   thread 1  hkdhkdhkd............     three rounds of H K D; each H begins a round
//   stream 1  .HHKKDDHHKKDDHHKKDD..
struct Round {
  std::uint32_t device = 0;       // in Trace::devices
  std::uint64_t stream = 0;       // the stream of the ops: process id and stream id
  std::uint32_t next = no_index;  // index of the thread's next round in the stream
  std::uint64_t does = 0;         // hash of the ops, the same in any order
  bool recurs = false;            // whether at least enough_examples rounds have the same hash
  std::vector<std::uint32_t> ops;
};

// Whether `op` begins a round. `before` is the previous op of the same thread and stream.
using BeginsRound = bool (*)(const Ops& ops, std::uint32_t before, std::uint32_t op);

// Returns the rounds of a trace, device by device, in the order of their first ops.
std::vector<Round> rounds_of(const Trace& trace, BeginsRound begins);

// Returns a hash of what the ops do. The order of the ops does not matter.
std::uint64_t what_they_do(const Ops& ops, const std::uint32_t* first, std::size_t count);

}  // namespace lapscope::analyzer
