#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis/analyze.h"
#include "analyzer/gaps/host_timeline.h"
#include "analyzer/gaps/stream_holds.h"
#include "analyzer/measures/subject.h"
#include "analyzer/scope/scope.h"

namespace lapscope::analyzer {

// Everything that the judgements of one trace share. Refers to both.
struct Context {
  Context(const Trace& read, const AnalyzeOptions& asked);

  const Trace& trace;
  const AnalyzeOptions& options;
  HostTimeline host;
  std::vector<bool> communication;  // by name
};

// The name under which the brackets of the profiler's API are reported.
inline constexpr std::string_view profiler_brackets = "cudaProfilerStart/Stop";

// What is judged of a device itself: the window that was asked for, or all. Empty when no op
// reaches into the window.
std::optional<Scope> own_scope(const Context& context, const Device& device);

// What a range of that name caused on a device. Empty when that was nothing.
std::optional<Scope> scope_of(const Context& context, const Device& device, RangeKind kind,
                              const std::string& name);

// A device judged as the options ask for. Empty when no op reaches into the window.
std::optional<DeviceResult> judge_device(const Context& context, const Device& device);

}  // namespace lapscope::analyzer
