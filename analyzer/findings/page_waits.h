#pragma once

#include <optional>

#include "analyzer/explain/walk_back.h"
#include "analyzer/findings/advice.h"
#include "analyzer/findings/graph_scope.h"

namespace lapscope::analyzer {

//   kernel      kkkkkkkkkkkkkkkk
//   faults      .ff..............      10 of 16
//   migrations  ..mmm.mmm.mmm....
//
// Nothing where that is less than assumed::large_part of the time in which kernels run.
std::optional<KernelPageWaits> kernel_page_waits(const Sources& sources, const GraphScope& scope);

// Nothing where that is less than assumed::least_saving of the time.
std::optional<HostPageWaits> host_page_waits(const Sources& sources, const GraphScope& scope);

}  // namespace lapscope::analyzer
