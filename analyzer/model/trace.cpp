#include "analyzer/model/trace.h"

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

}  // namespace lapscope::analyzer
