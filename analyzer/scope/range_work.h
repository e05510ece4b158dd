#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string_view>
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
