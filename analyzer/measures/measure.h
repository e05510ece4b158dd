#pragma once

#include <span>
#include <string_view>

#include "analyzer/measures/activity.h"
#include "analyzer/measures/value.h"

namespace lapscope::analyzer {

enum class MeasureUnit { ns, ratio };

// In which direction a measure changes when the program overlaps its work better.
enum class Better { more, less, neither };

// A figure about the work of a scope. Renderers depend only on the units of measures. So a new
// measure needs only a Measure and one line in a list, both in measures.cpp.
struct Measure {
  std::string_view name;
  MeasureUnit unit;
  std::string_view definition;  // the formula, for people
  Value (*compute)(const Activity&);
  Better better = Better::more;
  double most = 1;  // the largest possible value of a ratio; has no meaning for times
  bool can_be_negative = false;
};

// Returns the measures that all scopes have. The first one is overlap_ratio.
std::span<const Measure* const> measures();

// Returns the measures that only some scopes have: bare_wall for NVTX ranges if the trace has bare
// runs, corrected_wall if the recorder's own time is known, and the measures of the host if the
// trace shows what host threads did.
std::span<const Measure* const> measures_of_some();

// Returns the measure of this name, from measures() or measures_of_some(). Returns null if there is
// none.
const Measure* find_measure(std::string_view name);

// The measures that other code names.
extern const Measure overlap_ratio;
extern const Measure busy_overlap_ratio;
extern const Measure overlap_efficiency;
extern const Measure copy_hidden;
extern const Measure h2d_hidden;
extern const Measure d2h_hidden;
extern const Measure bidirectional;
extern const Measure kernel_overlap;
extern const Measure stretch;
extern const Measure overlap_ratio_alone;
extern const Measure comm_hidden;
extern const Measure idle_ratio;
extern const Measure wall;
extern const Measure busy;
extern const Measure sum;
extern const Measure other_work;
extern const Measure idle;
// The last two are in measures_of_some().
extern const Measure bare_wall;
extern const Measure corrected_wall;

}  // namespace lapscope::analyzer
