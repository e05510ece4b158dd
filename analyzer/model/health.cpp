#include "analyzer/model/health.h"

#include <algorithm>

namespace lapscope::analyzer {
namespace {

const HealthFacts& facts_of(HealthKind kind) {
  return health_facts[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string_view name_of(Severity severity) {
  constexpr std::string_view names[] = {"info", "warning", "error"};
  static_assert(std::size(names) == static_cast<std::size_t>(Severity::error) + 1);
  return names[static_cast<std::size_t>(severity)];
}

Severity severity_of(const HealthRow& row) { return facts_of(row.kind).severity; }

std::string_view code_of(const HealthRow& row) {
  if (row.kind != HealthKind::other_loss) return facts_of(row.kind).code;
  return std::get<std::string>(row.details.front());
}

bool is_absent_range(const HealthRow& row) {
  return code_of(row) == facts_of(HealthKind::range_absent).code;
}

const HealthRow* failed_work(const std::vector<HealthRow>& health) {
  const auto found = std::find_if(health.begin(), health.end(), [](const HealthRow& row) {
    return row.kind == HealthKind::launches_failed || row.kind == HealthKind::transfers_failed;
  });
  return found == health.end() ? nullptr : &*found;
}

bool contradicts_itself(const std::vector<HealthRow>& health) {
  return std::any_of(health.begin(), health.end(), [](const HealthRow& row) {
    return row.kind == HealthKind::broken_law || row.kind == HealthKind::impossible_values;
  });
}

bool hides_causes(const std::vector<HealthRow>& health) {
  return failed_work(health) != nullptr ||
         std::any_of(health.begin(), health.end(),
                     [](const HealthRow& row) { return row.kind == HealthKind::foreign_calls; });
}

bool is_any_error(const std::vector<HealthRow>& health) {
  return std::any_of(health.begin(), health.end(),
                     [](const HealthRow& row) { return severity_of(row) == Severity::error; });
}

}  // namespace lapscope::analyzer
