#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What a thread that opens NVTX ranges of its own does for another.
enum class Helps : std::uint8_t { no, undecided, yes };

// Whose ranges are whose. Autograd's thread opens ranges under emit_nvtx, and so does a loader.
// They look alike but for what the other thread does meanwhile: it waits for autograd, and goes on
// beside a loader.
//
//   thread 1   f f f . . . . . . . o o         thread 1   f f f f f o o f f f
//   thread 2   . . . [ b b ] [ b ] . .         thread 2   . [ l l ] . [ l l ]
//              2 helps 1                                  2 is on its own
//
// Refers to the trace, which must outlive it.
class HelperThreads {
 public:
  explicit HelperThreads(const Trace& trace);

  // When a thread has a range of the domain open. Ranges that are process-wide are not meant.
  const IntervalSet& open_ranges(std::int64_t global_tid, std::int64_t domain) const;

  // Whether the ranges that `helper` opens in the domain are work for `caller`: by the share of
  // those within ranges of the caller in which it waits. The caller waits if it neither is in a
  // CUDA call nor opens or closes a range, and if the helper's ranges fill assumed::large_part of
  // the time from what it did before to what it does next: a thread that computes meanwhile is not
  // waiting. Not decided where it waits in more than assumed::majority of them and not in nearly
  // all, nor for a caller that issues no GPU work itself: it is not known whether it waits then.
  Helps helps(std::int64_t helper, std::int64_t caller, std::int64_t domain);

 private:
  // The interval from what the caller did before an instant to what it does next; nothing in a CUDA
  // call.
  std::optional<Interval> pause_at(std::int64_t caller, Ns time) const;
  Helps judge(std::int64_t helper, std::int64_t caller, std::int64_t domain) const;

  const Calls& calls_;
  std::map<std::int64_t, std::uint32_t> threads_;  // in Calls::threads, by global tid
  std::vector<bool> issues_;                       // by thread: whether it issued ops
  std::map<std::pair<std::int64_t, std::int64_t>, IntervalSet> open_;  // by thread and domain
  std::map<std::int64_t, std::deque<Ns>> borders_;                     // of ranges, by thread
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Helps> known_;
};

}  // namespace lapscope::analyzer
