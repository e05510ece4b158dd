#pragma once

#include "analyzer/gate/gated_work.h"

namespace lapscope::analyzer {

// What is to be known of the runs and changes no outcome, as sentences: defects of the recordings,
// and in what the baseline differs but for its figures. `baseline` may be empty.
std::vector<std::string> notes_of(Runs runs, Runs baseline);

}  // namespace lapscope::analyzer
