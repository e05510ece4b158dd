#include "analyzer/gaps/gap.h"

namespace lapscope::analyzer {

std::string_view code_of(GapCause cause) {
  constexpr std::array<std::string_view, gap_causes> codes = {
      "host-sync",       "pageable-copy", "alloc-free",   "host-pinning", "module-load",
      "launch-overhead", "host-call",     "host-compute", "profiler",     "not-issued",
      "launch-latency",  "event-wait",    "host-func",    "unexplained"};
  return codes[static_cast<std::size_t>(cause)];
}

}  // namespace lapscope::analyzer
