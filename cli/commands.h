#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::cli {

// Each function adds a sub-command. The callback of the sub-command prints errors on standard
// error. It throws CLI::RuntimeError with an ExitStatus. The callback of `record` throws it with
// the exit status of the recorded program instead.

// Adds `record`. Parsing the command line fills `program`, which must outlive `app`.
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

// Adds all sub-commands, and the options and help of lapscope itself. The parser, the shell
// completions and the manual page use these definitions.
void add_commands(CLI::App& app, const std::vector<std::string>& program);

// Exit statuses of all sub-commands except `record`, which exits with the status of its program.
enum ExitStatus : int {
  good = 0,
  gate_failed = 1,  // for `doctor`: it found a problem that prevents recording
  usage = 2,
  inconclusive = 3,
  unreadable = 4,  // a file cannot be read or written
};

// Invalid options or files, alone or in combination. what() is a sentence that names them.
class WrongUsage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Ends a sub-command with this exit status. If a sub-command throws an exception instead, lapscope
// prints the text of the exception. In this case, the exit status is `usage` for CLI::Error and
// WrongUsage, and `unreadable` for other exceptions.
void exit_with(int status);

// Throws std::runtime_error if standard output did not accept all output.
void flush_stdout();

// Prints "lapscope: " and the sentence as one line on standard error. The sentence may contain
// untrusted names of files and strings from a trace. So this function replaces characters that
// would move the cursor of a terminal, or begin a command for a CI system ("::error::"). A command
// writes only these lines and its progress line to standard error.
void say_line(std::string_view sentence);

template <class... Parts>
void say(const Parts&... parts) {
  std::ostringstream sentence;
  (sentence << ... << parts);
  say_line(sentence.str());
}

// Returns the formatter of --help. It prints options under their headings. For each option, it
// shows a name for the value, the permitted values in words, and the default. Lines fit the
// terminal.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// Sets the headings of options that several sub-commands of `app` share. Keeps a heading that a
// sub-command has set itself.
void group_options(CLI::App& app);

}  // namespace lapscope::cli
