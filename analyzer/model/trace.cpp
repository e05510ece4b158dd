#include "analyzer/model/trace.h"

#include <algorithm>

namespace lapscope::analyzer {

std::string_view name_of(StreamKind kind) {
  switch (kind) {
    case StreamKind::unknown:
      return "unknown";
    case StreamKind::blocking:
      return "blocking";
    case StreamKind::non_blocking:
      return "non-blocking";
    case StreamKind::legacy_default:
      return "legacy-default";
  }
  return "";
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

const CallStream* stream_of_call(const Trace& trace, std::uint32_t call) {
  const auto found = std::lower_bound(
      trace.call_streams.begin(), trace.call_streams.end(), call,
      [](const CallStream& one, std::uint32_t wanted) { return one.call < wanted; });
  return found == trace.call_streams.end() || found->call != call ? nullptr : &*found;
}

}  // namespace lapscope::analyzer
