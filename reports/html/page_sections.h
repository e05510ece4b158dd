#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// The sections of a page that need no scripts. `number` is the index of the report on the page.
// Links to the report's timeline contain this index. `first_finding` is the index of the scope's
// first finding in the order of shown_findings().

std::string header_section(const analyzer::Report& report);
// The verdict on a device, its figures and its findings.
std::string device_section(const analyzer::Report& report, const analyzer::DeviceResult& device,
                           std::size_t number, std::size_t first_finding);
// The verdict on a range, its figures, findings and tables.
std::string range_section(const analyzer::Report& report, const analyzer::RangeResult& range,
                          const analyzer::DeviceResult& device, std::size_t number,
                          std::size_t first_finding);
// All other tables of a device.
std::string tables_section(const analyzer::Report& report, const analyzer::DeviceResult& device,
                           std::size_t number);
std::string trust_section(const analyzer::Report& report);

// The following functions make parts of the sections of devices and ranges. `number` is the index
// of the report on the page.

// Returns a link to an interval of a timeline, in ns since session start. `shown` is the HTML
// inside the link.
std::string link_to(const analyzer::Report& report, std::size_t number, analyzer::Interval interval,
                    const std::string& shown);

// `range` is null if the scope is a whole device.
std::string findings_of(const analyzer::Report& report, const analyzer::ScopeResult& scope,
                        const analyzer::RangeResult* range, std::size_t number,
                        std::size_t first_finding);
// The cards with the main figures.
std::string figures_of(const analyzer::ScopeResult& scope);
// The tables of the critical path and of idle time.
std::string time_tables(const analyzer::Report& report, const analyzer::ScopeResult& scope,
                        std::size_t number);
// The tables of all measures, of the causes that were checked, and of engines that were active
// together.
std::string measure_tables(const analyzer::ScopeResult& scope);

}  // namespace lapscope::reports
