#include "analyzer/gate/notes.h"

#include <fmt/format.h>

#include <algorithm>

namespace lapscope::analyzer {
namespace {

void add_health(Runs runs, std::vector<std::string>& notes) {
  for (const RunSummary& run : runs) {
    for (const HealthRow& row : run.health) {
      if (row.severity == Severity::info) continue;
      std::string note = fmt::format("'{}': {}", run.source(), row.message);
      // Repeats in one summary have one name.
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
        notes.push_back(std::move(note));
      }
    }
  }
}

void add_differences(const TraceFacts& now, const TraceFacts& then,
                     std::vector<std::string>& notes) {
  if (now.command != then.command) {
    notes.push_back(fmt::format("The baseline is of another command: '{}' instead of '{}'.",
                                then.command, now.command));
  }
  if (now.driver != then.driver) {
    notes.push_back(fmt::format("The baseline was recorded with another driver: {} instead of {}.",
                                then.driver, now.driver));
  }
}

}  // namespace

std::vector<std::string> notes_of(Runs runs, Runs baseline) {
  std::vector<std::string> notes;
  if (!baseline.empty()) add_differences(runs[0].trace, baseline[0].trace, notes);
  add_health(runs, notes);
  add_health(baseline, notes);
  return notes;
}

}  // namespace lapscope::analyzer
