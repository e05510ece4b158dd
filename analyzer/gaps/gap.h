#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

// What kept the next op from starting. The first nine are the host's: the op had not been issued
// yet.
enum class GapCause : std::uint8_t {
  host_sync,        // the issuing thread waited in a synchronising call
  pageable_copy,    // it was in another copy call that had not returned
  alloc_free,       // it was in an allocation or release of device memory
  host_pinning,     // it was in an allocation or release of page-locked memory
  module_load,      // code was being loaded or compiled
  launch_overhead,  // it was in a launch call, of this op or an earlier one
  host_call,        // it was in another CUDA call
  host_compute,     // it was outside CUDA
  profiler,         // tracing itself held it up
  not_issued,       // no op follows in the window
  launch_latency,   // issued, and on its way to the GPU
  event_wait,       // its stream waited for an event
  host_func,        // its stream waited for a host function
  unexplained,      // none of the above accounts for it
};

inline constexpr std::size_t gap_causes = 14;

// Whether the host had not issued the op yet.
constexpr bool is_of_host(GapCause cause) { return cause < GapCause::not_issued; }

// Stable codes, as host-sync.
std::string_view code_of(GapCause cause);

// A stretch of a gap with one cause. The parts of a gap follow each other and fill it.
struct GapPart {
  Interval interval;
  GapCause cause = GapCause::unexplained;
  std::uint32_t call = no_index;   // in Trace::calls: the call that held the thread up
  std::uint32_t range = no_index;  // in Trace::ranges: the innermost range the thread was in
};

// A maximal stretch of the window in which the device did nothing.
struct Gap {
  Interval interval;
  std::uint32_t next_op = no_index;  // what ended it; no_index at the end of a window
  std::vector<GapPart> parts;
};

// All gaps of a scope. total_ns is the scope's idle time exactly, and is the sum of short_ns and
// by_cause.
struct Gaps {
  std::int64_t count = 0;
  std::int64_t total_ns = 0;
  std::int64_t short_count = 0;  // gaps below the limit are not looked into
  std::int64_t short_ns = 0;
  std::array<std::int64_t, gap_causes> by_cause{};
  std::vector<Gap> longest;  // longest first
};

}  // namespace lapscope::analyzer
