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

// The iterations of a loop, as the device saw them.
struct Iterations {
  std::string range;          // the NVTX range that repeats, digits as *; empty of a sequence
  std::int64_t sequence = 0;  // the ops that repeat, where that is no range
  // Where each begins, and where the last one ends; ascending. An iteration begins with the first
  // start of the ops that it issued.
  std::vector<Ns> borders;
  std::vector<std::uint32_t> ops;  // that each issued
  // When the host was in it: its NVTX range, or from its first call to its last.
  std::vector<Interval> host = {};
};

// How many of the first iterations are warm-up, in which code is loaded, memory allocated, or
// variants are tried: those that take more than assumed::uneven times the median.
std::size_t warm_up_of(const Iterations& iterations);

// NVTX ranges of this name or pattern that issued ops of the scope, by which threads counts
// (RangeNesting). Empty when there are fewer than four.
std::optional<Iterations> iterations_named(const Trace& trace, const Ops& ops, const Scope& scope,
                                           const HostTimeline& host, const std::string& pattern,
                                           RangeThreads threads = RangeThreads::helpers);

// The iterations that the trace shows by itself, if any:
// - NVTX ranges of one name, but for digits (step 1, step 2, ...), none inside another of them,
//   that issued at least half of the scope's ops; of several such names the one that issued most,
//   of equal ones the one with most ranges, and then most in the default domain;
// - else a sequence of kernels and copies that comes again and again, at least four times and over
//   at least half of the ops, in the order of their issue.
std::optional<Iterations> find_iterations(const Trace& trace, const Ops& ops, const Scope& scope,
                                          const HostTimeline& host,
                                          RangeThreads threads = RangeThreads::helpers);

// A name with each run of digits replaced by *.
std::string without_digits(const std::string& name);

// A part [first, last) of a sequence in which everything comes again `period` places later.
struct Repetition {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t period = 0;

  std::size_t count() const { return (last - first) / period; }  // whole repetitions
};

// The repetition of a period of at least 2 around the middle of the sequence, if there is one that
// fills half of the sequence at least `least_count` times. Found by looking where the entries
// around the middle come again, for more and more of them: a short part of it may come again by
// chance, or because it lies in a smaller loop. Linear in the sequence.
std::optional<Repetition> find_repetition(std::span<const std::uint32_t> sequence,
                                          std::size_t least_count);

}  // namespace lapscope::analyzer
