#include <array>

#include "analyzer/graph/constraint.h"

namespace lapscope::analyzer {

std::vector<std::unique_ptr<Constraint>> make_constraints(const Trace& trace, const Graph& graph) {
  constexpr std::array makers = {
      stream_order_constraint, default_stream_constraint, event_wait_constraint,
      queue_alias_constraint,  host_func_constraint,      module_load_constraint,
  };
  std::vector<std::unique_ptr<Constraint>> constraints;
  for (const auto make : makers) constraints.push_back(make(trace, graph));
  return constraints;
}

void EdgeList::add(std::uint32_t from, std::uint32_t to, Cause cause, bool from_start) {
  if (from == no_index || from >= to) return;
  const std::int64_t release = from_start ? tasks_[from].start : tasks_[from].end;
  if (release <= tasks_[to].start + clock_tolerance) {
    entries.push_back({to, {from, cause, from_start, false}});
  } else {
    ++contradicted;
  }
}

}  // namespace lapscope::analyzer
