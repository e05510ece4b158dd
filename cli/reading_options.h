#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>

#include "analyzer/analysis/analyze.h"
#include "readers/tables/row_limit.h"

namespace lapscope::cli {

// Adds --check and --max-ops to a command that reads traces. The values are global, because several
// places read traces, and a process runs one command.
void add_reading_options(CLI::App& command);

// Adds only --max-ops.
void add_max_ops_option(CLI::App& command);

[[noreturn]] void refuse_replay(const std::string& file, const analyzer::TooManyToReplay& error);

// Whether the database pages of a trace are checked. Files of up to analyzer::limits::checked_bytes
// are always checked. Larger files are checked only with --check.
bool is_checked(const std::string& file);

// Returns the value of --max-ops, by default the number of ops that fit into this machine's memory.
analyzer::RowLimit row_limit();

// Returns the value for AnalyzeOptions::most_replayed. It is below row_limit(), because an op takes
// more memory in a replay than in a trace.
std::size_t replay_limit();

// Converts analyzer::TooManyToReplay to UnreadableTrace with a sentence.
template <class F>
auto or_too_many(const std::string& file, F&& f) {
  try {
    return f();
  } catch (const analyzer::TooManyToReplay& error) {
    refuse_replay(file, error);
  }
}

// Returns the memory that this process may use, in bytes. This is at most the memory of the
// machine. The control groups of the process (cgroup v1 or v2) may limit it further. `root` is the
// folder that contains /proc and /sys. Returns the largest number of the type if nothing is known.
std::int64_t machine_memory(const std::filesystem::path& root = "/");

}  // namespace lapscope::cli
