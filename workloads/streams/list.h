#pragma once

#include <iosfwd>
#include <vector>

#include "workloads/streams/suite/case.h"

namespace lapscope::workloads::streams {

// A table: one line for each variant, with what it plants and what it needs.
void list_as_text(std::ostream& out, const std::vector<Case>& cases);

// {"schema": "lapscope-cases/1", "cuda": the version built with, "cases": [{name, wrong, fix, gpus,
// libraries, once, variants: [{name, causes, environment, wall_tolerance, sum_tolerance}]}]}: what
// the catalogue of recorded traces starts from. The tolerances are shares.
void list_as_json(std::ostream& out, const std::vector<Case>& cases);

}  // namespace lapscope::workloads::streams
