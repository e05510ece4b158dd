#pragma once

#include <optional>
#include <string>

#include "analyzer/findings/graph_scope.h"
#include "analyzer/graph/critical_path.h"

namespace lapscope::analyzer {

// What kernels lose to managed memory: the time in which its pages move to or from their device, or
// faults of the device on them are handled.
//
//   kernel      kkkkkkkkkkkkkkkk
//   faults      .ff..............      10 of 16
//   migrations  ..mmm.mmm.mmm....
//
// A sentence or two; nothing where that is less than assumed::large_part of the time in which
// kernels run.
std::optional<std::string> kernel_page_waits(const Sources& sources, const GraphScope& scope);

// What the host loses to pages that it touches and that have to come from a device first. Nothing
// where that is less than assumed::least_saving of the time.
std::optional<std::string> host_page_waits(const Sources& sources, const GraphScope& scope);

}  // namespace lapscope::analyzer
