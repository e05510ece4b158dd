#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/host_timeline.h"
#include "analyzer/scope/range_work.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// The iterations of a loop on the device.
struct Iterations {
  std::string range;          // the NVTX range that repeats, digits as *; empty for a sequence
  std::int64_t sequence = 0;  // the number of ops that repeat, if no range does
  // Iteration i is from borders[i] to borders[i + 1]. It begins when its first op starts. The last
  // border is the end of the last op.
  std::vector<Ns> borders;
  std::vector<std::uint32_t> ops;  // number of ops of each iteration
  // The time of each iteration on the host: the interval of its NVTX range or, for a sequence, the
  // time from its first to its last call.
  std::vector<Interval> host = {};
};

// Returns the number of warm-up iterations at the beginning, in which a program loads code, for
// example. Each of them takes more than assumed::uneven times as long as the median iteration.
std::size_t warm_up_of(const Iterations& iterations);

// Returns the iterations that NVTX ranges form: all ranges that issued ops of the scope and whose
// names fit `pattern`. Ranges inside such a range do not count. `threads` decides which threads may
// issue the ops of a range (RangeNesting). Returns empty if there are fewer than four such ranges.
std::optional<Iterations> iterations_named(const Trace& trace, const Ops& ops, const Scope& scope,
                                           const HostTimeline& host, const std::string& pattern,
                                           RangeThreads threads = RangeThreads::helpers);

// Finds iterations that the user did not name. Looks for NVTX ranges first, then for a sequence:
// - NVTX ranges whose names differ only in digits (step 1, step 2, ...). There are at least four of
//   these ranges, none of them lies inside another, and they issued at least half of the scope's
//   ops. If several names qualify, chooses the name with the most ops, then the name with the most
//   ranges, then the name with the most ranges in the default domain.
// - A sequence of kernels and copies, in the order of issue. The sequence repeats at least four
//   times, and the repetitions have at least half of the scope's ops.
std::optional<Iterations> find_iterations(const Trace& trace, const Ops& ops, const Scope& scope,
                                          const HostTimeline& host,
                                          RangeThreads threads = RangeThreads::helpers);

// Returns a name in which each run of digits is replaced by *.
std::string without_digits(const std::string& name);

// A part [first, last) of a sequence that repeats itself every `period` entries.
struct Repetition {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t period = 0;

  std::size_t count() const { return (last - first) / period; }  // whole repetitions
};

// Returns the repetition around the middle of the sequence. Its period is at least 2. It repeats at
// least `least_count` times, and fills at least half of the sequence. Returns empty if there is no
// such repetition.
//
// The search takes a few entries from the middle on as a probe, and looks for the next occurrence.
// It tries longer and longer probes, because a short probe may recur by chance or in a smaller
// loop. Takes linear time.
std::optional<Repetition> find_repetition(std::span<const std::uint32_t> sequence,
                                          std::size_t least_count);

}  // namespace lapscope::analyzer
