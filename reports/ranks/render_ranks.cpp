#include "reports/ranks/render_ranks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "analyzer/ranks/compare_runs.h"
#include "reports/perfetto/render_perfetto.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

using analyzer::Ns;
using analyzer::RankResult;
using analyzer::RankTime;
using analyzer::RunFinding;
using Align = Table::Align;

// Indents the first line by `first` and all other lines by `indent`.
void print_paragraph(const std::string& text, std::size_t indent, const TextStyle& style,
                     std::ostream& out, std::size_t first = 0) {
  TextStyle narrower = style;
  narrower.width -= std::min(narrower.width, first);
  for (const std::string& line : wrapped_lines(text, narrower, indent - first)) {
    out << std::string(first, ' ') << line << '\n';
  }
}

std::string_view sentence_part(analyzer::RunWindow window) {
  switch (window) {
    case analyzer::RunWindow::steps:
      return "its steps, by their collectives";
    case analyzer::RunWindow::steady:
      return "what their steady states share";
    case analyzer::RunWindow::whole:
      break;
  }
  return "what all recorded";
}

// States how many messages were matched, and how: "80 collectives and 12 exchanges were matched, by
// communicator and size." The result begins with a blank.
std::string matched_sentence(const analyzer::RunResult& run) {
  std::string text = fmt::format(" {} collectives", run.collectives);
  if (run.exchanges > 0) text += fmt::format(" and {} exchanges", run.exchanges);
  return text + (run.by_stream
                     ? " were matched, those without a communicator by the order of kernels "
                       "in streams."
                     : " were matched, by communicator and size.");
}

void print_table(const RunReport& run, std::ostream& out) {
  Table table({Align::left, Align::right, Align::right, Align::right, Align::right, Align::right,
               Align::right});
  table.add({rank_columns.begin(), rank_columns.end()});
  const std::vector<const RankResult*> shown = shown_ranks(run);
  for (const RankResult* rank : shown) table.add(cells_of(*rank));
  if (shown.size() < run.run.ranks.size()) table.add(cells_of_others(run));
  table.print(out, 2);
}

void print_findings(const std::vector<RunFinding>& findings, const RunReport& run,
                    const TextStyle& style, std::ostream& out) {
  std::size_t number = 0;
  for (const RunFinding& finding : findings) {
    print_paragraph(
        fmt::format("{}. {}: {}", ++number, code_of(finding.cause), sentence_of(finding, run)), 3,
        style, out);
    print_paragraph("Fix: " + fix_of(finding, run), 3, style, out, 3);
  }
}

// States the number of steps, their median duration and its range: "20 steps of 4.88 ms (4.71 to
// 9.02 ms; step 7 is the longest)." The result begins with a blank. Empty if there are no steps.
std::string steps_sentence(const analyzer::RunResult& run) {
  if (run.steps.empty()) return "";
  const analyzer::StepSpread steps = step_spread(run);
  if (run.collectives_in_step == 1) {
    return fmt::format(" {} are alike: one begins every {} ({} to {}).", steps.steps,
                       format_ns(steps.median), format_ns(steps.least), format_ns(steps.most));
  }
  return fmt::format(" {} steps of {} ({} to {}; step {} is the longest).", steps.steps,
                     format_ns(steps.median), format_ns(steps.least), format_ns(steps.most),
                     steps.longest + 1);
}

}  // namespace

std::string scope_sentence(const RunReport& run) {
  std::set<std::string> hosts;
  std::set<std::string> devices;
  for (const RankResult& rank : run.run.ranks) {
    hosts.insert(rank.host);
    devices.insert(rank.device_name);
  }
  std::string text =
      fmt::format("{} rank{} on {} host{} ({}), {}: {}.", run.run.ranks.size(),
                  run.run.ranks.size() == 1 ? "" : "s", hosts.size(), hosts.size() == 1 ? "" : "s",
                  fmt::join(devices, ", "), sentence_part(run.run.window_is),
                  format_ns(run.run.window.length()));
  text += matched_sentence(run.run) + steps_sentence(run.run);
  const bool knows_clocks = std::ranges::none_of(run.run.defects, [](const auto& row) {
    return row.defect == analyzer::RunDefect::unknown_clock ||
           row.defect == analyzer::RunDefect::contradicted_clock;
  });
  if (hosts.size() > 1 && knows_clocks) {
    text += fmt::format(" The hosts' clocks are known to {}, from these collectives.",
                        format_ns(run.run.clock_error));
  }
  if (run.run.resolution > 0) {
    text += fmt::format(" Pauses of less than {} count as computing: the summaries are cut down.",
                        format_ns(run.run.resolution));
  }
  if (!run.without_work.empty()) {
    text += fmt::format(" {} more process{} used no GPU.", run.without_work.size(),
                        run.without_work.size() == 1 ? "" : "es");
  }
  return printable(text);
}

std::vector<std::string> cells_of(const RankResult& rank) {
  const Ns all = rank.time.sum();
  const auto share = [all](Ns ns) { return format_share(ns, all); };
  return {printable(shortened(rank.name, 24)),
          share(rank.time.computing),
          share(rank.time.transferring),
          share(rank.time.waiting),
          share(rank.time.other_communication),
          share(rank.time.idle),
          fmt::format("{} of {}", rank.late.last, rank.collectives + rank.exchanges)};
}

std::vector<std::string> cells_of_others(const RunReport& run) {
  const std::vector<const RankResult*> shown = shown_ranks(run);
  std::vector<const RankResult*> others;
  for (const RankResult& rank : run.run.ranks) {
    if (std::find(shown.begin(), shown.end(), &rank) == shown.end()) others.push_back(&rank);
  }
  if (others.empty()) return {};
  const auto between = [&](Ns RankTime::*part) {
    const auto [least, most] = std::minmax_element(
        others.begin(), others.end(),
        [part](const RankResult* a, const RankResult* b) { return a->time.*part < b->time.*part; });
    const Ns all = others.front()->time.sum();
    return format_shares((*least)->time.*part, (*most)->time.*part, all);
  };
  std::int64_t last = 0;
  for (const RankResult* rank : others) last = std::max(last, rank->late.last);
  return {fmt::format("{} others", others.size()), between(&RankTime::computing),
          between(&RankTime::transferring),        between(&RankTime::waiting),
          between(&RankTime::other_communication), between(&RankTime::idle),
          fmt::format("{} at most", last)};
}

std::vector<const RankResult*> shown_ranks(const RunReport& run) {
  std::vector<const RankResult*> shown;
  for (const RankResult& rank : run.run.ranks) shown.push_back(&rank);
  if (shown.size() <= ranks_shown) return shown;
  std::stable_sort(shown.begin(), shown.end(), [](const RankResult* a, const RankResult* b) {
    return a->late.sum > b->late.sum;
  });
  shown.resize(ranks_shown);
  return shown;
}

void render_ranks(const RunReport& run, const TextStyle& style, std::ostream& out) {
  print_paragraph(headline_of(run), 2, style, out);
  for (std::size_t i = 1; i < run.run.defects.size(); ++i) {
    print_paragraph("Also: " + sentence_of(run.run.defects[i]), 2, style, out);
  }
  print_paragraph(scope_sentence(run), 2, style, out);
  print_table(run, out);
  const std::string path = path_sentence(run);
  if (!path.empty()) print_paragraph(path, 2, style, out);
  if (!run.run.findings.empty()) {
    out << "\nBottlenecks between ranks\n";
    print_findings(run.run.findings, run, style, out);
  }
  if (!run.run.questions.empty()) {
    out << "\nIf the data allows it, which no trace shows\n";
    print_findings(run.run.questions, run, style, out);
  }
  // Summaries may come from other machines.
  out << (run.reports.empty() ? "\nEach rank alone, where its trace is:\n"
                              : "\nEach rank alone:\n");
  std::set<std::string> named;
  for (const RankResult& rank : run.run.ranks) {
    if (named.size() == ranks_shown) break;
    if (!named.insert(rank.file).second) continue;
    out << fmt::format("  lapscope analyze {}\n", printable(shell_word(rank.file)));
  }
}

std::vector<RankedReport> reports_by_rank(const RunReport& run) {
  std::vector<RankedReport> all;
  for (const analyzer::RankResult& rank : run.run.ranks) {
    for (const analyzer::Report& report : run.reports) {
      if (report.trace.file != rank.file) continue;
      const bool is_listed = std::any_of(
          all.begin(), all.end(), [&](const RankedReport& one) { return one.report == &report; });
      if (!is_listed) all.push_back({&rank, &report, report.trace.session_start + rank.offset});
    }
  }
  return all;
}

void render_ranks_perfetto(const RunReport& run, const TextStyle&, std::ostream& out) {
  const std::vector<RankedReport> ranks = reports_by_rank(run);
  const auto first = std::min_element(
      ranks.begin(), ranks.end(),
      [](const RankedReport& a, const RankedReport& b) { return a.clock_ns < b.clock_ns; });
  std::vector<PerfettoRun> processes;
  for (const RankedReport& rank : ranks) {
    processes.push_back({rank.report,
                         "rank " + rank.result->name + " (" + rank.report->trace.file + ")", "",
                         rank.clock_ns - first->clock_ns});
  }
  render_perfetto(processes, out);
}

}  // namespace lapscope::reports
