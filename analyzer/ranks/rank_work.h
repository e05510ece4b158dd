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
#include "analyzer/model/assumptions.h"
#include "analyzer/model/trace.h"
#include "analyzer/ranks/kernel_shapes.h"
#include "analyzer/ranks/lost_beside.h"

namespace lapscope::analyzer {

// What a communication kernel does.
enum class CollectiveKind : std::uint8_t {
  // In the next four kinds, each rank needs data from every other rank. So no kernel of a
  // collective ends before the last kernel of the collective has started.
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  send_receive,  // sends to, and receives from, one other rank or several
  // Broadcast, reduce, and unknown kinds. A rank may need data from only some of the other ranks.
  other,
};
// Returns the kind by the name of a kernel, such as ncclDevKernel_AllReduce_Sum_f32_RING_LL, or of
// a function of NCCL. Returns `other` for kernels that send and receive: their names do not show
// between which ranks the data goes.
CollectiveKind collective_kind(std::string_view name);
std::string_view name_of(CollectiveKind kind);  // as "all-reduce"
constexpr bool joins_all(CollectiveKind kind) {
  return kind != CollectiveKind::send_receive && kind != CollectiveKind::other;
}

struct RankCollective {
  Interval interval;
  Bytes bytes = 0;                 // that this rank sends or receives; 0 if not known
  std::uint32_t communicator = 0;  // in RankWork::communicators
  std::uint32_t name = 0;          // in RankWork::names
  CollectiveKind kind = CollectiveKind::other;
  Ns host_time = 0;  // as host_times() returns it; 0 in all kernels if it is not known
  // How long the kernel was ready before it started, in ns. 0 if not known. A kernel is ready when
  // it has been issued and its data is ready (KernelInputs).
  Ns lead = 0;
};

// An NCCL communicator in the trace of one rank. lapscope does not record the communicators of
// kernels in CUDA graphs. Other tools record no communicators. Among kernels without a recorded
// communicator, those of each stream count as a communicator.
struct RankCommunicator {
  std::optional<std::uint64_t> id = {};  // NCCL's id, if recorded
  // The stream of its first kernel, as an index among the rank's communicating streams. These are
  // sorted by their first kernels.
  std::uint32_t stream = 0;
  std::optional<int> rank = {};  // of the process in the communicator, where known
};

// What a kernel sends to, or receives from, one other rank.
struct RankMessage {
  std::uint32_t collective = 0;  // in RankWork::collectives
  std::uint32_t communicator = 0;
  int peer = 0;  // the other rank, in the communicator
  bool is_send = false;
  Bytes bytes = 0;
};

// The top finding of one rank, analyzed without the other ranks. Empty if there is none.
struct OwnFinding {
  std::string code;
  std::string where;  // the line of the program; may be empty
  // The function with most of the host work that the finding is about. Empty if there is none.
  std::string function = {};
};

// What one GPU of one process did: the data for the analysis of a run. It stays in memory while the
// traces of other ranks are read: 56 bytes for each communication kernel, and 16 bytes for each
// interval of other work. Times are UTC, in ns.
struct RankWork {
  std::string file;
  std::string rank;  // as the launcher gave it; empty when it is not known
  std::string host;
  Ns booted = 0;  // when the host started, by its clocks; 0 if not known
  int ranks = 0;  // ranks of the run, from the launcher; 0 if not known
  std::int64_t device = 0;
  std::string device_name;
  Interval whole;          // from the first op to the last
  Interval judged;         // the default scope of the rank alone
  bool is_steady = false;  // whether `judged` is a steady state
  // The share of `judged` that recording added, by the correction of this rank. 0 if not known.
  Share recorder_share = 0;
  // The share of the host's own time (host_times()) in `judged` that recording added. It is greater
  // than `recorder_share` if the device is slower than the host. If it is not known, it is
  // `recorder_share`.
  Share host_recorder_share = 0;
  LostBeside lost;
  Trust trust = Trust::sound;
  OwnFinding own = {};
  // `other_work` leaves out pauses that are shorter than this, in ns. 0 except in rank summaries.
  Ns resolution = 0;
  IntervalSet other_work;  // when ops ran that do not communicate
  std::vector<std::string> names;
  std::vector<RankCommunicator> communicators;
  std::vector<RankCollective> collectives;  // by start
  std::vector<RankMessage> messages;        // by collective
  KernelShapes kernels;
};

// Whether more than the share assumed::majority of `one` lies in `other`.
inline bool is_mostly_in(const Interval& one, const Interval& other) {
  return static_cast<double>(one.within(other).length()) >
         assumed::majority * static_cast<double>(one.length());
}

// Returns the work of each device with a result in the report. `communication` has the patterns of
// communication kernels. Times are UTC. If the UTC time of the session start is not known, they are
// relative to the session start.
std::vector<RankWork> rank_works(const Trace& trace, const Report& report,
                                 const std::vector<std::string>& communication);

}  // namespace lapscope::analyzer
