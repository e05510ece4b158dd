#pragma once

#include <filesystem>
#include <ostream>
#include <span>
#include <stdexcept>
#include <vector>

#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

// A file that was to be a summary. what() is a sentence for the user that names it.
class UnreadableSummary : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Whether a file begins as a summary does, and as no trace can. False for what cannot be read.
bool looks_like_summary(const std::filesystem::path& path);

// The runs that write_summary wrote. Measures that this lapscope does not know are left out. Throws
// UnreadableSummary.
std::vector<RunSummary> read_summary(const std::filesystem::path& path);

inline constexpr std::string_view summary_schema = "lapscope-summary/1";

// Repeats of one program as one JSON file, for read_summary.
void write_summary(std::span<const RunSummary> runs, std::ostream& out);

}  // namespace lapscope::analyzer
