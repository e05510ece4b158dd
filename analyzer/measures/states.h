#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/measures/activity.h"

namespace lapscope::analyzer {

// Time of the window in which exactly these engines were active.
struct StateTime {
  std::uint8_t active = 0;  // bit 1 << engine
  std::int64_t ns = 0;
  bool is_other_work = false;  // no engine was for the scope, and the device worked all the same

  bool has(Engine engine) const { return (active >> static_cast<int>(engine) & 1) != 0; }
};

// The window split by which engines are active: non-zero rows only, idle (no engine) first, then
// other work. The rows sum to the wall exactly.
std::vector<StateTime> state_table(const Activity& activity);

}  // namespace lapscope::analyzer
