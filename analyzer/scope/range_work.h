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
  helpers,  // the one that opened it, and those that help it
  own,      // the one that opened it
};

std::string_view name_of(RangeThreads threads);

// Who issued the ops of a range, and which of the ops that may belong to it could not be decided.
struct Issuers {
  std::int64_t opener = 0;   // ops of threads that had opened the range
  std::int64_t helpers = 0;  // ops of others
  std::int64_t helper_threads = 0;
  std::int64_t undecided = 0;  // ops that are left out
  std::int64_t undecided_threads = 0;

  friend bool operator==(const Issuers&, const Issuers&) = default;
};

// What the ranges of one name issued on a device.
struct RangeWork {
  std::vector<std::uint32_t> ops;  // ascending
  Issuers issuers;
};

// Finds the ops that belong to NVTX ranges, made once for all names. An op belongs to a range if
// the thread that issued it has the range open during the call; or if the range is open in its
// process then and the thread
//   - has no range of the same domain open, or
//   - has one, but helps a thread that has this range open (HelperThreads), or
//   - whatever it has, if the range is a start/end range, which is the process's.
//
//   thread 1   [step  f  f  .  .  .  o ]  .    f and o: it opened the range
//   thread 2     .  .  .  .  b  b  .  .   b    b: helps inside, and does not afterwards
//   thread 3     . [load l  l  l  l ]  .  .    l: its own
//
// In time that grows with the calls inside the ranges, and not with all ops. Refers to the trace.
class RangeWorkFinder {
 public:
  RangeWorkFinder(const Trace& trace, RangeThreads threads);

  // Returns the work by device. All `ranges` have one name.
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
  std::map<std::uint32_t, std::vector<std::uint32_t>> threads_of_;  // in Calls::threads, by process
  std::vector<std::vector<std::uint32_t>> by_call_;  // by device: ops that have a call, by call
  struct Taken {
    std::uint32_t op = 0;
    std::uint32_t thread = 0;
    Way way = Way::none;
  };
  std::vector<std::vector<Taken>> taken_;  // by device
};

}  // namespace lapscope::analyzer
