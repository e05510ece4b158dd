#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "cli/progress_bar.h"
#include "cli/trace_database.h"

namespace lapscope::cli {

// Options of every command that analyzes traces.
struct AnalysisOptions {
  std::vector<std::string> files;
  bool summaries = false;  // whether the named folder contains summaries of ranks
  analyzer::AnalyzeOptions analysis;
};

// Imports a file of `format` into `trace`. Shows the progress of `stage` on a terminal. Throws the
// exceptions of the format's import function.
void import_showing_progress(const std::string& file, const analyzer::TraceFormat& format,
                             Stage stage, trace::TraceWriter& trace);

// Makes an ExportedFile. Shows the progress on a terminal.
ExportedFile export_showing_progress(const std::string& file, const analyzer::TraceFormat& format);

// Reads a trace of any format, showing progress on a terminal. Throws the exceptions of
// analyzer::read_trace, of the format's import function and of ExportedFile.
analyzer::Trace read_showing_progress(
    const std::string& file,
    const std::vector<std::string>& communication = analyzer::default_communication_patterns());

// Adds FILE…, --range, --range-threads, --profiler-brackets, --comm, --check and --max-ops. No
// other option of `summarize` changes results. `options` must outlive the command.
void add_scope_options(CLI::App& command, AnalysisOptions& options);

// Adds --range-threads. Calls `take` with the value if the option was given.
void add_range_threads_option(CLI::App& command, std::function<void(analyzer::RangeThreads)> take);

// Adds --whole, which evaluates the whole run instead of the steady state. `options` must outlive
// the command.
void add_whole_option(CLI::App& command, analyzer::AnalyzeOptions& options);

// Adds --summaries. `options` must outlive the command.
void add_summaries_option(CLI::App& command, AnalysisOptions& options);

// Adds --window. The help of the option begins with `what`. `options` must outlive the command.
void add_window_option(CLI::App& command, analyzer::AnalyzeOptions& options, const char* what);

// Adds --comm. `patterns` must outlive the command.
void add_communication_option(CLI::App& command, std::vector<std::string>& patterns);

// Adds --min-saving, --min-saving-us and --call-sites. `options` must outlive the command.
void add_finding_options(CLI::App& command, analyzer::CauseOptions& options);

// Returns `options` with the times of the window for this trace. In `options`, these times count
// from the start of the first op. In the result, they count from the start of the session.
analyzer::AnalyzeOptions from_first_op(const analyzer::Trace& trace,
                                       analyzer::AnalyzeOptions options);

// Announces files that will be read and analyzed, so that the displayed remaining time includes
// them.
void expect_analyses(const std::vector<std::string>& files,
                     const analyzer::AnalyzeOptions& options);

// Reads and analyzes a trace, showing progress on a terminal. Calls `keep`, if given, before the
// trace is freed. Throws the exceptions of analyzer::read_trace.
analyzer::Report analyze_showing_progress(
    const std::string& file, const analyzer::AnalyzeOptions& options,
    const std::function<void(const analyzer::Trace&, const analyzer::Report&)>& keep = {});

// Adds the options of add_scope_options(), --whole, --window, the options of add_finding_options(),
// and all other options that control an analysis. `options` must outlive the command.
void add_analysis_options(CLI::App& command, AnalysisOptions& options);

// Reads and analyzes all files, one after the other, showing progress on a terminal. Prints a line
// on stderr for each trace without GPU work. If a file cannot be read, stops and leaves `reports`
// unchanged.
//
// Returns the exit status: `good`, or `inconclusive` if at least one verdict is inconclusive
// (reports/words/verdict_words.h). Throws the exceptions of reading a file.
int analyze_files(const AnalysisOptions& options, std::vector<analyzer::Report>& reports);

}  // namespace lapscope::cli
