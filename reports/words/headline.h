#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// The verdict on a device or a range in a sentence with one figure: what could be saved and why, or
// what is in the way of knowing, or what bounds it.
std::string headline(const analyzer::DeviceResult& device);
std::string headline(const analyzer::RangeResult& range);

// In a few words, for a table: "host-sync 65.4 %", "ok, compute busy 98.7 %".
std::string short_verdict(const analyzer::ScopeResult& scope);

}  // namespace lapscope::reports
