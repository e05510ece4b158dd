#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "tests/catch.h"

namespace lapscope::test {

inline constexpr analyzer::Ns between_calls = 90'000'000;

// Analyzes the whole run. Returns the host time between calls, if known.
inline std::optional<analyzer::HostActivity> host_time(const analyzer::Trace& trace) {
  analyzer::AnalyzeOptions options;
  options.focus = analyzer::Focus::whole;
  const auto time = analyzer::analyze(trace, options).devices.at(0).scope.host_time;
  if (!time) return time;
  analyzer::Ns sum = 0;
  for (const analyzer::HostPart& part : time->parts) sum += part.share.ns;
  CHECK(sum == time->ns);
  CHECK(time->ns == between_calls);
  return time;
}

// Returns the parts of the host time, longest first, such as "step<copy user unknown 90000". Here,
// `step` is the function, and `copy` is the innermost function. The kind is `user`, the state is
// `unknown`, and the time is 90000 us. Without "<copy", `step` is also the innermost function.
inline std::vector<std::string> parts_of(const analyzer::Trace& trace) {
  std::vector<std::string> lines;
  const auto time = host_time(trace);
  if (!time) return lines;
  for (const analyzer::HostPart& part : time->parts) {
    lines.push_back((part.function.empty() ? "?" : part.function) +
                    (part.innermost.empty() ? "" : "<" + part.innermost) + " " +
                    std::string(name_of(part.kind)) + " " + std::string(name_of(part.state)) + " " +
                    std::to_string(part.share.ns / 1'000));
  }
  return lines;
}

}  // namespace lapscope::test
