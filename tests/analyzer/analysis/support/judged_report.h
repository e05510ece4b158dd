#pragma once

#include <string>
#include <utility>

#include "analyzer/analysis/report.h"

// Builds reports from given findings. A report has one device. A scope is 1 ms long.
namespace lapscope::test {

using analyzer::CausesResult;
using analyzer::DeviceResult;
using analyzer::FindingResult;
using analyzer::Report;

inline DeviceResult device_with(CausesResult causes) {
  DeviceResult device;
  device.scope.window = {0, 1'000'000};
  device.scope.causes = std::move(causes);
  return device;
}

inline Report report_of(CausesResult causes) {
  Report report;
  report.devices.push_back(device_with(std::move(causes)));
  return report;
}

inline analyzer::RangeResult range_with(std::string name, CausesResult causes) {
  analyzer::RangeResult range;
  range.name = std::move(name);
  range.scope = device_with(std::move(causes)).scope;
  return range;
}

inline CausesResult busy_engine() {
  CausesResult causes;
  causes.bound_by = "h2d";
  causes.bound_share = 0.9;
  causes.replay.wall_ns = 1'000'000;
  return causes;
}

inline FindingResult finding_called(std::string what) {
  FindingResult finding;
  finding.code = "event-wait";
  finding.what = {analyzer::Doing::Kind::op, std::move(what)};
  finding.saving_ns = 400'000;
  finding.saving_share = 0.4;
  return finding;
}

}  // namespace lapscope::test
