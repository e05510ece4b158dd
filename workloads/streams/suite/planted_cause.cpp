#include "workloads/streams/suite/planted_cause.h"

#include <iterator>

namespace lapscope::workloads::streams {

std::string_view cause_code(Cause cause) {
  constexpr std::string_view codes[] = {"stream-order",    "default-stream-barrier",
                                        "event-wait",      "copy-engine",
                                        "sm-saturated",    "queue-alias",
                                        "host-func",       "graph-edge",
                                        "host-sync",       "pageable-copy",
                                        "alloc-free",      "host-pinning",
                                        "module-load",     "launch-blocking",
                                        "launch-overhead", "host-compute"};
  static_assert(std::size(codes) == cause_count);
  return codes[static_cast<std::size_t>(cause)];
}

std::string cause_codes(const std::vector<Cause>& causes) {
  std::string codes;
  for (const Cause cause : causes) {
    codes.append(codes.empty() ? "" : ", ").append(cause_code(cause));
  }
  return codes.empty() ? "none" : codes;
}

}  // namespace lapscope::workloads::streams
