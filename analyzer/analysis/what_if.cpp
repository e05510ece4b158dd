#include "analyzer/analysis/what_if.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <stdexcept>

#include "analyzer/analysis/judge.h"
#include "analyzer/analysis/replayed_activity.h"
#include "analyzer/analysis/wanted.h"
#include "analyzer/findings/blame.h"
#include "analyzer/graph/build_graph.h"
#include "analyzer/measures/measure.h"
#include "analyzer/replay/rebase.h"

namespace lapscope::analyzer {
namespace {

// A number in these bounds, or nothing.
std::optional<double> number_in(const std::string& text, double least, double most) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || !(least <= value && value <= most)) return std::nullopt;
  return value;
}

AskedFix asked_scale(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  const auto value =
      equals == std::string::npos ? std::nullopt : number_in(text.substr(equals + 1), 1e-3, 1e6);
  const auto engine = std::find_if(all_engines.begin(), all_engines.end(),
                                   [&](Engine e) { return name_of(e) == name; });
  if (!value || engine == all_engines.end()) {
    throw std::invalid_argument(
        "'scale:" + text +
        "' is no scale. Give an engine (compute, h2d, d2h, other) and how "
        "many times as fast it is to be, 0.001 to 1000000, as in scale:h2d=2.");
  }
  return {nullptr, *engine, *value, {}};
}

std::string number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string change_of(const AskedFix& asked) {
  if (!asked.fix) {
    return std::string(name_of(asked.engine)) + " is " + number(asked.value) + " times as fast";
  }
  std::string change =
      std::string(code_of(asked.fix->cause)) + ": " + std::string(asked.fix->change);
  if (asked.value > 0) {
    change += "; N = " + number(asked.value) + ": " + std::string(asked.fix->argument);
  }
  if (!asked.site.empty()) change += "; only at " + asked.site;
  return change;
}

// Tasks that are never released were not replayed, and what is predicted means nothing.
HealthRow stuck_row(std::int64_t tasks) {
  return {"replay-stuck", Severity::error, tasks,
          "The prediction is inconclusive: " + std::to_string(tasks) +
              " ops wait for each other in the replay, and stay where they were recorded.",
          "Report it with the trace: the graph of what waits for what is wrong."};
}

constexpr const Measure* told[] = {&overlap_ratio, &overlap_efficiency, &copy_hidden, &idle_ratio};

// What is known of a scope before anything is changed.
WhatIfScope before(const Context& context, const Graph& graph, const Scoped& scope,
                   const Replayed& recorded, const Replayed& base) {
  const Device& device = context.trace.devices[scope.device];
  WhatIfScope result;
  result.device = device.id;
  result.device_name = device.name;
  result.wall_ns = scope.window.length();
  const Activity activity =
      replayed_activity(device, context.communication, graph, scope, recorded);
  for (const Measure* measure : told) {
    result.ratios.push_back({measure, measure->compute(activity), Undefined{}});
  }
  if (activity.sum > 0) {
    result.overlap_ratio =
        1 - static_cast<double>(result.wall_ns) / static_cast<double>(activity.sum);
  }
  result.replay.wall_ns = wall_of(scope, base);
  if (result.wall_ns > 0) {
    result.replay.error =
        static_cast<double>(result.replay.wall_ns) / static_cast<double>(result.wall_ns) - 1;
  }
  return result;
}

// By the graph that analyze tells the path by: of a window it reaches further back (explain.cpp).
void add_unexplained(const Context& context, bool are_ranges, const std::vector<Wanted>& wanted,
                     const Graph& graph, std::vector<WhatIfScope>& results) {
  std::optional<Graph> wider;
  if (!are_ranges && context.options.window) {
    wider = build_graph(context.trace, issue_of_windows(context.trace, wanted));
  }
  const Graph& told_by = wider ? *wider : graph;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Scoped scope = scoped(told_by, wanted[i].device, wanted[i].scope);
    results[i].unexplained_share = unexplained_share(
        blame_of(critical_path(told_by, scope), scope.device), scope.window.length());
  }
}

void add_prediction(const Context& context, const Graph& changed, const Scoped& scope,
                    const Replayed& replayed, WhatIfScope& result) {
  result.predicted = predict(scope, replayed);
  result.begins_earlier_ns =
      std::max<std::int64_t>(0, scope.window.start - window_of(scope, replayed).start);
  const Activity activity = replayed_activity(context.trace.devices[scope.device],
                                              context.communication, changed, scope, replayed);
  for (PredictedRatio& ratio : result.ratios) ratio.predicted = ratio.measure->compute(activity);
}

// A fix that changes what nothing tells is not predicted, unless the user says how much.
void tell_unknown(const Trace& trace, const Graph& graph, const std::vector<AskedFix>& asked,
                  std::vector<HealthRow>& health) {
  const auto is_scale = [](const AskedFix& one) { return one.fix == nullptr; };
  if (std::any_of(asked.begin(), asked.end(), is_scale)) return;
  for (const AskedFix& one : asked) {
    const std::string unknown = one.fix->lacks(trace, graph);
    if (unknown.empty()) continue;
    health.push_back(
        {"fix-unknown", Severity::error, 1, "The prediction is inconclusive. " + unknown, ""});
  }
}

std::vector<WhatIfScope> predict_all(const Context& context, bool are_ranges,
                                     const std::vector<Wanted>& wanted,
                                     const std::vector<AskedFix>& asked,
                                     std::vector<HealthRow>& health) {
  const Trace& trace = context.trace;
  Graph graph = build_graph(trace, issue_to_explain(context, are_ranges, wanted));
  tell_unknown(trace, graph, asked, health);
  std::vector<Scoped> scopes;
  std::vector<Wanted> judged;  // of each scope
  for (const Wanted& one : wanted) {
    Scoped scope = scoped(graph, one.device, one.scope);
    if (scope.tasks.empty()) continue;
    scopes.push_back(std::move(scope));
    judged.push_back(one);
  }
  std::vector<WhatIfScope> results;
  std::int64_t stuck = 0;
  {
    const Replayed recorded = recorded_times(graph);
    const Replayed base = replay(graph);
    stuck = base.stuck;
    for (const Scoped& scope : scopes) {
      results.push_back(before(context, graph, scope, recorded, base));
    }
  }
  add_unexplained(context, are_ranges, judged, graph, results);
  Graph changed = fixed({trace, context.host, graph}, asked);
  // Half of what is held: a large trace has room for one graph and what is tried on it.
  graph = {};
  const Replayed replayed = replay(changed);
  stuck += replayed.stuck;
  if (stuck > 0) health.push_back(stuck_row(stuck));
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    add_prediction(context, changed, scopes[i], replayed, results[i]);
    scopes[i].window = window_of(scopes[i], replayed);
  }
  const Graph after = rebased(std::move(changed), replayed);
  auto causes = find_causes({trace, context.host, after}, scopes, context.options.causes);
  for (std::size_t i = 0; i < scopes.size(); ++i) results[i].after = std::move(causes[i]);
  return results;
}

}  // namespace

AskedFix asked_fix(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string code = text.substr(0, colon);
  if (code == "scale" && colon != std::string::npos) return asked_scale(text.substr(colon + 1));
  const auto cause = cause_of_code(code);
  const Fix* fix = cause ? fix_for(*cause) : nullptr;
  if (!fix) {
    std::string known;
    for (const Fix* one : fixes()) known += std::string(code_of(one->cause)) + ", ";
    throw std::invalid_argument("'" + code + "' is no fix. There are " + known +
                                "and scale:ENGINE=FACTOR.");
  }
  AskedFix asked{fix};
  constexpr std::string_view site = "site=";
  if (colon != std::string::npos && text.compare(colon + 1, site.size(), site) == 0) {
    asked.site = text.substr(colon + 1 + site.size());
    if (asked.site.empty()) {
      throw std::invalid_argument("'" + text +
                                  "' names no place. They are with the findings of lapscope "
                                  "analyze --verbose; * stands for any characters.");
    }
  } else if (colon != std::string::npos) {
    const auto value = number_in(text.substr(colon + 1), 1, 1e6);
    if (!value || *value != std::floor(*value) || fix->argument.empty()) {
      throw std::invalid_argument("'" + text + "' has a value that " + code +
                                  (fix->argument.empty()
                                       ? " does not take."
                                       : " cannot use: give a whole number from 1 to 1000000."));
    }
    asked.value = *value;
  }
  return asked;
}

WhatIfReport what_if(const Trace& trace, const AnalyzeOptions& options,
                     const std::vector<AskedFix>& asked) {
  WhatIfReport report;
  report.trace = trace.facts;
  report.health = trace.health;
  for (const AskedFix& one : asked) {
    report.changes.push_back(change_of(one));
    report.needs_judgement |= one.fix && one.fix->needs_judgement;
  }
  const Context context(trace, options);
  std::exception_ptr no_such_place;
  for (const auto& [range, wanted] : wanted_scopes(context)) {
    try {
      for (WhatIfScope& scope :
           predict_all(context, !range.empty(), wanted, asked, report.health)) {
        scope.range = range;
        report.scopes.push_back(std::move(scope));
      }
    } catch (const std::invalid_argument&) {
      no_such_place = std::current_exception();
    }
  }
  // A place need not be in every range.
  if (report.scopes.empty() && no_such_place) std::rethrow_exception(no_such_place);
  return report;
}

}  // namespace lapscope::analyzer
