#include <algorithm>
#include <cstdio>
#include <ostream>

#include "workloads/harness/workload_report.h"
#include "workloads/implicit_sync/survey.h"

namespace lapscope::workloads::implicit_sync {
namespace {

using Align = TextTable::Align;

std::string ms_text(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", ms);
  return text;
}

// Returns "yes", "varies: yes 3/5" or "unclear".
template <typename T, typename Text>
std::string cell(const Verdict<T>& verdict, Text text_of_value) {
  if (!verdict.value) return "unclear";
  const std::string text(text_of_value(*verdict.value));
  if (!verdict.varies()) return text;
  return "varies: " + text + " " + std::to_string(verdict.agreeing) + "/" +
         std::to_string(verdict.clear);
}

std::string waits_cell(const Verdict<Follower>& verdict) {
  return cell(verdict, [](Follower follower) {
    if (follower == Follower::host_waited) return "host waits";
    return follower == Follower::waits ? "yes" : "no";
  });
}

std::string overlap_cell(const Verdict<Follower>& verdict) {
  return cell(verdict, [](Follower follower) {
    if (follower == Follower::host_waited) return "host waits";
    return follower == Follower::overlaps ? "yes" : "no";
  });
}

std::vector<std::string> row_of(const CallResult& result) {
  const Call& call = *result.call;
  std::vector<std::string> row{std::string(call.name), std::string(text_of(call.claim.says)),
                               std::string(call.claim.source)};
  if (!result.unavailable.empty()) {
    row.resize(10, "n/a");
    return row;
  }
  const Behaviour& behaviour = result.behaviour;
  row.push_back(ms_text(median(result.idle_ms)));
  row.push_back(ms_text(busy_ms(result)));
  row.push_back(cell(behaviour.host, [](HostWait wait) { return text_of(wait); }));
  row.push_back(waits_cell(behaviour.own_stream));
  row.push_back(overlap_cell(behaviour.non_blocking));
  row.push_back(overlap_cell(behaviour.blocking));
  row.emplace_back(as_documented(call.claim.says, behaviour));
  return row;
}

}  // namespace

void render_text(std::ostream& out, const Survey& survey) {
  TextTable table({{"call"},
                   {"documented"},
                   {"source"},
                   {"idle ms", Align::right},
                   {"busy ms", Align::right},
                   {"host waits for"},
                   {"own stream waits"},
                   {"non-blocking overlap"},
                   {"blocking overlap"},
                   {"as documented"}});
  for (const auto& result : survey.results) table.add(row_of(result));
  out << table << '\n';

  const auto missing = std::ranges::count_if(
      survey.results, [](const CallResult& result) { return !result.unavailable.empty(); });
  Report report;
  report.add("workload", "implicit_sync");
  report.add("device", survey.device);
  report.add("driver", survey.versions.driver);
  report.add("cuda_driver", survey.versions.cuda_driver);
  report.add("cuda_runtime", survey.versions.cuda_runtime);
  report.add_count("repeats", survey.repeats);
  report.add_count("measured", std::ssize(survey.results) - missing);
  report.add_count("not_available", missing);
  for (const auto& result : survey.results) {
    if (result.unavailable.empty()) continue;
    report.add("n/a " + std::string(result.call->name), result.unavailable);
  }
  report.add("controls", survey.failures.empty() ? "as they must be" : "wrong");
  out << report;
}

void render_list(std::ostream& out, const std::vector<const Call*>& calls) {
  TextTable table({{"call"}, {"documented"}, {"source"}});
  for (const Call* call : calls) {
    table.add({std::string(call->name), std::string(text_of(call->claim.says)),
               std::string(call->claim.source)});
  }
  out << table;
}

}  // namespace lapscope::workloads::implicit_sync
