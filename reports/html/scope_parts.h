#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// What a page says of a device as a whole and of a range alike. `number` and `origin` are as in
// sections.h.

// To a stretch of a timeline, in ns since session start. `shown` is HTML.
std::string link_to(std::size_t number, analyzer::Interval interval, std::int64_t origin,
                    const std::string& shown);

// `range` is null when the scope is a whole device.
std::string figures_and_findings(const analyzer::ScopeResult& scope,
                                 const analyzer::RangeResult* range, std::size_t number,
                                 std::size_t first_finding);
// Where the time went: what it was spent on, and what it was lost for.
std::string time_tables(const analyzer::ScopeResult& scope, std::size_t number,
                        std::int64_t origin);
// Every measure, and what was active at the same time.
std::string measure_tables(const analyzer::ScopeResult& scope);

}  // namespace lapscope::reports
