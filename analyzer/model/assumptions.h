#pragma once

#include <array>
#include <span>

#include "analyzer/model/numbers/evidence_numbers.h"
#include "analyzer/model/numbers/physics_numbers.h"
#include "analyzer/model/numbers/presentation_numbers.h"

namespace lapscope::analyzer {

struct AssumptionTable {
  std::string_view name;
  std::span<const Assumption* const> numbers;
};

inline constexpr std::array assumption_tables = {
    AssumptionTable{"physics", assumed::physics},
    AssumptionTable{"evidence", assumed::evidence},
    AssumptionTable{"presentation", assumed::presentation},
};

// Calls `each` for every number of every table, table by table.
template <class Each>
void for_each_assumption(Each&& each) {
  for (const AssumptionTable& table : assumption_tables) {
    for (const Assumption* one : table.numbers) each(*one);
  }
}

}  // namespace lapscope::analyzer
