#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/output_options.h"
#include "reports/named.h"
#include "reports/stats/render_stats.h"

namespace lapscope::cli {
namespace {

struct StatsOptions : AnalysisOptions {
  std::string format = "text";
  std::vector<std::string> tables;  // empty: all
  bool verbose = false;
};

int show_stats(const StatsOptions& options) {
  std::vector<reports::StatsTable> tables;
  for (const reports::StatsTable& table : reports::stats_tables) {
    const auto& asked = options.tables;
    const bool is_asked = std::find(asked.begin(), asked.end(), table.name) != asked.end();
    if (asked.empty() || is_asked) tables.push_back(table);
  }
  std::vector<analyzer::Report> results;
  const int status = analyze_files(options, results);
  const bool names_scopes = !options.analysis.ranges.empty() || options.analysis.profiler_brackets;
  for (analyzer::Report& report : results) {
    // If none of the named scopes exists, the tables would show the whole device instead.
    const bool is_other = std::ranges::all_of(report.stats, [](const analyzer::ScopeStats& stats) {
      return stats.kind == analyzer::ScopeKind::device;
    });
    if (names_scopes && is_other) report.stats.clear();
  }
  reports::TextStyle style = style_of_stdout();
  style.verbose = options.verbose;
  named(reports::stats_renderers, options.format)->render(results, tables, style, std::cout);
  flush_stdout();
  return status;
}

}  // namespace

void add_stats(CLI::App& app) {
  auto options = std::make_shared<StatsOptions>();
  options->analysis.find_causes = false;
  options->analysis.stats = true;
  CLI::App* command = app.add_subcommand("stats", "List the times of kernels, copies and calls");
  add_scope_options(*command, *options);
  command->remove_option(command->get_option("--comm"));  // nothing here depends on --comm
  add_whole_option(*command, options->analysis);
  add_window_option(*command, options->analysis, "Evaluate only the interval");
  command
      ->add_option("--table", options->tables,
                   "List only this table. For several tables, use commas or repeat the option")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names_of(reports::stats_tables)));
  command->add_option("--format", options->format, "Output format")
      ->check(CLI::IsMember(names_of(reports::stats_renderers)))
      ->capture_default_str();
  command->add_flag("-v,--verbose", options->verbose, "Show full names (only for text)");
  command->footer(
      "Example:\n  lapscope stats t.sqlite --table kernels\n"
      "  lapscope stats t.sqlite --whole --format csv >t.csv\n"
      "Exit status: 0 success, 2 usage error, 3 inconclusive, 4 unreadable file.");
  command->callback([options] { exit_with(show_stats(*options)); });
}

}  // namespace lapscope::cli
