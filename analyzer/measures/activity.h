#pragma once

#include <array>

#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {

// What all measures of one device start from: the ops as unions per engine, and the window W that
// is judged. Made once, so that a measure is a line of arithmetic.
struct Activity {
  Interval window;       // first op start to last op end
  std::int64_t sum = 0;  // Σ|op|: overlapping ops count each
  IntervalSet busy;      // ∪ of all ops

  const IntervalSet& of(Engine engine) const { return engines[static_cast<std::size_t>(engine)]; }
  IntervalSet copies() const;  // ∪ of the three copy engines

  std::array<IntervalSet, all_engines.size()> engines;
};

// Requires at least one op. Throws std::overflow_error when the durations add up to more than 2^63
// ns.
Activity activity_of(const Ops& ops);

}  // namespace lapscope::analyzer
