#pragma once

#include <string>

#include "analyzer/gate/gated_work.h"

// Why runs cannot be judged, whatever their figures. Sentences; empty when they can.
namespace lapscope::analyzer {

// As repeats of one program.
std::string trouble_of(const Gate& gate, Runs runs);

// In what they did of this work.
std::string trouble_of(const Gate& gate, const GatedWork& work, Runs runs);

}  // namespace lapscope::analyzer
