#pragma once

#include <filesystem>
#include <ostream>
#include <span>
#include <stdexcept>
#include <vector>

#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// The error for a file that cannot be read as a summary. what() is a sentence that names the file.
class UnreadableSummary : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Whether a file begins with '{'. Summaries do, and traces do not. False if the file cannot be
// read.
bool looks_like_summary(const std::filesystem::path& path);

// Reads the runs from a file that write_summary() wrote. Leaves out measures that this version of
// lapscope does not know. Throws UnreadableSummary.
std::vector<RunSummary> read_summary(const std::filesystem::path& path);

inline constexpr std::string_view summary_schema = "lapscope-summary/1";

// Writes the runs of one program as one JSON file, for read_summary().
void write_summary(std::span<const RunSummary> runs, std::ostream& out);

}  // namespace lapscope::analyzer
