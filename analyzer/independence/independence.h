#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/graph/launched_graphs.h"
#include "analyzer/independence/grounds.h"
#include "analyzer/intervals/units.h"

// May an op start before one ahead of it has ended? Either the trace shows that it may, or it is
// not known: no trace has which data an op uses. A trace has when ops were issued, which way data
// go, and how the same is done again and again. What waits for what by an event, a graph's edge or
// the host is no part of this question: those orders stay whatever is answered.
namespace lapscope::analyzer {

// A graph launch, as far as it is distinguished from others.
struct Launched {
  std::uint64_t executable = 0;  // 0 when not known
  std::uint64_t does = 0;        // its nodes, as in Round
};
Launched launched(const Trace& trace, const Graph& graph, const LaunchedGraphs& launches,
                  const Step& launch);
// Whether launches are known to be of two executables: one never runs twice at the same time.
inline bool are_two(const Launched& a, const Launched& b) {
  return a.executable != 0 && b.executable != 0 && a.executable != b.executable;
}

// Where nothing is known, and it would matter: of launches of one kernel in turn, each of which
// leaves most of the multiprocessors to others. They may be products of one input, or steps of an
// iteration.
//
//   stream 1  CC KKK KKK KKK LL
//
// Not so where several streams of the device have kernels at a time: with these a program says what
// may run beside what (CUDA C++ Programming Guide).
class OpenOrder {
 public:
  // Refers to both.
  OpenOrder(const Trace& trace, const Graph& graph);

  // For two tasks that are right behind each other in a stream.
  bool is_open(const Task& ahead, const Task& kernel) const;

 private:
  const Trace& trace_;
  const Graph& graph_;
  std::vector<bool> is_alone_;  // by stream
};

// The trace is read at the first question, by whatever thread, and must be there until then.
class Independence {
 public:
  explicit Independence(const Trace& trace) : trace_(trace) {}

  // Whether `task` may start before `ahead` has ended, which is ahead of it in its stream, or that
  // it waits for by an event.
  Grounds of(const Task& ahead, const Task& task) const;
  Grounds of(const Launched& ahead, const Launched& launch) const;

  // The grounds of an op against all that is ahead of it in its stream, and of all that is behind
  // it against the op.
  Grounds of_all_ahead(const Task& task) const;
  Grounds of_all_behind(const Task& task) const;

 private:
  // What is known of an op by the round that it is in.
  struct OpFacts {
    std::uint32_t round = no_index;  // in rounds_
    Grounds ahead = Grounds::none;   // to all that is ahead of it
    Grounds behind = Grounds::none;  // of all that is behind it
  };
  // A round from one copy in up to the next.
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
