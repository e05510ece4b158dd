#pragma once

#include <string_view>

namespace lapscope::workloads::implicit_sync {

// What is said about a call, in the order from waiting to not waiting.
enum class Documented {
  host_waits_for_device,  // The host gets control back when the device is idle.
  host_waits_for_stream,  // … when the call's own work, and what its stream held before it, is
                          // done.
  separates_streams,      // Work issued before and after it does not run at the same time.
  may_wait,               // It may wait, for whom is not said.
  asynchronous,           // The host gets control back at once.
  leaves_streams_alone,   // Other streams go on as if it were not there.
  not_named,              // Only that any call may block.
  control,                // One of this program's own, whose outcome is known.
};

struct Claim {
  Documented says = Documented::not_named;
  std::string_view source;  // A tag that README.md explains; several are separated by ", ".
};

inline constexpr Claim not_named{Documented::not_named, "reference"};

// The column of the table: "host waits for device".
std::string_view text_of(Documented says);

}  // namespace lapscope::workloads::implicit_sync
