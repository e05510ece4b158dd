#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/graph/launched_graphs.h"
#include "analyzer/independence/grounds.h"
#include "analyzer/intervals/units.h"

// Finds out whether an op may start before an op ahead of it has ended. No trace shows which data
// an op uses. So the answer relies on the times of issue, the directions of copies, and
// repetitions. It may be "not known" (Grounds::none). Waits of the host do not count.
namespace lapscope::analyzer {

// The properties by which graph launches are compared.
struct Launched {
  std::uint64_t executable = 0;  // 0 when not known
  std::uint64_t does = 0;        // hash of the launch's nodes, as Round::does
};
Launched launched(const Trace& trace, const Graph& graph, const LaunchedGraphs& launches,
                  const Step& launch);
// Whether two launches are known to launch different executable graphs. CUDA never runs two
// launches of one executable graph at the same time.
inline bool are_two(const Launched& a, const Launched& b) {
  return a.executable != 0 && b.executable != 0 && a.executable != b.executable;
}

// Finds consecutive launches of one kernel function that could run side by side, because each
// leaves most of the multiprocessors free. The trace does not show whether they are independent:
// they may be products of one input, or dependent steps of an iteration.
//
//   stream 1  CC KKK KKK KKK LL
//
// Ignores kernels if several streams of the device have kernels at the same time. The streams of
// such a program already show which kernels are independent.
class OpenOrder {
 public:
  // Holds references to the trace and to the graph, which must outlive this object.
  OpenOrder(const Trace& trace, const Graph& graph);

  // Whether `kernel` could run beside `ahead`. `kernel` must be the next op after `ahead` in its
  // stream.
  bool is_open(const Task& ahead, const Task& kernel) const;

 private:
  const Trace& trace_;
  const Graph& graph_;
  std::vector<bool> is_alone_;  // by stream
};

// Finds the grounds on which ops may start early. Refers to the trace, which must outlive the
// object. The first query reads the trace. Queries may come from any thread.
class Independence {
 public:
  explicit Independence(const Trace& trace) : trace_(trace) {}

  // Returns the grounds on which `task` may start before `ahead` has ended. Requires that `task`
  // comes after `ahead` in one stream, or waits for `ahead` by an event.
  Grounds of(const Task& ahead, const Task& task) const;
  Grounds of(const Launched& ahead, const Launched& launch) const;

  // of_all_ahead(): the grounds on which the op of `task` needs no op ahead of it in its stream.
  // of_all_behind(): the grounds on which no later op of the stream needs the op of `task`.
  Grounds of_all_ahead(const Task& task) const;
  Grounds of_all_behind(const Task& task) const;

 private:
  struct OpFacts {
    std::uint32_t round = no_index;  // in rounds_
    Grounds ahead = Grounds::none;   // as of_all_ahead()
    Grounds behind = Grounds::none;  // as of_all_behind()
  };
  // A round (independence.cpp) that begins with a copy to the device.
  struct CopiedIn {
    std::uint64_t stream = 0;
    std::uint64_t does = 0;
    Ns start = 0;
    Ns end = 0;
    bool is_tile = false;
    bool is_step = false;  // recurs and computes, but keeps its results on the device
  };

  const OpFacts& facts_of(const Task& op) const;
  void read() const;
  void read_copies_in() const;
  void read_copies_out() const;
  std::unordered_set<std::uint64_t> seen_side_by_side() const;

  const Trace& trace_;
  mutable std::once_flag is_read_;
  mutable std::vector<std::vector<OpFacts>> facts_;  // by device and op
  mutable std::vector<CopiedIn> rounds_;
};

}  // namespace lapscope::analyzer
