#include <algorithm>

#include "analyzer/measures/measure.h"

namespace lapscope::analyzer {

constinit const Measure bidirectional = {
    "bidirectional", MeasureUnit::ratio, "|h2d ∩ d2h| / min(|h2d|, |d2h|)",
    [](const Activity& activity) {
      const IntervalSet& h2d = activity.of(Engine::h2d);
      const IntervalSet& d2h = activity.of(Engine::d2h);
      return ratio_or(intersect(h2d, d2h).length(), std::min(h2d.length(), d2h.length()),
                      "no copies in one of the directions");
    }};

}  // namespace lapscope::analyzer
