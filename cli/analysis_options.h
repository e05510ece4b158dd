#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "cli/exported_file.h"
#include "cli/progress_bar.h"

namespace lapscope::cli {

// What every command that analyzes traces takes.
struct AnalysisOptions {
  std::vector<std::string> files;
  std::vector<double> window;  // FROM, TO in ms; or empty
  bool summaries = false;      // the folder named holds summaries of ranks
  analyzer::AnalyzeOptions analysis;
};

// Makes a trace of a file of the format, showing that as `stage` on a terminal. Throws as the
// format's import does.
void import_showing_progress(const std::string& file, const analyzer::TraceFormat& format,
                             Stage stage, trace::TraceWriter& trace);

// Has a file exported by the tool of its format, showing that on a terminal.
ExportedFile export_showing_progress(const std::string& file, const analyzer::TraceFormat& format);

// Reads a trace of any format, showing progress on a terminal. Throws as analyzer::read_trace, the
// format's import and ExportedFile do.
analyzer::Trace read_showing_progress(const std::string& file);

// Adds FILE…, --range, --range-threads, --profiler-brackets, --comm, --check and --max-ops: all
// that a summary can be asked for, so that whoever reads it knows what is in it. `options` must
// outlive the command.
void add_scope_options(CLI::App& command, AnalysisOptions& options);

// Adds --range-threads. `take` is called with what was given, if anything was.
void add_range_threads_option(CLI::App& command, std::function<void(analyzer::RangeThreads)> take);

// Adds --whole, without which the steady state is evaluated. `options` must outlive the command.
void add_whole_option(CLI::App& command, analyzer::AnalyzeOptions& options);

// Adds --summaries. `options` must outlive the command.
void add_summaries_option(CLI::App& command, AnalysisOptions& options);

// Adds --window. `options` must outlive the command.
void add_window_option(CLI::App& command, AnalysisOptions& options);

// Adds --comm. `patterns` must outlive the command.
void add_communication_option(CLI::App& command, std::vector<std::string>& patterns);

// Adds --min-saving, --min-saving-us and --places. `options` must outlive the command.
void add_finding_options(CLI::App& command, analyzer::CauseOptions& options);

// The options for a trace, with a window that counts from its first op made one that counts from
// its session's start.
analyzer::AnalyzeOptions from_first_op(const analyzer::Trace& trace,
                                       analyzer::AnalyzeOptions options);

// FROM and TO in ms as an interval; none when there are no numbers. Throws CLI::ValidationError for
// a window that is none.
std::optional<analyzer::Interval> window_of(const std::vector<double>& milliseconds);

// Announces files that will be read and analyzed, so that the time left that is shown includes all
// of them.
void expect_analyses(const std::vector<std::string>& files,
                     const analyzer::AnalyzeOptions& options);

// Reads and analyzes a trace, showing progress on a terminal. Throws as analyzer::read_trace does.
// `keep`, if there is one, sees the trace before it goes.
analyzer::Report analyze_showing_progress(
    const std::string& file, const analyzer::AnalyzeOptions& options,
    const std::function<void(const analyzer::Trace&, const analyzer::Report&)>& keep = {});

// Adds these and the other options that say what is evaluated, and how. `options` must outlive the
// command.
void add_analysis_options(CLI::App& command, AnalysisOptions& options);

// Reads and analyzes all files, one after the other, showing progress on a terminal. Traces without
// GPU work, and the error that ended it, are reported on stderr. Appends nothing
// that is not complete.
//
// The exit status: good, or inconclusive when a verdict is (reports/words/verdict_words.h). Throws
// CLI::ValidationError for a window that is none, and what reading a file throws.
int analyze_files(const AnalysisOptions& options, std::vector<analyzer::Report>& reports);

}  // namespace lapscope::cli
