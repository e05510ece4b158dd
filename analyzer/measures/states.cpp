#include "analyzer/measures/states.h"

#include <array>

namespace lapscope::analyzer {

std::vector<StateTime> state_table(const Activity& activity) {
  std::array<std::int64_t, 1 << all_engines.size()> time_in{};
  for (const Activity::Combination& combination : activity.combinations) {
    time_in[combination.active & classes::engines] += combination.ns;
  }
  std::vector<StateTime> table;
  for (std::size_t state = 0; state < time_in.size(); ++state) {
    if (time_in[state] > 0) table.push_back({static_cast<std::uint8_t>(state), time_in[state]});
    if (state == 0 && activity.other_work > 0) table.push_back({0, activity.other_work, true});
  }
  return table;
}

}  // namespace lapscope::analyzer
