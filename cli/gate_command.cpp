#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>

#include "analyzer/gate/gated_work.h"
#include "analyzer/gate/judge_gate.h"
#include "analyzer/gate/judge_run.h"
#include "analyzer/gate/troubles.h"
#include "analyzer/gate_file/gate_file.h"
#include "cli/analysis_options.h"
#include "cli/commands.h"
#include "cli/gate_options.h"
#include "cli/number_checks.h"
#include "cli/output_file.h"
#include "cli/output_options.h"
#include "cli/reading_options.h"
#include "cli/runs.h"
#include "reports/gate/gate_renderer.h"
#include "reports/gate/gate_words.h"
#include "reports/named.h"

namespace lapscope::cli {
namespace {

namespace fs = std::filesystem;
using analyzer::GateReport;
using analyzer::Outcome;

int status_of(Outcome verdict) {
  switch (verdict) {
    case Outcome::passed:
    case Outcome::waived:
      return good;
    case Outcome::failed:
      return gate_failed;
    case Outcome::inconclusive:
      break;
  }
  return inconclusive;
}

analyzer::Date today() {
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

// A file for --write. `renderer` writes the result into this file.
struct GateOutput {
  const reports::GateRenderer* renderer = nullptr;
  OutputFile file;
};

std::vector<std::string> inputs_of(const analyzer::GateFile& gates) {
  std::vector<std::string> inputs;
  for (const analyzer::Gate& gate : gates.gates) {
    inputs.insert(inputs.end(), gate.traces.begin(), gate.traces.end());
    if (!gate.place.file.empty()) inputs.push_back(gate.place.file);
    if (gate.baseline) inputs.push_back(gate.baseline->file);
  }
  return files_of_runs(inputs);
}

bool annotates_github(const GateOptions& options) {
  const char* const actions = std::getenv("GITHUB_ACTIONS");
  return options.github || (actions != nullptr && std::string_view(actions) == "true");
}

// Returns the path of the file for GitHub's job summary. Empty outside GitHub Actions.
std::string github_summary() {
  const char* const summary = std::getenv("GITHUB_STEP_SUMMARY");
  return summary == nullptr ? "" : summary;
}

// Opens the files for --write. Is called before any run is read, so that the command fails at once
// if it cannot write a file.
std::vector<GateOutput> outputs_of(const GateOptions& options,
                                   const std::vector<std::string>& inputs) {
  std::vector<GateOutput> outputs;
  std::set<fs::path> places;
  for (const std::string& text : options.write) {
    const auto equals = text.find('=');
    const std::string format = text.substr(0, equals);
    const auto* renderer = reports::find_gate_renderer(format);
    if (renderer == nullptr || equals == std::string::npos || equals + 1 == text.size()) {
      throw WrongUsage("--write takes FORMAT=FILE, as junit=gate.xml, with one of " +
                       CLI::detail::join(names_of(reports::gate_renderers), ", ") + "; not '" +
                       text + "'");
    }
    const std::string file = text.substr(equals + 1);
    if (file != "-" && !places.insert(fs::weakly_canonical(fs::absolute(file))).second) {
      throw WrongUsage("two results would be written to '" + file + "'; name a file for each");
    }
    outputs.push_back({renderer, OutputFile(file, inputs)});
  }
  return outputs;
}

// First checks the conditions about the run as a whole. Then checks the conditions for each rank.
// If there is a baseline, compares each rank with the rank of the same number in the baseline.
void judge_ranks_of(const analyzer::Gate& gate, const RankedRun& run,
                    const std::vector<analyzer::RunSummary>& baseline, GateReport& report) {
  if (!gate.run_bans.empty()) {
    const auto words_of = [&run](const analyzer::RunFinding& finding) {
      return analyzer::Explanation{
          analyzer::Explanation::Kind::finding, std::string(code_of(finding.cause)),
          static_cast<double>(finding.saving) / static_cast<double>(run.run.run.window.length()),
          reports::sentence_of(finding, run.run), reports::fix_of(finding, run.run)};
    };
    report.gates.push_back(judge_run(gate, run.run.run, run.ranks, words_of, today()));
  }
  if (!judges_traces(gate)) return;
  if (run.run.reports.empty()) {
    throw WrongUsage("'" + gate.traces.front() +
                     "' has summaries of ranks, which hold no measures of single ranks: gate its "
                     "traces, or forbid causes between ranks only");
  }
  const bool is_each = gate.over == analyzer::OverRanks::all;
  std::vector<analyzer::JudgedGate> gates;
  for (const analyzer::RunSummary& rank : run.ranks) {
    analyzer::Gate of_rank = gate;
    const std::string& number = rank.trace.rank;
    const std::string who = number.empty() ? "'" + rank.trace.file + "'" : "rank " + number;
    of_rank.name = is_each ? gate.name + ", " + who : who;
    std::vector<analyzer::RunSummary> before;
    std::copy_if(baseline.begin(), baseline.end(), std::back_inserter(before),
                 [&number](const auto& one) { return one.trace.rank == number; });
    if (gate.baseline && before.empty()) {
      throw WrongUsage("'" + gate.baseline->file + "' has no rank " + number +
                       ": compare with a run of as many ranks");
    }
    gates.push_back(judge_gate(of_rank, {&rank, 1}, before, today()));
  }
  if (!is_each) {
    const std::string name = gate.name + ", " + std::string(name_of(gate.over)) + " rank";
    gates = {judge_over_ranks(gates, gate.over, name)};
  }
  std::move(gates.begin(), gates.end(), std::back_inserter(report.gates));
}

void judge_one(const analyzer::Gate& gate, RunReader& reader, GateReport& report) {
  refuse_repeated(gate.traces);
  std::vector<analyzer::RunSummary> baseline;
  if (gate.baseline) {
    const RankedRun* const ranked = reader.ranks_of(gate.baseline->file);
    if (ranked != nullptr && ranked->run.reports.empty()) {
      throw WrongUsage("'" + gate.baseline->file +
                       "' has summaries of ranks, which hold no measures: compare with its traces");
    }
    baseline = ranked != nullptr ? ranked->ranks : reader.runs_of(gate.baseline->file);
  }
  for (const std::string& trace : gate.traces) {
    const RankedRun* const ranked = reader.ranks_of(trace);
    if (ranked != nullptr && gate.traces.size() == 1) {
      return judge_ranks_of(gate, *ranked, baseline, report);
    }
    if (ranked != nullptr) {
      throw WrongUsage("'" + trace + "' is a folder, which is one run: name it alone");
    }
  }
  if (!gate.run_bans.empty()) {
    throw WrongUsage("'" + name_of(gate.run_bans.front()) + "' is about the ranks of a folder; '" +
                     gate.traces.front() + "' is none");
  }
  if (gate.over != analyzer::OverRanks::all) {
    throw WrongUsage("'over' is about the ranks of a folder; '" + gate.traces.front() +
                     "' is none");
  }
  report.gates.push_back(judge_gate(gate, reader.runs_of(gate.traces), baseline, today()));
}

GateReport judge(const analyzer::GateFile& gates) {
  RunReader reader(analysis_of(gates));
  std::vector<std::string> files;
  for (const analyzer::Gate& gate : gates.gates) {
    files.insert(files.end(), gate.traces.begin(), gate.traces.end());
    if (gate.baseline) files.push_back(gate.baseline->file);
  }
  reader.expect(files);
  GateReport report;
  report.tool_version = LAPSCOPE_VERSION;
  for (const analyzer::Gate& gate : gates.gates) judge_one(gate, reader, report);
  return report;
}

// Prints annotations for GitHub on stderr, because the result is printed on stdout. GitHub's runner
// reads both. Also appends the result to the job summary of GitHub, if there is one.
void annotate_github(const GateReport& report) {
  reports::find_gate_renderer("github")->render(report, {}, std::cerr);
  const std::string summary = github_summary();
  if (summary.empty()) return;
  std::ofstream file(summary, std::ios::app);
  reports::find_gate_renderer("markdown")->render(report, {}, file);
  if (!file.flush()) {
    throw std::runtime_error("'" + summary +
                             "', which GITHUB_STEP_SUMMARY names, cannot be written.");
  }
}

int judge_runs(const GateOptions& options) {
  const analyzer::GateFile gates = gates_of(options);
  const std::vector<std::string> inputs = inputs_of(gates);
  auto outputs = outputs_of(options, inputs);
  if (annotates_github(options) && !github_summary().empty()) {
    refuse_to_write_over(github_summary(), inputs);
  }
  const GateReport report = judge(gates);
  reports::find_gate_renderer(options.format)->render(report, style_of_stdout(), std::cout);
  flush_stdout();
  for (GateOutput& output : outputs) {
    const reports::TextStyle style = output.file.is_stdout() ? style_of_stdout() : style_of_files();
    output.renderer->render(report, style, output.file.stream());
    output.file.commit();
  }
  if (annotates_github(options)) annotate_github(report);
  return status_of(verdict_of(report));
}

// Returns the reason why no gate file can be made from these runs; empty if one can be made.
analyzer::Remark trouble_of_first_file(const analyzer::Gate& terms,
                                       const std::vector<analyzer::RunSummary>& runs) {
  if (auto trouble = trouble_of(terms, runs); !trouble.empty()) return trouble;
  const auto missing = missing_work(terms, gated_work_of(terms, runs));
  return missing.empty() ? analyzer::Remark() : trouble_of_missing(terms, missing.front(), runs);
}

// Writes the gate file that --init asks for. Its bounds come from the given runs.
int write_first_file(const GateOptions& options) {
  if (options.files.empty()) throw WrongUsage("--init needs a FILE to take the bounds from");
  refuse_repeated(options.files);
  const double margin = share_of("--margin", options.margin);
  std::error_code ignored;
  if (options.output != "-" && fs::exists(options.output, ignored)) {
    throw WrongUsage("'" + options.output +
                     "' exists already; remove it, or name another file with --output");
  }
  const analyzer::Gate terms = gate_of_command_line(options);
  RunReader reader(analysis_of({{terms}, options.communication, terms.range_threads}));
  reader.expect(options.files);
  const auto runs = reader.runs_of(options.files);
  if (const auto trouble = trouble_of_first_file(terms, runs); !trouble.empty()) {
    say(reports::sentence_of(trouble));
    return inconclusive;
  }
  OutputFile file(options.output, options.files);
  const std::string text = analyzer::write_gate_file(runs, margin, reports::sentence_of, terms);
  try {
    analyzer::read_gate_file(text, options.output);
  } catch (const analyzer::GateFileError& error) {
    say("no gate can be made of these runs: ", error.what());
    return inconclusive;
  }
  file.stream() << text;
  file.commit();
  if (!file.is_stdout()) say("wrote '", options.output, "'");
  return good;
}

void add_conditions(CLI::App& command, GateOptions& options) {
  const auto add_list = [&command](const char* name, std::vector<std::string>& list,
                                   const char* what) {
    command.add_option(name, list, what)->allow_extra_args(false)->group("Conditions");
  };
  command.add_option("--min-overlap", options.min_overlap, "Lower bound of overlap_ratio")
      ->group("Conditions");
  command.add_option("--max-idle", options.max_idle, "Upper bound of idle_ratio")
      ->group("Conditions");
  add_list("--min", options.min,
           "Lower bound of a measure: MEASURE=VALUE, such as copy_hidden=80%");
  add_list("--max", options.max, "Upper bound of a measure: MEASURE=VALUE, such as wall=8.5ms");
  add_list("--forbid", options.forbid,
           "Fail if there is a finding with this cause, such as default-stream-barrier. CODE=2%: "
           "fail if the fix of this cause would save more than 2%");
  command
      .add_option(
          "--over", options.over,
          "For a folder, the ranks for which a condition must hold: every rank (all, the default), "
          "the worst rank (worst) or most ranks (median). worst and median give one result")
      ->type_name("all|worst|median")
      ->group("Conditions");
  command
      .add_flag("--possible", options.possible,
                "Apply --forbid also to questions: possible findings that depend on facts which "
                "the trace does not show")
      ->group("Conditions");
  command
      .add_option(
          "--baseline", options.baseline,
          "Trace or summary to compare with. No measure may be worse by more than the tolerance")
      ->group("Conditions");
  add_list("--compare", options.compare,
           "Measure to compare with the baseline. Default: overlap_ratio, idle_ratio and wall");
  add_list("--tolerance", options.tolerance,
           "How much worse than the baseline a measure may be: a share of its value (5%), a ratio "
           "(0.02) or a time (200us). Default: 5% and 0.02");
}

void add_scope(CLI::App& command, GateOptions& options) {
  command
      .add_option("--range", options.ranges,
                  "Evaluate this NVTX range instead of the default scope; * matches any characters")
      ->allow_extra_args(false);
  add_range_threads_option(
      command, [&options](analyzer::RangeThreads given) { options.range_threads = given; });
  command.add_flag("--profiler-brackets", options.profiler_brackets,
                   "Evaluate the work issued between cudaProfilerStart and cudaProfilerStop");
  command.add_flag(
      "--whole", options.whole,
      "Evaluate the whole run with its set-up. Default: the scope that analyze shows (profiler "
      "brackets, else the loop, else the NVTX range with most GPU work, else the whole run)");
  command.add_flag("--steady", options.steady,
                   "Evaluate the default scope. If the default scope is the whole run, the result "
                   "is inconclusive");
  command.add_option("--device", options.device, "Evaluate this device only")->check(at_least(0));
  command
      .add_option("--comm", options.communication,
                  "Names of kernels that communicate between GPUs; * matches any characters")
      ->allow_extra_args(false);
  command.add_option("--min-ops", options.min_ops, "A scope with fewer than N ops is inconclusive")
      ->check(at_least(0))
      ->capture_default_str();
  command.add_option("--max-replay-error", options.max_replay_error,
                     "Conditions on causes are inconclusive if the error of the model check is "
                     "larger than this. Default: 10%");
  add_reading_options(command);
  command.add_flag("--allow-other-gpu", options.allow_other_gpu,
                   "Compare runs even if their GPU models differ");
  command.add_flag("--allow-other-command", options.allow_other_command,
                   "Accept runs of different commands as repeats");
  command
      .add_option("--allow", options.allow,
                  "Accept a trace that is cut-off, still-running or yielded. same-run: accept a "
                  "baseline that is the evaluated run itself")
      ->allow_extra_args(false);
}

// Makes --init exclude the options that are only for evaluating runs. Makes --margin and --output
// require --init.
void part_from_init(CLI::App& command, CLI::Option* init) {
  for (const char* name :
       {"--config", "--min-overlap", "--max-idle", "--min", "--max", "--forbid", "--over",
        "--possible", "--baseline", "--compare", "--tolerance", "--device", "--min-ops",
        "--max-replay-error", "--format", "--write", "--github"}) {
    command.get_option(name)->excludes(init);
  }
  for (const char* name : {"--margin", "--output"}) command.get_option(name)->needs(init);
}

}  // namespace

void add_gate(CLI::App& app) {
  auto options = std::make_shared<GateOptions>();
  CLI::App* command = app.add_subcommand(
      "gate", "Check conditions on recorded runs. Exit status 1 if a condition fails");
  command->add_option("FILE", options->files,
                      "Traces or summaries. Several files are repeats of one program. A folder is "
                      "one run, and every rank must meet the conditions");
  command->add_option("--config", options->config,
                      "Gate file. Default: lapscope.toml if the command line has no conditions");
  add_conditions(*command, *options);
  add_scope(*command, *options);
  command->add_option("--format", options->format, "Output format")
      ->check(CLI::IsMember(names_of(reports::gate_renderers)))
      ->capture_default_str();
  command
      ->add_option(
          "--write", options->write,
          "FORMAT=FILE, such as junit=gate.xml: also write the result to FILE in this format")
      ->allow_extra_args(false);
  command->add_flag("--github", options->github,
                    "Write annotations for GitHub Actions, and append the result to the job's "
                    "summary. Default if GITHUB_ACTIONS is true");
  CLI::Option* init =
      command
          ->add_flag(
              "--init", options->init,
              "Write a first gate file with bounds near the values of FILE. Evaluate no conditions")
          ->group("First gate file");
  command
      ->add_option("--margin", options->margin,
                   "How much worse than the values of FILE the bounds are")
      ->capture_default_str()
      ->group("First gate file");
  command->add_option("-o,--output", options->output, "Output file of --init; - is standard output")
      ->capture_default_str()
      ->group("First gate file");
  part_from_init(*command, init);
  command->footer(
      "Example:\n  lapscope gate run.sqlite --min-overlap 0.5 --max-idle 10% --forbid "
      "default-stream-barrier\n  lapscope gate run*.sqlite --baseline main.json --tolerance 5%\n"
      "Exit status: 0 passed, 1 failed, 2 usage error, 3 inconclusive, 4 unreadable file.");
  command->callback(
      [options] { exit_with(options->init ? write_first_file(*options) : judge_runs(*options)); });
}

}  // namespace lapscope::cli
