#include "reports/words/health_words.h"

#include <algorithm>

namespace lapscope::reports {

std::vector<analyzer::HealthRow> worst_first(std::vector<analyzer::HealthRow> health) {
  std::stable_sort(health.begin(), health.end(),
                   [](const auto& a, const auto& b) { return a.severity > b.severity; });
  return health;
}

}  // namespace lapscope::reports
