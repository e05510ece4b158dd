#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/report.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What a communication kernel does, by its name: ncclDevKernel_AllReduce_Sum_f32_RING_LL.
enum class CollectiveKind : std::uint8_t {
  // Each rank needs something of every other one: no kernel ends before the last one has started.
  all_reduce,
  all_gather,
  reduce_scatter,
  // Of these a rank may need some others only: broadcast, reduce, send and receive, and what is not
  // known.
  other,
};
CollectiveKind collective_kind(std::string_view kernel);
std::string_view name_of(CollectiveKind kind);  // as "all-reduce"
constexpr bool joins_all(CollectiveKind kind) { return kind != CollectiveKind::other; }

// One communication kernel.
struct RankCollective {
  Interval interval;
  // Of the streams of the rank that communicate, in the order of their first kernel: what stands
  // for the communicator, which is not recorded.
  std::uint32_t stream = 0;
  std::uint32_t name = 0;  // in RankWork::names
};

// What one GPU of one process did, as far as the other ranks of the run are concerned: what is kept
// of its trace while theirs are read. 24 bytes a communication kernel, and 16 for each stretch in
// which the device was busy otherwise. Instants are UTC, ns.
struct RankWork {
  std::string file;
  std::string rank;  // as the launcher gave it; empty when it is not told
  std::string host;
  int ranks = 0;  // of the run, as the launcher said; 0 when it is not told
  std::int64_t device = 0;
  std::string device_name;
  Interval whole;          // from the first op to the last
  Interval judged;         // what a report of the rank alone is about: its steady state, if any
  bool is_steady = false;  // `judged` is
  // The part of `judged` that recording added to it, as the rank's correction has it; 0 where
  // nobody knows.
  Share recorder_share = 0;
  IntervalSet other_work;  // ops that do not communicate
  std::vector<std::string> names;
  std::vector<RankCollective> collectives;  // by start
};

// By device of the trace that has a result. Of a trace that does not tell when its session started,
// instants count from there.
std::vector<RankWork> rank_works(const Trace& trace, const Report& report,
                                 const std::vector<std::string>& communication);

}  // namespace lapscope::analyzer
