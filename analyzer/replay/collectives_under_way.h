#pragma once

#include <utility>
#include <vector>

#include "analyzer/graph/graph.h"

namespace lapscope::analyzer {

// Collectives in a replay: each waits until all its ranks run.
class CollectivesUnderWay {
 public:
  using End = std::pair<std::uint32_t, std::int64_t>;  // a task, and when it ends

  explicit CollectivesUnderWay(const Graph& graph)
      : graph_(&graph), states_(graph.collectives.size()), joined_(graph.ranks.size(), never) {}

  // The kernel runs with all its blocks from now on. When it is the last one, the ends of all.
  std::vector<End> join(std::uint32_t task, std::int64_t now);

  // Those that wait do so no longer, and who joins later need not either. Their ends; none when
  // nobody waits.
  std::vector<End> give_up(std::int64_t now);

 private:
  struct State {
    std::uint32_t joined = 0;
    bool is_given_up = false;
  };
  std::vector<End> ends_of(std::uint32_t collective, std::int64_t last) const;

  const Graph* graph_;
  std::vector<State> states_;         // by collective
  std::vector<std::int64_t> joined_;  // by rank: since when, or never
};

}  // namespace lapscope::analyzer
