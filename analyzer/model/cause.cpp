#include "analyzer/model/cause.h"

#include <algorithm>

namespace lapscope::analyzer {
namespace {

constexpr std::array<std::string_view, cause_count> codes = {
    "stream-order",    "default-stream-barrier",
    "event-wait",      "copy-engine",
    "sm-saturated",    "queue-alias",
    "host-func",       "graph-edge",
    "launch-latency",  "host-sync",
    "pageable-copy",   "alloc-free",
    "host-pinning",    "module-load",
    "launch-blocking", "launch-overhead",
    "host-call",       "host-compute",
    "profiler",        "not-issued",
    "unexplained",
};

}  // namespace

std::string_view code_of(Cause cause) { return codes[static_cast<std::size_t>(cause)]; }

std::span<const std::string_view> cause_codes() { return codes; }

std::optional<Cause> cause_of_code(std::string_view code) {
  const auto found = std::find(codes.begin(), codes.end(), code);
  if (found == codes.end()) return std::nullopt;
  return static_cast<Cause>(found - codes.begin());
}

}  // namespace lapscope::analyzer
