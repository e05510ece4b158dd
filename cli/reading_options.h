#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "analyzer/analysis/analyze.h"
#include "readers/tables/row_limit.h"

namespace lapscope::cli {

// Adds --check and --max-ops, which every command has that reads traces. One command is run by a
// process, and reads traces in several places: what was given is kept for all of them.
void add_reading_options(CLI::App& command);

// Adds --max-ops alone.
void add_max_ops_option(CLI::App& command);

[[noreturn]] void refuse_replay(const std::string& file, const analyzer::TooManyToReplay& error);

// Whether the pages of a trace are checked. Small traces are always checked, large ones only with
// --check.
bool is_checked(const std::string& file);

// What --max-ops says, else what this machine's memory has room for.
analyzer::RowLimit row_limit();

// AnalyzeOptions::most_replayed: likewise, which takes more memory.
std::size_t replay_limit();

// What f returns. Throws UnreadableTrace, with a sentence for the user, for
// analyzer::TooManyToReplay.
template <class F>
auto or_too_many(const std::string& file, F&& f) {
  try {
    return f();
  } catch (const analyzer::TooManyToReplay& error) {
    refuse_replay(file, error);
  }
}

}  // namespace lapscope::cli
