#include "analyzer/gate/gate.h"

#include <fmt/format.h>

#include <algorithm>

#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {
namespace {

std::vector<std::string> condition_names(const Gate& gate) {
  std::vector<std::string> names;
  for (const Bound& bound : gate.bounds) names.push_back(name_of(bound));
  for (const Ban& ban : gate.bans) names.push_back(name_of(ban));
  for (const RunBan& ban : gate.run_bans) names.push_back(name_of(ban));
  if (gate.baseline) {
    for (const Measure* measure : gate.baseline->measures) {
      names.push_back(baseline_name(*measure));
    }
  }
  return names;
}

std::optional<GateFault> contradiction(const Gate& gate) {
  for (const Bound& least : gate.bounds) {
    if (least.sense != Sense::at_least) continue;
    for (const Bound& most : gate.bounds) {
      if (most.sense != Sense::at_most || most.measure != least.measure) continue;
      if (least.value <= most.value) continue;
      const char* unit = least.measure->unit == MeasureUnit::ns ? " ns" : "";
      return GateFault{
          fmt::format("the bounds of {} contradict each other: at least {}{}, and at most {}{}",
                      least.measure->name, least.value, unit, most.value, unit),
          least.place.line > most.place.line ? least.place : most.place};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string name_of(const Bound& bound) {
  return fmt::format("{} {}", bound.sense == Sense::at_least ? "min" : "max", bound.measure->name);
}

std::string name_of(const Ban& ban) { return fmt::format("forbid {}", code_of(ban.cause)); }

std::string name_of(const RunBan& ban) { return fmt::format("forbid {}", code_of(ban.cause)); }

std::string baseline_name(const Measure& measure) {
  return fmt::format("baseline {}", measure.name);
}

std::string_view name_of(OverRanks over) {
  constexpr std::string_view names[] = {"all", "worst", "median"};
  static_assert(std::size(names) == over_ranks_choices.size());
  return names[static_cast<std::size_t>(over)];
}

std::string_view name_of(GateScope scope) {
  constexpr std::string_view names[] = {"steady", "profiler", "iterations", "range", "whole"};
  static_assert(std::size(names) == gate_scopes.size());
  return names[static_cast<std::size_t>(scope)];
}

std::string text_of(const Date& date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::optional<GateFault> check_gate(const Gate& gate) {
  const auto names = condition_names(gate);
  if (names.empty()) {
    return GateFault{"there is no condition; write min, max, forbid or baseline", gate.place};
  }
  if (auto fault = contradiction(gate)) return fault;
  for (const RunBan& ban : gate.run_bans) {
    if (!is_question(ban.cause) || gate.forbids_possible) continue;
    return GateFault{fmt::format("'{}' is only ever a possible finding: the data may not allow "
                                 "its fix. Forbid these, too, with possible (--possible)",
                                 code_of(ban.cause)),
                     ban.place};
  }
  for (const Waiver& waiver : gate.waivers) {
    if (std::find(names.begin(), names.end(), waiver.condition) != names.end()) continue;
    const std::vector<std::string_view> known(names.begin(), names.end());
    return GateFault{fmt::format("there is no condition '{}' to waive{}", waiver.condition,
                                 suggestion(waiver.condition, known)),
                     waiver.place};
  }
  return std::nullopt;
}

}  // namespace lapscope::analyzer
