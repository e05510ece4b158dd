#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::test {

// Returns all figures of a report's first device, by name. Times are in units of `unit` ns, the
// length of a drawing's character. Figures of a range have the prefix "NAME/", where NAME is the
// name of the range. Figures of profiler brackets have the prefix "bracket/". Examples:
//
//   name        text
//   ops         3
//   window      2 to 8
//   states      idle 2, compute+h2d 3
//   gaps        host-sync 4, host-compute 2; idle 3    the parts of two gaps, in order of time
//   details     the same parts without their times, each with its call and range
//   stream 7    busy 8, ops 2, self_overlap 1
//
// A measure has its name, and a text as text_of() returns it.
std::map<std::string, std::string> figures_of(const analyzer::Report& report, std::int64_t unit);

// Returns a value such as "5" or "4/6", in units of `unit` ns, or "n/a: " and the reason.
std::string text_of(const analyzer::Value& value, std::int64_t unit);

}  // namespace lapscope::test
