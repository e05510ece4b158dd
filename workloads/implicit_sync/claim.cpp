#include "workloads/implicit_sync/claim.h"

namespace lapscope::workloads::implicit_sync {

std::string_view text_of(Documented says) {
  switch (says) {
    case Documented::host_waits_for_device:
      return "host waits for device";
    case Documented::host_waits_for_stream:
      return "host waits for its stream";
    case Documented::separates_streams:
      return "streams do not overlap";
    case Documented::may_wait:
      return "may wait";
    case Documented::asynchronous:
      return "host does not wait";
    case Documented::leaves_streams_alone:
      return "streams overlap";
    case Documented::not_named:
      return "may block, as any call";
    case Documented::control:
      return "control";
  }
  return "unknown";
}

}  // namespace lapscope::workloads::implicit_sync
