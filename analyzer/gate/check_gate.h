#pragma once

#include "analyzer/gate/gate.h"

namespace lapscope::analyzer {

// What is wrong with the gate as a whole, and where.
struct GateFault {
  std::string sentence;
  Place place;
};

// A gate without conditions, bounds that contradict each other, a waiver of what is not demanded.
// Empty when there is nothing of that kind.
std::optional<GateFault> check_gate(const Gate& gate);

}  // namespace lapscope::analyzer
