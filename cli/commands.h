#pragma once

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::cli {

// Each adds a sub-command to `app`. Its callback throws CLI::RuntimeError with an ExitStatus (or,
// for record, the program's status) after having said why on standard error.

// `program` is what to run, known when the command line has been parsed; it must outlive `app`.
void add_record(CLI::App& app, const std::vector<std::string>& program);
void add_ctl(CLI::App& app);
void add_analyze(CLI::App& app);
void add_report(CLI::App& app);
void add_convert(CLI::App& app);
void add_doctor(CLI::App& app);
void add_gate(CLI::App& app);
void add_diff(CLI::App& app);
void add_summarize(CLI::App& app);
void add_history(CLI::App& app);
void add_whatif(CLI::App& app);
void add_stats(CLI::App& app);
void add_rows(CLI::App& app);
void add_query(CLI::App& app);
void add_symbolize(CLI::App& app);
void add_mcp(CLI::App& app);

// All of them, and the options and help of the program itself: what the parser, the shells'
// completions and the manual page know is declared here once.
void add_commands(CLI::App& app, const std::vector<std::string>& program);

// Exit statuses of every sub-command but `record`, which exits with its program's own.
enum ExitStatus : int {
  good = 0,
  gate_failed = 1,  // and what doctor found stands in the way of recording
  usage = 2,
  inconclusive = 3,
  unreadable = 4,  // a file that cannot be read or written
};

// Ends a sub-command whose work has this status. What a sub-command throws instead ends it as
// unreadable, with the sentence of the exception; a CLI::Error as wrong usage.
void exit_with(int status);

// Throws std::runtime_error where standard output has not taken all that was written to it.
void flush_stdout();

// A line on standard error, behind "lapscope: ". Names of files and of what is in a trace may be
// part of it: what would move the cursor of a terminal, or begin a line that a CI system obeys
// ("::error::"), is replaced. Nothing else of a command writes there but the progress line.
void say_line(std::string_view sentence);

template <class... Parts>
void say(const Parts&... parts) {
  std::ostringstream sentence;
  (sentence << ... << parts);
  say_line(sentence.str());
}

}  // namespace lapscope::cli
