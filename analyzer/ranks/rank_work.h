#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/report.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What a communication kernel does.
enum class CollectiveKind : std::uint8_t {
  // Each rank needs something of every other one: no kernel ends before the last one has started.
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  send_receive,  // sends and receives, of one other rank or of several
  // Here a rank may need only some of the others: broadcast, reduce, and what is not known.
  other,
};
// By the name of a kernel, as ncclDevKernel_AllReduce_Sum_f32_RING_LL, or of a function of NCCL's.
// Kernels that send and receive are `other`: their names do not say with which rank.
CollectiveKind collective_kind(std::string_view name);
std::string_view name_of(CollectiveKind kind);  // as "all-reduce"
constexpr bool joins_all(CollectiveKind kind) {
  return kind != CollectiveKind::send_receive && kind != CollectiveKind::other;
}

// One communication kernel.
struct RankCollective {
  Interval interval;
  Bytes bytes = 0;                 // what this rank has to send or receive; 0 where it is not known
  std::uint32_t communicator = 0;  // in RankWork::communicators
  std::uint32_t name = 0;          // in RankWork::names
  CollectiveKind kind = CollectiveKind::other;
};

// What kernels of one rank communicate in. Where the communicator is not recorded, as in CUDA
// graphs and by other tools, the stream stands for it.
struct RankCommunicator {
  std::optional<std::uint64_t> id = {};  // NCCL's
  // Of the rank's streams that communicate, in the order of their first kernel: the number of the
  // stream of its first kernel.
  std::uint32_t stream = 0;
  std::optional<int> rank = {};  // of the process in the communicator, where known
};

// What a kernel sends to, or receives from, one other rank.
struct RankMessage {
  std::uint32_t collective = 0;  // in RankWork::collectives
  std::uint32_t communicator = 0;
  int peer = 0;  // rank in the communicator
  bool is_send = false;
  Bytes bytes = 0;
};

// What a rank's own analysis finds first, as text. Empty where it finds nothing.
struct OwnFinding {
  std::string code;
  std::string where;  // the line of the program; may be empty
};

// What one GPU of one process did, as far as the other ranks of the run are concerned: what is kept
// of its trace while theirs are read. 40 bytes a communication kernel, and 16 for each interval in
// which the device was busy otherwise. Instants are UTC, ns.
struct RankWork {
  std::string file;
  std::string rank;  // as the launcher gave it; empty when it is not known
  std::string host;
  int ranks = 0;  // of the run, as the launcher said; 0 when it is not known
  std::int64_t device = 0;
  std::string device_name;
  Interval whole;          // from the first op to the last
  Interval judged;         // what a report of the rank alone is about: its steady state, if any
  bool is_steady = false;  // `judged` is
  // The part of `judged` that recording added to it, according to the rank's correction; 0 where
  // this is not known.
  Share recorder_share = 0;
  Trust trust = Trust::sound;
  OwnFinding own = {};
  // Time between two ops of `other_work` that is shorter is part of it: 0 but in summaries.
  Ns resolution = 0;
  IntervalSet other_work;  // ops that do not communicate
  std::vector<std::string> names;
  std::vector<RankCommunicator> communicators;
  std::vector<RankCollective> collectives;  // by start
  std::vector<RankMessage> messages;        // by collective
};

// By device of the trace that has a result. If a trace does not have the time at which its session
// started, instants count from there.
std::vector<RankWork> rank_works(const Trace& trace, const Report& report,
                                 const std::vector<std::string>& communication);

}  // namespace lapscope::analyzer
