#pragma once

#include <string>
#include <vector>

namespace lapscope::test {

struct Approved {
  std::string file;  // in tests/reports/approved
  std::string text;
};

// What every renderer makes of a few reports, as tests/reports/approved has it after a person has
// looked.
std::vector<Approved> outputs_to_approve();

}  // namespace lapscope::test
