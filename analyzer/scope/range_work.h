#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "analyzer/scope/helper_threads.h"

namespace lapscope::analyzer {

// Which threads' ops belong to an NVTX range.
enum class RangeThreads {
  helpers,  // the thread that opened the range, and its helper threads
  own,      // only the thread that opened the range
};

std::string_view name_of(RangeThreads threads);

// The number of ops of a range, by the kind of thread that issued them.
struct Issuers {
  std::int64_t opener = 0;          // ops of the threads that had opened the range
  std::int64_t helpers = 0;         // ops of other threads
  std::int64_t helper_threads = 0;  // the number of these other threads
  // Ops that may belong to the range. RangeWork::ops does not have them.
  std::int64_t undecided = 0;
  std::int64_t undecided_threads = 0;  // the number of threads that issued these ops

  friend bool operator==(const Issuers&, const Issuers&) = default;
};

// The ops on one device that belong to the NVTX ranges of one name.
struct RangeWork {
  std::vector<std::uint32_t> ops;  // ascending
  Issuers issuers;
};

// Finds the ops that belong to NVTX ranges. An op belongs to a range R if the thread that issued it
// has R open during the whole call. It also belongs to R if another thread of the process has R
// open, and one of these conditions holds:
//   - The issuing thread has no range of the same domain open.
//   - The issuing thread helps a thread that has R open (HelperThreads).
//   - R is a start/end range, which belongs to the process.
//
// In this example, [ ] is a range, and each single letter is a call that issues an op:
//
//   thread 1   [step  f  f  .  .  .  o ]    f and o belong to `step`: same thread
//   thread 2     .  .  .  .  b  b  .  .     b belongs to `step`: thread 2 has no range open
//   thread 3     . [load l  l  l  l ]  .    l does not belong to `step`: own range, does not help
//
// The time of work_of() depends only on the number of calls inside the ranges. The trace must
// outlive this object.
class RangeWorkFinder {
 public:
  RangeWorkFinder(const Trace& trace, RangeThreads threads);

  // Returns the ops that belong to `ranges`, with one element for each device. All `ranges` must
  // have the same name.
  std::vector<RangeWork> work_of(std::span<const NvtxRange> ranges);

 private:
  enum class Way : std::uint8_t { opener, helper, undecided, none };
  struct Instances;
  struct OfThread;

  void collect(const Instances& instances, std::uint32_t thread);
  Way way_of(const Instances& instances, OfThread& of, const Interval& call);
  void take(std::uint32_t call, std::uint32_t thread, Way way);

  const Trace& trace_;
  const RangeThreads threads_;
  HelperThreads helpers_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> threads_of_;  // by process, in Calls::threads
  std::vector<std::vector<std::uint32_t>> by_call_;  // by device: ops with a call, sorted by call
  struct Taken {
    std::uint32_t op = 0;
    std::uint32_t thread = 0;
    Way way = Way::none;
  };
  std::vector<std::vector<Taken>> taken_;  // by device
};

}  // namespace lapscope::analyzer
