#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>

#include "analyzer/analysis/analyze.h"
#include "readers/tables/row_limit.h"

namespace lapscope::cli {

// Adds --check and --max-ops to a command that reads traces. Their values are global: several
// places of the code read traces, and a process runs only one command.
void add_reading_options(CLI::App& command);

// Adds only --max-ops.
void add_max_ops_option(CLI::App& command);

[[noreturn]] void refuse_replay(const std::string& file, const analyzer::TooManyToReplay& error);

// Whether the database pages of a trace are checked. Files of up to analyzer::limits::checked_bytes
// are always checked. Larger files are checked only with --check.
bool is_checked(const std::string& file);

// Returns the value of --max-ops. If it is not given, returns the number of ops that fit into the
// memory of this machine.
analyzer::RowLimit row_limit();

// Returns the value for AnalyzeOptions::most_replayed. It is below row_limit(), because an op takes
// more memory in a replay than in a trace.
std::size_t replay_limit();

// Returns the result of f(). If f() throws analyzer::TooManyToReplay, throws UnreadableTrace with a
// sentence instead.
template <class F>
auto or_too_many(const std::string& file, F&& f) {
  try {
    return f();
  } catch (const analyzer::TooManyToReplay& error) {
    refuse_replay(file, error);
  }
}

// Returns the memory that this process may use, in bytes: the memory of the machine, or less if the
// control groups of the process (cgroup v1 or v2) limit it. `root` is the folder that contains
// /proc and /sys. Returns the largest std::int64_t if neither is known.
std::int64_t machine_memory(const std::filesystem::path& root = "/");

}  // namespace lapscope::cli
