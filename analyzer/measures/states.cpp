#include "analyzer/measures/states.h"

#include <algorithm>
#include <array>

namespace lapscope::analyzer {

std::vector<StateTime> state_table(const Activity& activity) {
  // A union's intervals neither overlap nor touch, so that every edge flips one engine's bit.
  struct Edge {
    std::int64_t time;
    std::uint8_t flipped;
  };
  std::vector<Edge> edges;
  for (const Engine engine : all_engines) {
    const auto bit = static_cast<std::uint8_t>(1 << static_cast<int>(engine));
    for (const Interval& interval : activity.of(engine).intervals()) {
      edges.push_back({interval.start, bit});
      edges.push_back({interval.end, bit});
    }
  }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.time < b.time; });

  std::array<std::int64_t, 1 << all_engines.size()> time_in{};
  std::uint8_t active = 0;
  std::int64_t since = activity.window.start;
  for (const Edge& edge : edges) {
    time_in[active] += edge.time - since;
    since = edge.time;
    active ^= edge.flipped;
  }
  time_in[active] += activity.window.end - since;

  std::vector<StateTime> table;
  for (std::size_t state = 0; state < time_in.size(); ++state) {
    if (time_in[state] > 0) table.push_back({static_cast<std::uint8_t>(state), time_in[state]});
  }
  return table;
}

}  // namespace lapscope::analyzer
