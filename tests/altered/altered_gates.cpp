#include "tests/altered/altered_gates.h"

#include <chrono>
#include <cmath>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/verdict.h"
#include "analyzer/gate/judge_gate.h"
#include "analyzer/summary/summary.h"
#include "readers/read_trace.h"
#include "readers/tables/unreadable_trace.h"
#include "reports/words/summary_words.h"

namespace lapscope::altered {
namespace {

using analyzer::Gate;
using analyzer::Outcome;

constexpr analyzer::Date today{std::chrono::year(2026), std::chrono::month(1), std::chrono::day(1)};

// Returns the options with which `gate` evaluates the steady state and the whole run.
analyzer::AnalyzeOptions options() {
  analyzer::AnalyzeOptions options = analyzer::for_summary({});
  options.focus = analyzer::Focus::steady;
  return options;
}

Gate gate_of(bool is_whole) {
  Gate gate;
  if (is_whole) gate.scope = analyzer::GateScope::whole;
  return gate;
}

void add(const Condition& condition, Gate& gate) {
  const auto space = condition.text.find(' ');
  const std::string verb = condition.text.substr(0, space);
  const std::string what = condition.text.substr(space + 1);
  if (verb == "forbid") {
    gate.bans.push_back({analyzer::cause_of_code(what).value(), {}, {}});
    return;
  }
  const auto sense = verb == "min" ? analyzer::Sense::at_least : analyzer::Sense::at_most;
  gate.bounds.push_back({analyzer::find_measure(what), sense, condition.bound, {}});
}

Outcome outcome_of(const Condition& condition, const analyzer::RunSummary& run) {
  Gate gate = gate_of(condition.is_whole);
  add(condition, gate);
  analyzer::GateReport report;
  report.gates.push_back(analyzer::judge_gate(gate, std::span(&run, 1), {}, today));
  return analyzer::verdict_of(report);
}

const analyzer::ScopeSummary& scope_of(const analyzer::DeviceSummary& device, bool is_whole) {
  const analyzer::ScopeSummary* judged = judged_of(device);
  return is_whole || judged == nullptr ? device.scopes.front() : *judged;
}

void add_conditions(const analyzer::DeviceSummary& device, bool is_whole,
                    std::set<Condition>& conditions) {
  const analyzer::ScopeSummary& scope = scope_of(device, is_whole);
  constexpr double just = 0.01;
  for (const analyzer::MeasureSummary& one : scope.measures) {
    if (!one.value || one.measure->better == analyzer::Better::neither) continue;
    const bool is_min = one.measure->better == analyzer::Better::more;
    const double step = std::max(std::abs(*one.value) * just, 1e-3);
    conditions.insert({is_whole, (is_min ? "min " : "max ") + std::string(one.measure->name),
                       *one.value + (is_min ? step : -step)});
  }
  if (!scope.causes) return;
  for (const auto& [code, saving] : scope.causes->savings) {
    if (analyzer::cause_of_code(code)) conditions.insert({is_whole, "forbid " + code, 0});
  }
}

}  // namespace

std::set<Condition> failing_conditions(const std::filesystem::path& trace) {
  const auto report = analyzer::analyze(analyzer::read_trace(trace), options());
  const auto run = summarize(report, options(), reports::wording);
  std::set<Condition> conditions;
  for (const analyzer::DeviceSummary& device : run.devices) {
    for (const bool is_whole : {false, true}) add_conditions(device, is_whole, conditions);
  }
  std::erase_if(conditions, [&](const Condition& condition) {
    return outcome_of(condition, run) != Outcome::failed;
  });
  return conditions;
}

Judged judged(const std::filesystem::path& trace, const std::set<Condition>& conditions) {
  Judged result;
  try {
    const auto report = analyzer::analyze(analyzer::read_trace(trace), options());
    const auto run = summarize(report, options(), reports::wording);
    for (const Condition& condition : conditions) {
      result.outcomes[condition] = outcome_of(condition, run);
    }
    for (const auto& row : report.health) {
      if (severity_of(row) != analyzer::Severity::info) {
        result.defects.emplace_back(code_of(row));
      }
    }
    result.verdict = verdict_of(report);
  } catch (const analyzer::UnreadableTrace& error) {
    result.refusal = error.what();
  }
  return result;
}

}  // namespace lapscope::altered
