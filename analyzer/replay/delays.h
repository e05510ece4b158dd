#pragma once

#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/machine/simulate.h"
#include "analyzer/replay/late_begin.h"

namespace lapscope::analyzer {

// The latencies of a graph: what a task was seen to take where the same holds it up, and otherwise
// the usual. Calls begin as long behind others as they did. Refers to the graph.
class GraphDelays : public LinkDelays {
 public:
  explicit GraphDelays(const Graph& graph)
      : graph_(graph),
        tasks_(graph.tasks.values()),
        steps_(graph.steps.values()),
        bindings_(graph.bindings.values()),
        late_begin_(graph) {}

  std::int64_t of(std::uint32_t from, const Link& link) override;
  std::int64_t of_room(std::uint32_t task) override;

  const LateBegin& late_begin() const { return late_begin_; }
  // The names of assumptions for those that were asked for and that the trace has no examples of.
  std::set<std::string_view> stand_ins() const;

 private:
  std::int64_t usual(Cause cause, Engine engine);
  std::int64_t latency(std::uint32_t task, std::int64_t recorded_release, Cause cause,
                       std::uint32_t from);

  const Graph& graph_;
  const std::vector<Task>& tasks_;
  const std::vector<Step>& steps_;
  const std::vector<Binding>& bindings_;
  const LateBegin late_begin_;
  std::array<std::array<bool, all_engines.size()>, cause_count> was_assumed_{};
};

}  // namespace lapscope::analyzer
