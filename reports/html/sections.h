#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// The parts of a page that are read without scripts. `number` counts the reports of the page from
// 0: links to what a timeline shows name it. Findings are counted as shown_findings() has them.

std::string header_section(const analyzer::Report& report);
// The verdict on a device, its figures and findings.
std::string device_section(const analyzer::DeviceResult& device, std::size_t number,
                           std::size_t first_finding);
// The same of a range of it, and its tables.
std::string range_section(const analyzer::RangeResult& range, const analyzer::DeviceResult& device,
                          std::size_t number, std::size_t first_finding, std::int64_t origin);
// All the rest of a device. `origin` is the instant at which its timeline begins.
std::string tables_section(const analyzer::DeviceResult& device, std::size_t number,
                           std::int64_t origin);
std::string trust_section(const analyzer::Report& report);

// What a page says of a device as a whole and of a range alike. `number` and `origin` are as above.

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
