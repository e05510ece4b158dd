#pragma once

#include <memory>
#include <span>
#include <vector>

#include "analyzer/graph/walk.h"

namespace lapscope::analyzer {

// Edges as they are found, before they are put in order.
class EdgeList {
 public:
  explicit EdgeList(const std::vector<Task>& tasks) : tasks_(tasks) {}

  // `from` must have been issued before `to`. Nothing is added when the recorded times contradict
  // it: whatever the rule says, this task did not wait for that one.
  void add(std::uint32_t from, std::uint32_t to, Cause cause, bool from_start = false);

  struct Entry {
    std::uint32_t to = 0;
    Edge edge;
  };
  std::vector<Entry> entries;
  std::int64_t contradicted = 0;

 private:
  const std::vector<Task>& tasks_;
};

// By how much clocks may disagree, in ns: ops of one stream were seen to overlap by so little.
inline constexpr std::int64_t clock_tolerance = 2'000;

// One cause for which tasks wait, in a file of its own. It is told of the commands in the order of
// their issue, before the walk passes them.
class Constraint {
 public:
  virtual ~Constraint() = default;
  virtual void task(const Walk& walk, std::uint32_t task, EdgeList& edges) = 0;
};

// Makes one of each. Registered in constraints.cpp.
std::vector<std::unique_ptr<Constraint>> make_constraints(const Trace& trace, const Graph& graph);

std::unique_ptr<Constraint> stream_order_constraint(const Trace& trace, const Graph& graph);
std::unique_ptr<Constraint> default_stream_constraint(const Trace& trace, const Graph& graph);
std::unique_ptr<Constraint> event_wait_constraint(const Trace& trace, const Graph& graph);
std::unique_ptr<Constraint> queue_alias_constraint(const Trace& trace, const Graph& graph);
std::unique_ptr<Constraint> host_func_constraint(const Trace& trace, const Graph& graph);
std::unique_ptr<Constraint> module_load_constraint(const Trace& trace, const Graph& graph);

}  // namespace lapscope::analyzer
