#pragma once

#include <ostream>
#include <span>

#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

inline constexpr std::string_view summary_schema = "lapscope-summary/1";

// Repeats of one program as one JSON file, for read_summary.
void write_summary(std::span<const RunSummary> runs, std::ostream& out);

}  // namespace lapscope::analyzer
