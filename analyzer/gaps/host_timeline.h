#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analyzer/gaps/gap.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What every host thread was doing when, made once per trace for asking many times. Refers to the
// trace, which must outlive it.
class HostTimeline {
 public:
  explicit HostTimeline(const Trace& trace);

  // Splits [from, to) by what the thread was doing, and appends the parts in order. `issuing` is
  // the call that issued the op that is waited for: the thread being in it is launch overhead
  // whatever it is.
  void explain(std::uint32_t thread, Interval stretch, std::uint32_t issuing,
               std::vector<GapPart>& parts) const;

  // The innermost NVTX range that a thread was in at an instant; no_index when none.
  std::uint32_t innermost_range(std::int64_t global_tid, std::int64_t time) const;

  // The range that a range lies in; no_index when in none.
  std::uint32_t range_around(std::uint32_t range) const { return around_[range]; }

 private:
  void explain_calls(std::uint32_t thread, Interval stretch, std::uint32_t issuing,
                     std::vector<GapPart>& parts) const;

  const Trace& trace_;
  std::map<std::int64_t, std::vector<std::uint32_t>> overheads_;  // by thread; do not overlap
  std::map<std::int64_t, std::vector<std::uint32_t>> ranges_;     // by thread, by start
  std::vector<std::uint32_t> around_;                             // by range
};

// The cause that a thread in a call of this kind stands for.
GapCause cause_of(CallKind kind);

}  // namespace lapscope::analyzer
