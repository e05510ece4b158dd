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

 private:
  // Ranges of one thread by start, each knowing the one around it.
  struct Nesting {
    std::vector<std::uint32_t> ranges;
    std::vector<std::uint32_t> parent;  // index in `ranges`, or no_index
  };

  void explain_calls(std::uint32_t thread, Interval stretch, std::uint32_t issuing,
                     std::vector<GapPart>& parts) const;

  const Trace& trace_;
  std::vector<std::vector<std::uint32_t>> outermost_;  // calls by thread that are in no other call
  std::map<std::int64_t, std::vector<std::uint32_t>> overheads_;  // by thread; do not overlap
  std::map<std::int64_t, Nesting> nestings_;
};

// The cause that a thread in a call of this kind stands for.
GapCause cause_of(CallKind kind);

}  // namespace lapscope::analyzer
