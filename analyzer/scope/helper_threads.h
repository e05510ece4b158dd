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

// Whether a thread with NVTX ranges of its own works for another thread.
enum class Helps : std::uint8_t { no, undecided, yes };

// Finds out whether a thread helps another thread: the thread works in NVTX ranges of its own while
// the other thread waits. For example, PyTorch's autograd thread helps the main thread (under
// emit_nvtx). A thread that loads data also opens ranges, but the main thread does other work at
// the same time. In this example, [ ] is a range of thread 2, and each letter is a CUDA call:
//
//   thread 1   f f f . . . . . . . o o         thread 1   f f f f f o o f f f
//   thread 2   . . . [ b b ] [ b ] . .         thread 2   . [ l l ] . [ l l ]
//
// On the left, thread 1 waits during the ranges of thread 2, so thread 2 helps thread 1. On the
// right, thread 1 works during these ranges, so thread 2 works for itself.
//
// Refers to the trace, which must outlive this object.
class HelperThreads {
 public:
  explicit HelperThreads(const Trace& trace);

  // Returns the times at which a thread has a range of the domain open. Process-wide ranges do not
  // count.
  const IntervalSet& open_ranges(std::int64_t global_tid, std::int64_t domain) const;

  // Returns whether the ranges that `helper` opens in the domain are work for `caller`. Considers
  // only the helper's ranges that lie within a range of the caller.
  // - `yes`: the caller waits in nearly all of these ranges.
  // - `undecided`: the caller waits in more than assumed::majority of these ranges, but not in
  //   nearly all of them. Also `undecided` if there are no such ranges. Also `undecided` if the
  //   caller issues no GPU work, because it is then not known when the caller waits.
  // - `no`: all other cases.
  //
  // The caller waits in a range of the helper if two conditions hold:
  // - The range lies in a pause of the caller (pause_at()).
  // - The helper's ranges fill at least assumed::large_part of this pause. If they fill less, the
  //   caller probably computes in the pause.
  Helps helps(std::int64_t helper, std::int64_t caller, std::int64_t domain);

 private:
  // Returns the pause of a caller around `time`. A pause lies between two consecutive events of the
  // caller: its CUDA calls, and the begins and ends of its ranges. Returns empty if the caller is
  // in a CUDA call.
  std::optional<Interval> pause_at(std::int64_t caller, Ns time) const;
  Helps judge(std::int64_t helper, std::int64_t caller, std::int64_t domain) const;

  const Calls& calls_;
  std::map<std::int64_t, std::uint32_t> threads_;  // by global tid: index in Calls::threads
  std::vector<bool> issues_;                       // by thread: whether it issued ops
  std::map<std::pair<std::int64_t, std::int64_t>, IntervalSet> open_;  // by thread and domain
  std::map<std::int64_t, std::deque<Ns>> borders_;  // where ranges begin and end, by thread
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Helps> known_;
};

}  // namespace lapscope::analyzer
