#include <iostream>
#include <memory>

#include "analyzer/diff/compare_runs.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/read_runs.h"
#include "reports/diff/diff_renderer.h"

namespace lapscope::cli {
namespace {

struct DiffOptions {
  std::vector<std::string> files;  // before, after
  std::vector<std::string> more_before;
  std::vector<std::string> more_after;
  std::string format = "text";
  analyzer::AnalyzeOptions analysis;
};

int refuse(const std::string& sentence) {
  std::cerr << "lapscope: " << sentence << '\n';
  return usage;
}

int show_difference(const DiffOptions& options) {
  std::vector<std::string> before = {options.files[0]};
  std::vector<std::string> after = {options.files[1]};
  before.insert(before.end(), options.more_before.begin(), options.more_before.end());
  after.insert(after.end(), options.more_after.begin(), options.more_after.end());
  for (const auto& side : {before, after}) {
    const std::string twice = named_twice(side);
    if (!twice.empty()) return refuse("'" + twice + "' is named twice: the same run is no repeat");
  }
  RunReader reader(options.analysis);
  const auto then = reader.runs_of(before);
  const auto now = reader.runs_of(after);
  if (std::max(then.size(), now.size()) > analyzer::most_repeats) {
    return refuse("more than " + std::to_string(analyzer::most_repeats) +
                  " repeats on a side are not compared; leave some out");
  }
  analyzer::Comparison comparison = compare_runs(then, now);
  comparison.tool_version = LAPSCOPE_VERSION;
  reports::find_diff_renderer(options.format)->render(comparison, std::cout);
  if (!std::cout.flush()) {
    throw std::runtime_error("the result could not be written to standard output.");
  }
  return comparison.trouble.empty() ? good : inconclusive;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& renderer : reports::diff_renderers()) names.emplace_back(renderer.name);
  return names;
}

}  // namespace

void add_diff(CLI::App& app) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command = app.add_subcommand("diff", "Show what differs between two runs, or repeats");
  command->add_option("FILES", options->files, "Before and after: traces or summaries")
      ->required()
      ->expected(2);
  command->add_option("--before", options->more_before, "A repeat of the first")
      ->allow_extra_args(false);
  command->add_option("--after", options->more_after, "A repeat of the second")
      ->allow_extra_args(false);
  command
      ->add_option("--range", options->analysis.ranges,
                   "Compare the work of this NVTX range too; * stands for any characters")
      ->allow_extra_args(false);
  command->add_flag("--profiler-brackets", options->analysis.profiler_brackets,
                    "Compare the work issued between cudaProfilerStart and cudaProfilerStop too");
  command
      ->add_option("--comm", options->analysis.communication,
                   "Kernels that communicate between GPUs, with * as above")
      ->allow_extra_args(false)
      ->capture_default_str();
  command->add_option("--format", options->format, "How to show the result")
      ->check(CLI::IsMember(format_names()))
      ->capture_default_str();
  command->footer(
      "Example:\n  lapscope diff main.json new.sqlite\n  lapscope diff a1.sqlite b1.sqlite "
      "--before a2.sqlite --after b2.sqlite\n"
      "Exit status: 0 compared, 2 usage, 3 inconclusive, 4 unreadable file.");
  command->callback([options] {
    int status = good;
    try {
      status = show_difference(*options);
    } catch (const std::exception& error) {
      std::cerr << "lapscope: " << error.what() << '\n';
      status = unreadable;
    }
    if (status != good) throw CLI::RuntimeError(status);
  });
}

}  // namespace lapscope::cli
