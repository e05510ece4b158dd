#pragma once

#include <string>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// The parts of a page that are read without scripts. `number` counts the reports of the page from
// 0: links to what a timeline shows name it. Findings are counted through all devices.

std::string header_section(const analyzer::Report& report);
// The verdict on a device, its figures and findings.
std::string device_section(const analyzer::DeviceResult& device, std::size_t number,
                           std::size_t first_finding);
// All the rest of it. `origin` is the instant at which its timeline begins.
std::string tables_section(const analyzer::DeviceResult& device, std::size_t number,
                           std::int64_t origin);
std::string trust_section(const analyzer::Report& report);

}  // namespace lapscope::reports
