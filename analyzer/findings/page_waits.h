#pragma once

#include <optional>

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/advice.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

// Returns the time that kernels lose to pages of managed memory:
//
//   kernel      kkkkkkkkkkkkkkkk
//   faults      .ff.............      the kernel loses 10 of its 16 columns
//   migrations  ..mmm.mmm.mmm...
//
// Returns nullopt if that time is less than assumed::large_part of the time in which kernels run.
std::optional<KernelPageWaits> kernel_page_waits(const Sources& sources, const GraphScope& scope);

// Returns the time that the host loses to pages of managed memory. Returns nullopt if this time is
// below assumed::least_saving of the window.
std::optional<HostPageWaits> host_page_waits(const Sources& sources, const GraphScope& scope);

}  // namespace lapscope::analyzer
