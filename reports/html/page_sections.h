#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// The parts of a page that are read without scripts. `number` counts the reports of the page from
// 0: links to what a timeline shows name it. Findings are counted as shown_findings() has them.

std::string header_section(const analyzer::Report& report);
// The verdict on a device, its figures and findings.
std::string device_section(const analyzer::Report& report, const analyzer::DeviceResult& device,
                           std::size_t number, std::size_t first_finding);
// The same of a range of it, and its tables.
std::string range_section(const analyzer::Report& report, const analyzer::RangeResult& range,
                          const analyzer::DeviceResult& device, std::size_t number,
                          std::size_t first_finding);
// All the rest of a device.
std::string tables_section(const analyzer::Report& report, const analyzer::DeviceResult& device,
                           std::size_t number);
std::string trust_section(const analyzer::Report& report);

// What a page states about a device as a whole and about a range alike. `number` is as above.

// To an interval of a timeline, in ns since session start. `shown` is HTML.
std::string link_to(const analyzer::Report& report, std::size_t number, analyzer::Interval interval,
                    const std::string& shown);

// `range` is null when the scope is a whole device.
std::string findings_of(const analyzer::Report& report, const analyzer::ScopeResult& scope,
                        const analyzer::RangeResult* range, std::size_t number,
                        std::size_t first_finding);
// The cards.
std::string figures_of(const analyzer::ScopeResult& scope);
// The critical path and the idle time.
std::string time_tables(const analyzer::Report& report, const analyzer::ScopeResult& scope,
                        std::size_t number);
// Every measure, and what was active at the same time.
std::string measure_tables(const analyzer::ScopeResult& scope);

}  // namespace lapscope::reports
