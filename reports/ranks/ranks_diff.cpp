#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "analyzer/ranks/compare_runs.h"
#include "analyzer/ranks/run_steps.h"
#include "reports/ranks/render_ranks.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::CauseChange;
using analyzer::Ns;
using analyzer::RankTime;
using analyzer::RunChange;
using analyzer::RunComparison;
using Align = Table::Align;
using Json = nlohmann::ordered_json;

struct Row {
  std::string_view name;
  Ns RankTime::*state;
};
constexpr std::array rows = {
    Row{"computes", &RankTime::computing}, Row{"transfers", &RankTime::transferring},
    Row{"waits", &RankTime::waiting}, Row{"other communication", &RankTime::other_communication},
    Row{"idle", &RankTime::idle}};

std::string share_text(const std::optional<analyzer::Share>& share) {
  return share ? rough(*share) : "-";
}

std::string causes_clause(const RunComparison& comparison) {
  std::string text;
  for (const CauseChange& cause : comparison.causes) {
    if (cause.before && cause.after) continue;
    text += fmt::format("{} {} is {}", text.empty() ? ":" : ",", code_of(cause.cause),
                        cause.after ? "new" : "gone");
  }
  return text;
}

std::string devices_of(const analyzer::RunResult& run) {
  std::set<std::string> devices;
  for (const analyzer::RankResult& rank : run.ranks) devices.insert(printable(rank.device_name));
  return fmt::format("{}", fmt::join(devices, ", "));
}

std::string_view name_of(RunChange change) {
  switch (change) {
    case RunChange::faster:
      return "faster";
    case RunChange::slower:
      return "slower";
    case RunChange::same:
      return "same";
    case RunChange::unknown:
      break;
  }
  return "unknown";
}

// The name of the row that compares how long steps take.
std::string steps_label(const RunReport& before, const RunReport& after) {
  if (before.run.steps.empty() && after.run.steps.empty()) return "evaluated window";
  const auto count = [](const RunReport& report) {
    return report.run.steps.empty() ? "none" : std::to_string(report.run.steps.size() - 1);
  };
  return fmt::format(
      "{}, of {} and {}",
      before.run.collectives_in_step == 1 ? "from one collective to the next" : "a step",
      count(before), count(after));
}

}  // namespace

std::string headline_of(const RunReport& before, const RunReport& after) {
  const RunComparison comparison = compare_runs_of_ranks(before.run, after.run);
  const double was = static_cast<double>(comparison.before.median);
  const double is = static_cast<double>(comparison.after.median);
  const std::string clause = causes_clause(comparison);
  switch (comparison.change) {
    case RunChange::faster:
      return fmt::format("{:.2f} times as fast{}.", was / is, clause);
    case RunChange::slower:
      return fmt::format("{:.2f} times as slow{}.", is / was, clause);
    case RunChange::same:
      return fmt::format("As fast as before, as far as steps scatter{}.", clause);
    case RunChange::unknown:
      break;
  }
  for (const RunReport* run : {&before, &after}) {
    if (verdict_of(run->run) != analyzer::Verdict::inconclusive) continue;
    return fmt::format("'{}': {}", printable(run->folder), headline_of(*run));
  }
  if (before.run.steps.empty() || after.run.steps.empty()) {
    const RunReport& without = before.run.steps.empty() ? before : after;
    return fmt::format(
        "Inconclusive: '{}' has no steps, so the recorded times may be of different work. Record "
        "at least {} steps of each run.",
        printable(without.folder), analyzer::least_steps_of_run);
  }
  return fmt::format(
      "Inconclusive: the steps of the two runs are not of one kind: {} of {} collectives each, and "
      "{} of {}. Record the same steps of both.",
      comparison.before.steps, before.run.collectives_in_step, comparison.after.steps,
      after.run.collectives_in_step);
}

void render_ranks_diff(const RunReport& before, const RunReport& after, const TextStyle& style,
                       std::ostream& out) {
  const RunComparison comparison = compare_runs_of_ranks(before.run, after.run);
  for (const std::string& line : wrapped_lines(headline_of(before, after), style, 2)) {
    out << line << '\n';
  }
  Table table({Align::left, Align::right, Align::right});
  table.add({"", "before", "after"});
  table.add({"ranks", fmt::format("{}", before.run.ranks.size()),
             fmt::format("{}", after.run.ranks.size())});
  const std::string devices_before = devices_of(before.run);
  const std::string devices_after = devices_of(after.run);
  if (devices_before != devices_after) table.add({"devices", devices_before, devices_after});
  const auto spread = [](const RunReport& report, const analyzer::StepSpread& steps) {
    if (report.run.steps.empty()) return format_ns(steps.median);
    return fmt::format("{} ({} to {})", format_ns(steps.median), format_ns(steps.least),
                       format_ns(steps.most));
  };
  table.add({steps_label(before, after), spread(before, comparison.before),
             spread(after, comparison.after)});
  for (const Row& row : rows) {
    table.add({fmt::format("  a rank {}", row.name), format_ns(mean_in_step(before.run, row.state)),
               format_ns(mean_in_step(after.run, row.state))});
  }
  for (const CauseChange& cause : comparison.causes) {
    table.add({fmt::format("{} would save", code_of(cause.cause)), share_text(cause.before),
               share_text(cause.after)});
  }
  table.print(out, 2);
}

void render_ranks_diff_json(const RunReport& before, const RunReport& after, std::ostream& out) {
  const RunComparison comparison = compare_runs_of_ranks(before.run, after.run);
  const auto side = [](const RunReport& report, const analyzer::StepSpread& steps) {
    Json json = {
        {"folder", printable(report.folder)},
        {"verdict", name_of(verdict_of(report.run))},
        {"ranks", report.run.ranks.size()},
        {"steps", report.run.steps.empty() ? 0 : steps.steps},
        {"step_ns", {{"median", steps.median}, {"least", steps.least}, {"most", steps.most}}}};
    Json& mean = json["mean_in_step_ns"];
    for (const Row& row : rows) mean[std::string(row.name)] = mean_in_step(report.run, row.state);
    return json;
  };
  Json causes = Json::array();
  for (const CauseChange& cause : comparison.causes) {
    causes.push_back({{"code", code_of(cause.cause)},
                      {"before", cause.before ? Json(*cause.before) : Json()},
                      {"after", cause.after ? Json(*cause.after) : Json()}});
  }
  const Json json = {
      {"schema", "lapscope-ranks-diff/1"},      {"headline", headline_of(before, after)},
      {"change", name_of(comparison.change)},   {"before", side(before, comparison.before)},
      {"after", side(after, comparison.after)}, {"causes", std::move(causes)}};
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void render_ranks_whatif(const RunReport& run, std::span<const analyzer::RunCause> asked,
                         const TextStyle& style, std::ostream& out) {
  const Ns wall = run.run.window.length();
  for (const std::string& line : wrapped_lines(scope_sentence(run), style, 2)) out << line << '\n';
  Table table({Align::left, Align::right, Align::right, Align::left});
  table.add({"fix", "predicted", "saves at most", ""});
  for (const analyzer::RunCause cause : asked) {
    const analyzer::RunFinding* most = nullptr;
    for (const auto* list : {&run.run.findings, &run.run.questions}) {
      for (const analyzer::RunFinding& one : *list) {
        if (one.cause == cause && (most == nullptr || one.middle() > most->middle())) most = &one;
      }
    }
    if (most == nullptr) {
      table.add({std::string(code_of(cause)), format_ns(wall), "nothing", ""});
      continue;
    }
    const bool has_rank =
        cause == analyzer::RunCause::straggler || cause == analyzer::RunCause::pipeline_bubble;
    std::string note = has_rank ? named(most->ranks, run) : "";
    if (is_question(cause)) note = "if the data allows it";
    const Ns saving = most->most_saving;
    table.add({std::string(code_of(cause)), format_ns(wall - saving),
               fmt::format("{} ({})", format_ns(saving), rough_share(saving, wall)), note});
  }
  table.print(out, 2);
  out << "Savings of different causes do not add up.\n";
}

}  // namespace lapscope::reports
