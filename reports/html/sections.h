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

}  // namespace lapscope::reports
