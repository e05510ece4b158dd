#include "cli/analysis_options.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "analyzer/analysis/verdict.h"
#include "analyzer/kinds_file/kinds_file.h"
#include "analyzer/model/limits.h"
#include "cli/commands.h"
#include "cli/number_checks.h"
#include "cli/progress_bar.h"
#include "cli/reading_options.h"
#include "cli/stages.h"
#include "cli/trace_database.h"
#include "collector/trace/trace_writer.h"
#include "readers/read_trace.h"
#include "readers/trace_format.h"
#include "reports/words/health_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::cli {
namespace {

// Imports a file of another tool into an unnamed trace database, and reads the trace from it. The
// trace is the same as after `convert`.
analyzer::Trace read_imported(const std::string& file, const analyzer::TraceFormat& format,
                              const std::vector<std::string>& communication) {
  auto writer = trace::TraceWriter::unread(schema::Database::unnamed());
  try {
    import_showing_progress(file, format, importing_stage(file), writer);
  } catch (const schema::SqliteError& error) {
    throw std::runtime_error(
        "'" + file + "' cannot be analyzed. Its temporary trace in TMPDIR needs about " +
        std::to_string(std::llround(format.file.trace_share * 100)) +
        " % of its size: " + error.what() + ". If TMPDIR is full, set it to another folder.");
  }
  analyzer::Progress progress;
  const ProgressBar bar(sorting_stages(file), &progress);
  return analyzer::read_trace(trace::TraceWriter::taken(std::move(writer)), file, &progress,
                              row_limit(), communication);
}

// Returns the rows of a file for --kinds. Throws CLI::ValidationError if the file is invalid.
std::vector<analyzer::KindRow> kinds_in(const std::string& path) {
  std::error_code unknown;
  std::ifstream file(path, std::ios::binary);
  // Refuses files of size 0. Files in /proc have this size, and reading them may never end.
  if (!std::filesystem::is_regular_file(path, unknown) ||
      std::filesystem::file_size(path, unknown) == 0) {
    throw CLI::ValidationError("--kinds", "'" + path + "' is empty, or is not a regular file");
  }
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw CLI::ValidationError("--kinds", "'" + path + "' cannot be read");
  try {
    return analyzer::read_kinds_file(content, path);
  } catch (const analyzer::KindsFileError& error) {
    throw CLI::ValidationError("--kinds", error.what());
  }
}

// Converts FROM and TO, in ms, to an interval. Throws CLI::ValidationError unless 0 <= FROM < TO.
analyzer::Interval window_of(const std::vector<double>& milliseconds) {
  constexpr double limit = static_cast<double>(analyzer::latest_time) / 1e6;
  if (!(0 <= milliseconds[0] && milliseconds[0] < milliseconds[1])) {
    throw CLI::ValidationError("--window", "FROM must be 0 or more, and less than TO");
  }
  if (milliseconds[1] > limit) {
    throw CLI::ValidationError("--window",
                               fmt::format("TO must be {:.0f} or less", std::floor(limit)));
  }
  return {std::llround(milliseconds[0] * 1e6), std::llround(milliseconds[1] * 1e6)};
}

// Prints why a result is inconclusive. Used if the result consists only of tables, because tables
// do not contain reasons.
void say_why_inconclusive(const analyzer::Report& report) {
  bool is_said = false;
  for (const analyzer::HealthRow& row : report.health) {
    if (severity_of(row) != analyzer::Severity::error) continue;
    say("'", report.trace.file, "' is inconclusive. ", reports::message_of(row), " ",
        reports::remedy_of(row));
    is_said = true;
  }
  if (!is_said) {
    say("'", report.trace.file, "' is inconclusive; `lapscope analyze` says why.");
  }
}

}  // namespace

analyzer::AnalyzeOptions from_first_op(const analyzer::Trace& trace,
                                       analyzer::AnalyzeOptions options) {
  if (!options.window) return options;
  const analyzer::Ns first = first_op_of(trace);
  options.window = analyzer::Interval{first + options.window->start, first + options.window->end};
  return options;
}

void import_showing_progress(const std::string& file, const analyzer::TraceFormat& format,
                             Stage stage, trace::TraceWriter& trace) {
  analyzer::Progress progress;
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  if (!error) progress.expected = static_cast<std::int64_t>(bytes);
  const ProgressBar bar({std::move(stage)}, &progress);
  format.file.import(file, trace, &progress.done, row_limit());
  trace.finish();
}

ExportedFile export_showing_progress(const std::string& file, const analyzer::TraceFormat& format) {
  const ProgressBar bar({{"exporting " + std::filesystem::path(file).filename().string()}});
  return ExportedFile(file, format);
}

analyzer::Trace read_showing_progress(const std::string& file,
                                      const std::vector<std::string>& communication) {
  if (const analyzer::TraceFormat* source = analyzer::format_of_source(file)) {
    if (source->file.import) return read_imported(file, *source, communication);
    const ExportedFile exported = export_showing_progress(file, *source);
    analyzer::Trace trace = read_showing_progress(exported.path().string(), communication);
    trace.facts.file = file;
    return trace;
  }
  const auto read = [&] {
    analyzer::Progress progress;
    const ProgressBar bar(reading_stages(file), &progress);
    return analyzer::read_trace(file, &progress, row_limit(), communication);
  };
  analyzer::Trace trace = read();
  if (is_checked(file)) {
    const ProgressBar bar({checking_stage(file)});
    if (auto row = analyzer::damaged_pages(file)) trace.health.push_back(std::move(*row));
  }
  return trace;
}

void expect_analyses(const std::vector<std::string>& files,
                     const analyzer::AnalyzeOptions& options) {
  for (const std::string& file : files) {
    const analyzer::TraceFormat* source = analyzer::format_of_source(file);
    if (source && source->file.import) {
      expect_stages({importing_stage(file)});
      expect_stages(sorting_stages(file));
    } else {
      expect_stages(reading_stages(file));
      if (is_checked(file)) expect_stages({checking_stage(file)});
    }
    expect_stages(analysis_stages(file, options));
  }
}

analyzer::Report analyze_showing_progress(
    const std::string& file, const analyzer::AnalyzeOptions& options,
    const std::function<void(const analyzer::Trace&, const analyzer::Report&)>& keep) {
  const analyzer::Trace trace = read_showing_progress(file, options.communication);
  analyzer::AnalyzeOptions asked = from_first_op(trace, options);
  analyzer::Progress progress;
  asked.causes.progress = &progress;
  asked.most_replayed = replay_limit();
  const ProgressBar bar(analysis_stages(file, asked), &progress);
  analyzer::Report report = or_too_many(file, [&] { return analyzer::analyze(trace, asked); });
  if (keep) keep(trace, report);
  return report;
}

void add_scope_options(CLI::App& command, AnalysisOptions& options) {
  command
      .add_option(
          "FILE", options.files,
          "Traces, SQLite exports of Nsight Systems, JSON of PyTorch's profiler, or profiles of "
          "JAX (XProf)")
      ->required();
  command
      .add_option("--range", options.analysis.ranges,
                  "Also evaluate this NVTX range; * matches any characters")
      ->allow_extra_args(false);
  command.add_flag("--profiler-brackets", options.analysis.profiler_brackets,
                   "Also evaluate the work issued between cudaProfilerStart and cudaProfilerStop");
  add_range_threads_option(command, [&options](analyzer::RangeThreads given) {
    options.analysis.range_threads = given;
  });
  add_communication_option(command, options.analysis.communication);
  add_reading_options(command);
}

void add_range_threads_option(CLI::App& command, std::function<void(analyzer::RangeThreads)> take) {
  using analyzer::RangeThreads;
  command
      .add_option_function<std::string>(
          "--range-threads",
          [take = std::move(take)](const std::string& name) {
            take(name == name_of(RangeThreads::own) ? RangeThreads::own : RangeThreads::helpers);
          },
          "Threads whose work belongs to a range: only the thread that opened the range (own), or "
          "also its helper threads (helpers, the default)")
      ->check(CLI::IsMember({"helpers", "own"}));
}

void add_communication_option(CLI::App& command, std::vector<std::string>& patterns) {
  command.add_option("--comm", patterns, "Names of kernels that communicate between GPUs")
      ->allow_extra_args(false)
      ->capture_default_str();
}

void add_finding_options(CLI::App& command, analyzer::CauseOptions& options) {
  command
      .add_option_function<double>(
          "--min-saving", [&options](double percent) { options.least_saving = percent / 100; },
          "Minimum saving of a finding, in percent of the wall time")
      ->check(from_to(0, 100))
      ->default_str(fmt::format("{:g}", 100 * options.least_saving));
  command
      .add_option_function<double>(
          "--min-saving-us",
          [&options](double us) { options.least_saving_ns = std::llround(us * 1e3); },
          "Minimum saving of a finding, in us")
      ->check(at_least(0))
      ->default_str(fmt::format("{:g}", static_cast<double>(options.least_saving_ns) / 1e3));
  command
      .add_option("--call-sites,--places", options.sites_listed,
                  "Maximum number of call sites per finding; each call site needs a replay")
      ->check(from_to(1, 1'000))
      ->capture_default_str();
}

void add_whole_option(CLI::App& command, analyzer::AnalyzeOptions& options) {
  options.focus = analyzer::Focus::automatic;
  command.add_flag_callback(
      "--whole", [&options] { options.focus = analyzer::Focus::whole; },
      "Evaluate the whole run instead of its steady state (the profiler brackets, else the loop, "
      "else the NVTX range with most GPU work)");
}

void add_window_option(CLI::App& command, analyzer::AnalyzeOptions& options, const char* what) {
  command
      .add_option_function<std::vector<double>>(
          "--window", [&options](const std::vector<double>& ms) { options.window = window_of(ms); },
          std::string(what) +
              " from FROM to TO. Both are in ms after the start of the first op, as on screens")
      ->expected(2)
      ->type_name("FROM TO")
      ->excludes("--range")
      ->excludes("--profiler-brackets");
}

void add_summaries_option(CLI::App& command, AnalysisOptions& options) {
  command
      .add_flag(
          "--summaries", options.summaries,
          "Read the summaries that `summarize --ranks` wrote, even if the folder also has traces")
      ->excludes("--window");
}

void add_analysis_options(CLI::App& command, AnalysisOptions& options) {
  add_scope_options(command, options);
  add_whole_option(command, options.analysis);
  command.add_option("--iterations", options.analysis.iterations,
                     "Count each NVTX range with this name as one iteration. By default, lapscope "
                     "detects iterations");
  add_window_option(command, options.analysis, "Evaluate only the interval");
  command.add_flag_callback(
      "--no-causes", [&options] { options.analysis.find_causes = false; },
      "Do not analyze causes: much faster for large traces");
  command
      .add_option("--sample", options.analysis.sample_ops,
                  "Find causes in a sample of N ops if the scope has more than 2 * N ops. 0 uses "
                  "all ops, however long that takes")
      ->check(from_to(0, 100'000'000));
  add_finding_options(command, options.analysis.causes);
  command
      .add_option_function<std::string>(
          "--kinds",
          [&options](const std::string& path) {
            options.analysis.host_kinds.put_first(kinds_in(path));
          },
          "TOML file that assigns modules and functions to kinds of host work. Its rows apply "
          "before lapscope's own rows")
      ->check(CLI::ExistingFile);
  command
      .add_option("--path", options.analysis.causes.path_listed,
                  "List the N longest parts of the critical path")
      ->check(from_to(1, 1'000'000))
      ->capture_default_str();
  command
      .add_option("--series", options.analysis.series_bins,
                  "Also compute the measures of N equal intervals")
      ->check(from_to(1, analyzer::limits::series_bins));
}

int analyze_files(const AnalysisOptions& options, std::vector<analyzer::Report>& reports) {
  const analyzer::AnalyzeOptions& analysis = options.analysis;
  expect_analyses(options.files, analysis);
  std::vector<analyzer::Report> results;
  for (const std::string& file : options.files) {
    results.push_back(analyze_showing_progress(file, analysis));
  }
  bool sound = true;
  for (analyzer::Report& report : results) {
    if (report.devices.empty()) {
      say("'", report.trace.file, "' holds no GPU work",
          (analysis.window ? " in this window." : ": no kernel, copy or memset was recorded."));
    }
    // A format with a timeline, such as an HTML page, also shows other things than host stacks. So
    // it needs no warning.
    const bool wants_stacks_alone = analysis.host_stacks && !analysis.timeline;
    const bool is_looked_at =
        std::any_of(report.devices.begin(), report.devices.end(),
                    [](const auto& device) { return device.scope.host_time.has_value(); });
    if (wants_stacks_alone && !is_looked_at) {
      say("'", report.trace.file,
          "' has no samples of host threads, so no stacks of them. `lapscope record` takes them; "
          "see --host-samples.");
    }
    const bool is_sound = verdict_of(report) != analyzer::Verdict::inconclusive;
    if (!is_sound && !report.devices.empty()) {
      analysis.stats ? say_why_inconclusive(report)
                     : say("'", report.trace.file, "' is inconclusive; the result says why.");
    }
    sound &= is_sound;
    reports.push_back(std::move(report));
  }
  return sound ? good : inconclusive;
}

}  // namespace lapscope::cli
