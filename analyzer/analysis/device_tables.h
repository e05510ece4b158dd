#pragma once

#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/measures/activity.h"

// Tables about one device that are no measures.
namespace lapscope::analyzer {

std::vector<EngineResult> engines_of(const Device& device, const Scope& scope,
                                     const Activity& activity);

struct StreamTables {
  std::vector<StreamResult> streams;    // by id
  std::vector<StreamOverlap> overlaps;  // pairs that overlap, among the 16 busiest streams
};
StreamTables streams_of(const Device& device, const Scope& scope);

// The 20 kernels and sorts of copies that took most time, added up over their ops.
std::vector<OpGroup> groups_of(const Trace& trace, const Device& device, const Scope& scope);

}  // namespace lapscope::analyzer
