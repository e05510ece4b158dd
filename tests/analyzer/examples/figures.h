#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::test {

// Returns all figures of a report's first device, by name. Times are in units of `unit` ns, the
// characters of a drawing. Names of figures of a range begin with the name of the range and a
// slash, those of profiler brackets with "bracket/".
//
//   every measure       5, 4/6, -2/4, or n/a and why
//   ops, window         3; 2 to 8
//   states              idle 2, compute+h2d 3
//   gaps                the parts of each listed gap, in order: host-sync 4, host-compute 2; ...
//   details             the same, with call and range
//   short gaps          2 of 5 in all
//   stream N            busy 8, ops 2, self_overlap 1
//   streams N x M, classes A x B, collective NAME
//   series MEASURE      a value for each interval
//   iterations, first MEASURE, median MEASURE
//   health, trust
std::map<std::string, std::string> figures_of(const analyzer::Report& report, std::int64_t unit);

// Formats a value, such as 4/6 or 5.
std::string text_of(const analyzer::Value& value, std::int64_t unit);

}  // namespace lapscope::test
