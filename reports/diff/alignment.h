#pragma once

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// Where the judged work of two runs begins, in ns since their session starts: these instants are
// put above one another. It is the first range that was judged in both, by the order of names, else
// the first op. Both need a timeline.
struct Alignment {
  std::int64_t before = 0;
  std::int64_t after = 0;
};
Alignment align(const analyzer::Report& before, const analyzer::Report& after);

}  // namespace lapscope::reports
