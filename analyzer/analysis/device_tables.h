#pragma once

#include <vector>

#include "analyzer/analysis/report.h"
#include "analyzer/measures/collectives.h"

// The tables of a device beside its measures.
namespace lapscope::analyzer {

std::vector<EngineResult> engines_of(const Activity& activity);

std::vector<ClassOverlap> class_overlaps_of(const Activity& activity);

std::vector<CollectiveResult> describe_collectives(const Names& names,
                                                   const std::vector<Collective>& collectives);

}  // namespace lapscope::analyzer
