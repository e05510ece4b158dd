#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <utility>

#include "analyzer/diff/comparison.h"
#include "analyzer/model/limits.h"
#include "analyzer/ranks/compare_runs.h"
#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/output_options.h"
#include "cli/progress_bar.h"
#include "cli/reading_options.h"
#include "cli/runs.h"
#include "cli/stages.h"
#include "reports/diff/diff_renderer.h"

namespace lapscope::cli {
namespace {

using reports::DiffRenderer;

struct DiffOptions {
  std::string before;
  std::string after;
  std::vector<std::string> more_before;
  std::vector<std::string> more_after;
  OutputOptions output;
  analyzer::AnalyzeOptions analysis;
};

std::vector<Format> diff_formats() {
  std::vector<Format> formats;
  for (const auto& renderer : reports::diff_renderers) {
    formats.push_back({renderer.name, renderer.extension, renderer.also_extension,
                       renderer.draws == DiffRenderer::Draws::no});
  }
  return formats;
}

const DiffRenderer& diff_renderer_of(const Output& output) {
  return reports::diff_renderers[output.format];
}

bool any_draws(const std::vector<Output>& outputs, DiffRenderer::Draws least) {
  return std::any_of(outputs.begin(), outputs.end(), [least](const Output& output) {
    return diff_renderer_of(output).draws >= least;
  });
}

// Returns a gate that has no conditions. Its scopes are those that the command line asks for.
analyzer::Gate scopes_of(const analyzer::AnalyzeOptions& options) {
  analyzer::Gate asked;
  asked.ranges = options.ranges;
  asked.profiler_brackets = options.profiler_brackets;
  if (options.focus == analyzer::Focus::whole) asked.scope = analyzer::GateScope::whole;
  return asked;
}

// Compares two folders, each with the ranks of one run.
int show_difference_of_ranks(const DiffOptions& options, const RunFolder& before,
                             const RunFolder& after) {
  constexpr std::array<Format, 2> formats = {Format{"text", ".txt", "", true},
                                             Format{"json", ".json", "", true}};
  for (const std::string& name : options.output.formats) {
    if (name == "text" || name == "json") continue;
    throw CLI::ValidationError("--format", "folders of ranks are compared as text or json");
  }
  if (!options.more_before.empty() || !options.more_after.empty()) {
    throw WrongUsage(
        "a folder of ranks is one run without repeats: leave out --before and --after");
  }
  std::vector<std::string> inputs = before.files;
  inputs.insert(inputs.end(), after.files.begin(), after.files.end());
  auto outputs = open_outputs(options.output, formats, inputs, "diff");
  expect_analyses(before, options.analysis);
  expect_analyses(after, options.analysis);
  const reports::RunReport then = analyze_ranks(before, options.analysis);
  const reports::RunReport now = analyze_ranks(after, options.analysis);
  for (Output& output : outputs) {
    const reports::TextStyle style = output.file.is_stdout() ? style_of_stdout() : style_of_files();
    if (formats[output.format].name == "json") {
      reports::render_ranks_diff_json(then, now, output.file.stream());
    } else {
      reports::render_ranks_diff(then, now, style, output.file.stream());
    }
  }
  finish_outputs(options.output, outputs);
  const auto change = compare_runs_of_ranks(then.run, now.run).change;
  return change == analyzer::RunChange::unknown ? inconclusive : good;
}

int show_difference(const DiffOptions& options) {
  const RunFolder folder_before = run_in(options.before);
  const RunFolder folder_after = run_in(options.after);
  const bool was_folder = !folder_before.files.empty();
  const bool is_folder = !folder_after.files.empty();
  if (was_folder && is_folder) {
    return show_difference_of_ranks(options, folder_before, folder_after);
  }
  const std::string& other = was_folder ? options.after : options.before;
  if (was_folder || is_folder) {
    if (!std::filesystem::exists(other))
      throw std::runtime_error("'" + other + "' does not exist.");
    throw WrongUsage("'" + (was_folder ? options.before : options.after) +
                     "' is a folder of ranks, and '" + other +
                     "' is not: name two folders, or two files");
  }
  std::vector<std::string> before = {options.before};
  std::vector<std::string> after = {options.after};
  before.insert(before.end(), options.more_before.begin(), options.more_before.end());
  after.insert(after.end(), options.more_after.begin(), options.more_after.end());
  refuse_repeated(before);
  refuse_repeated(after);
  std::vector<std::string> inputs = before;
  inputs.insert(inputs.end(), after.begin(), after.end());
  auto outputs = open_outputs(options.output, diff_formats(), inputs, "diff");
  const std::vector<std::string> sides = {before.front(), after.front()};
  const auto stage_of = [&sides](const Output& output) {
    return rendering_stage(output.file.path(), diff_renderer_of(output).name, sides);
  };
  for (const Output& output : outputs) expect_stages({stage_of(output)});
  RunReader reader(options.analysis);
  reader.expect(inputs);
  reports::DrawnRuns drawn;
  if (any_draws(outputs, DiffRenderer::Draws::what_is_there)) {
    drawn = {reader.report_to_draw(before.front()), reader.report_to_draw(after.front())};
  }
  if (any_draws(outputs, DiffRenderer::Draws::both)) {
    for (const auto& [report, file] :
         {std::pair(drawn.before, before.front()), std::pair(drawn.after, after.front())}) {
      if (report == nullptr) {
        throw WrongUsage("'" + file +
                         "' is a summary, which has no timeline: name the trace, or "
                         "another format than perfetto");
      }
    }
  }
  auto then = reader.runs_of(before);
  const auto now = reader.runs_of(after);
  // A summary may have all ranks of a run. In this case, only the rank of `now` is compared.
  const auto is_other_rank = [&now](const analyzer::RunSummary& run) {
    return are_other_ranks(run, now.front());
  };
  if (!std::ranges::all_of(then, is_other_rank)) std::erase_if(then, is_other_rank);
  if (std::max(then.size(), now.size()) > analyzer::limits::repeats) {
    throw WrongUsage("more than " + std::to_string(analyzer::limits::repeats) +
                     " repeats on a side are not compared; leave some out");
  }
  analyzer::Comparison comparison = compare_runs(then, now, scopes_of(options.analysis));
  comparison.tool_version = LAPSCOPE_VERSION;
  for (Output& output : outputs) {
    const ProgressBar bar({stage_of(output)});
    const reports::TextStyle style = output.file.is_stdout() ? style_of_stdout() : style_of_files();
    diff_renderer_of(output).render(comparison, drawn, style, output.file.stream());
  }
  finish_outputs(options.output, outputs);
  return comparison.trouble.empty() ? good : inconclusive;
}

}  // namespace

void add_diff(CLI::App& app) {
  auto options = std::make_shared<DiffOptions>();
  CLI::App* command = app.add_subcommand("diff", "Compare two runs, or several repeats of each");
  command
      ->add_option("BEFORE", options->before,
                   "The first run: a trace, a summary, or a folder of ranks")
      ->required();
  command
      ->add_option("AFTER", options->after,
                   "The second run: a trace, a summary, or a folder of ranks")
      ->required();
  command->add_option("--before", options->more_before, "A repeat of BEFORE")
      ->allow_extra_args(false);
  command->add_option("--after", options->more_after, "A repeat of AFTER")->allow_extra_args(false);
  command
      ->add_option("--range", options->analysis.ranges,
                   "Compare this NVTX range instead of the default scope; * matches any characters")
      ->allow_extra_args(false);
  add_range_threads_option(*command, [given_to = options.get()](analyzer::RangeThreads given) {
    given_to->analysis.range_threads = given;
  });
  command->add_flag("--profiler-brackets", options->analysis.profiler_brackets,
                    "Compare the work issued between cudaProfilerStart and cudaProfilerStop");
  add_whole_option(*command, options->analysis);
  command
      ->add_option("--comm", options->analysis.communication,
                   "Names of kernels that communicate between GPUs")
      ->allow_extra_args(false)
      ->capture_default_str();
  add_reading_options(*command);
  add_output_options(*command, options->output, diff_formats());
  command->footer(
      "Example:\n  lapscope diff main.json new.sqlite\n  lapscope diff a1.sqlite b1.sqlite "
      "--before a2.sqlite --after b2.sqlite\n"
      "  lapscope diff old.sqlite new.sqlite -o diff.html --open\n"
      "Exit status: 0 compared, 2 usage error, 3 inconclusive, 4 a file cannot be read or "
      "written.");
  command->callback([options] { exit_with(show_difference(*options)); });
}

}  // namespace lapscope::cli
