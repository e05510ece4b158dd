#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "analyzer/analysis/verdict.h"
#include "analyzer/analysis/what_if.h"
#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/fix_argument.h"
#include "cli/output_options.h"
#include "cli/progress_bar.h"
#include "cli/reading_options.h"
#include "cli/runs.h"
#include "cli/stages.h"
#include "reports/whatif/render_whatif.h"
#include "reports/words/health_words.h"

namespace lapscope::cli {
namespace {

constexpr const char* rank_fixes =
    "name straggler, pipeline-bubble, small-collectives or exposed-communication, or one of the "
    "folder's traces instead of the folder";

struct WhatIfOptions {
  std::string file;
  std::vector<std::string> fixes;
  std::vector<std::string> scales;
  analyzer::AnalyzeOptions analysis;
  std::string format = "text";
  bool list = false;
};

std::vector<analyzer::FixRequest> requested_fixes(const WhatIfOptions& options) {
  std::vector<analyzer::FixRequest> requests;
  const auto add = [&requests](const char* option, const std::string& text, auto parse) {
    try {
      for (const analyzer::FixRequest& one : parse(text)) requests.push_back(one);
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError(option, error.what());
    }
  };
  for (const std::string& text : options.fixes) add("--fix", text, &parse_fixes);
  for (const std::string& text : options.scales) {
    add("--scale", text, [](const std::string& scale) {
      return std::vector<analyzer::FixRequest>{parse_scale(scale)};
    });
  }
  return requests;
}

// If nothing can be predicted, prints the reason and returns true. This is so if the program's
// calls are not known, or if the trace contradicts itself.
bool says_nothing_known(const std::vector<analyzer::HealthRow>& health) {
  if (!analyzer::hides_causes(health) && !analyzer::contradicts_itself(health)) return false;
  for (const analyzer::HealthRow& row : health) {
    if (severity_of(row) == analyzer::Severity::error) say(reports::message_of(row));
  }
  return true;
}

// Prints the health rows that are warnings or errors. Returns false if one of them is an error.
bool says_sound(const std::vector<analyzer::HealthRow>& health) {
  for (const analyzer::HealthRow& row : health) {
    if (severity_of(row) != analyzer::Severity::info) say(reports::message_of(row));
  }
  return !analyzer::is_any_error(health);
}

// Lists all fixes with their savings, including small savings.
int list_for(const WhatIfOptions& options) {
  analyzer::AnalyzeOptions analysis = options.analysis;
  analysis.causes.keeps_small_savings = true;
  analyzer::Report report = analyze_showing_progress(options.file, analysis);
  if (says_nothing_known(report.health)) return inconclusive;
  const bool is_sound = says_sound(report.health);
  if (report.devices.empty()) say("'", options.file, "' holds no GPU work.");
  const bool is_conclusive = is_sound && verdict_of(report) != analyzer::Verdict::inconclusive;
  if (!analysis.ranges.empty() || analysis.profiler_brackets) {
    // For a device that has none of the named scopes, the renderer would list the whole run.
    std::erase_if(report.devices, [](const auto& device) { return device.ranges.empty(); });
  }
  reports::render_fixes(report, style_of_stdout(), std::cout);
  flush_stdout();
  return is_conclusive ? good : inconclusive;
}

// Predicts the savings of fixes that remove causes between ranks. Predicts the fixes that the
// command line names. If the command line names none, predicts all such fixes.
int predict_for_ranks(const WhatIfOptions& options, const RunFolder& folder) {
  std::vector<analyzer::RunCause> asked;
  for (const std::string& code : options.fixes) {
    const auto cause = analyzer::run_cause_of_code(code);
    if (!cause) {
      throw CLI::ValidationError("--fix",
                                 "'" + code + "' is no cause between ranks; " + rank_fixes);
    }
    asked.push_back(*cause);
  }
  if (asked.empty()) asked.assign(analyzer::run_causes.begin(), analyzer::run_causes.end());
  if (!options.scales.empty() || options.format != "text") {
    throw CLI::ValidationError("FILE",
                               "fixes of a folder are listed as text only, and without --scale; "
                               "analyze --format json has the savings");
  }
  analyzer::AnalyzeOptions analysis = options.analysis;
  analysis.causes.keeps_small_savings = true;
  expect_analyses(folder, analysis);
  const reports::RunReport run = analyze_ranks(folder, analysis);
  if (verdict_of(run.run) == analyzer::Verdict::inconclusive) {
    say(reports::headline_of(run));
    return inconclusive;
  }
  reports::render_ranks_whatif(run, asked, style_of_stdout(), std::cout);
  flush_stdout();
  return good;
}

int predict(const WhatIfOptions& options, const std::vector<analyzer::FixRequest>& requests) {
  const analyzer::AnalyzeOptions& analysis = options.analysis;
  analyzer::WhatIfReport report;
  std::string there;  // the ranges that exist in the trace
  try {
    expect_stages({predicting_stage(options.file)});
    const analyzer::Trace trace = read_showing_progress(options.file, analysis.communication);
    {
      const ProgressBar bar({predicting_stage(options.file)});
      analyzer::AnalyzeOptions asked = from_first_op(trace, analysis);
      asked.most_replayed = replay_limit();
      report = or_too_many(options.file, [&] { return what_if(trace, asked, requests); });
    }
    if (report.scopes.empty() && !analysis.ranges.empty()) {
      there = reports::ranges_to_name(ranges_by_work(trace));
    }
  } catch (const analyzer::NothingAtSite& error) {
    throw CLI::ValidationError("--fix", sentence_of(error));
  }
  if (says_nothing_known(report.health)) return inconclusive;
  if (report.scopes.empty()) {
    const bool is_whole =
        analysis.ranges.empty() && !analysis.window && !analysis.profiler_brackets;
    say("'", options.file, "' holds no GPU work", (is_whole ? "." : " in the requested scope."),
        (there.empty() ? "" : " Ranges by GPU work: " + there + "."));
    return inconclusive;
  }
  bool sound = says_sound(report.health);
  for (const analyzer::WhatIfScope& scope : report.scopes) sound &= scope.is_conclusive();
  if (options.format == "json") {
    reports::render_whatif_json(report, std::cout);
  } else {
    reports::render_whatif_text(report, style_of_stdout(), std::cout);
  }
  flush_stdout();
  return sound ? good : inconclusive;
}

}  // namespace

void add_whatif(CLI::App& app) {
  auto options = std::make_shared<WhatIfOptions>();
  CLI::App* command = app.add_subcommand(
      "whatif", "Predict the saving of a fix, or without --fix, the saving of each fix");
  command->add_option("FILE", options->file, "Any file that analyze reads, or a folder of ranks");
  command
      ->add_option("--fix", options->fixes,
                   "Code of the cause to fix. For several causes, use commas or repeat the option. "
                   "CODE:site=NAME fixes only one call site; analyze -v shows its NAME")
      ->allow_extra_args(false);
  command
      ->add_option("--scale", options->scales,
                   "Make an engine (compute, h2d, d2h, other) faster by a factor, such as h2d=2. "
                   "lapscope applies all fixes first")
      ->allow_extra_args(false);
  command
      ->add_option("--range", options->analysis.ranges,
                   "Predict for this NVTX range instead of the default scope; * matches any "
                   "characters")
      ->allow_extra_args(false);
  add_range_threads_option(*command, [given_to = options.get()](analyzer::RangeThreads given) {
    given_to->analysis.range_threads = given;
  });
  command->add_flag("--profiler-brackets", options->analysis.profiler_brackets,
                    "Predict for the work issued between cudaProfilerStart and cudaProfilerStop");
  options->analysis.focus = analyzer::Focus::automatic;
  command->add_flag_callback(
      "--whole", [given_to = options.get()] { given_to->analysis.focus = analyzer::Focus::whole; },
      "Predict for the whole run instead of its steady state");
  add_window_option(*command, options->analysis, "Predict for the interval");
  add_communication_option(*command, options->analysis.communication);
  add_reading_options(*command);
  add_finding_options(*command, options->analysis.causes);
  command->add_option("--format", options->format, "Output format")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_flag(
      "--list", options->list,
      "List the fixes and exit. With FILE, show the saving of each fix, as without --fix");
  command->footer(
      "Example:\n  lapscope whatif t.sqlite\n  lapscope whatif t.sqlite --fix "
      "default-stream-barrier --fix pageable-copy\n"
      "Exit status: 0 success, 2 usage error, 3 inconclusive, 4 unreadable file.");
  command->callback([options] {
    if (options->list && options->file.empty()) {
      reports::render_fixes(std::cout);
      flush_stdout();
      return;
    }
    if (options->file.empty()) throw CLI::RequiredError("FILE");
    if (const RunFolder folder = run_in(options->file); !folder.files.empty()) {
      exit_with(predict_for_ranks(*options, folder));
      return;
    }
    if (options->list || (options->fixes.empty() && options->scales.empty())) {
      if (options->format != "text") {
        throw CLI::ValidationError("--format",
                                   "the list of fixes is text; analyze --format json "
                                   "has the savings, too");
      }
      exit_with(list_for(*options));
      return;
    }
    const auto requests = requested_fixes(*options);
    exit_with(predict(*options, requests));
  });
}

}  // namespace lapscope::cli
