#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// Returns the verdict on a device or a range in a sentence with one figure. It states the possible
// saving and its cause. If the saving is unknown, it states the reason. If there is no saving, it
// states the run's bound.
std::string headline(const analyzer::DeviceResult& device);
std::string headline(const analyzer::RangeResult& range);

// Returns the verdict in a few words for a table: "host-sync 65.4 %", "ok, compute busy 98.7 %".
std::string short_verdict(const analyzer::ScopeResult& scope);

}  // namespace lapscope::reports
