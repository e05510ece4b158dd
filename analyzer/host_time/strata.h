#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

// How long a thread was between two call sites of its own, all times added up.
struct PlaceTime {
  std::uint32_t place = 0;
  std::uint32_t after = 0;  // the second of the two call sites
  Ns ns = 0;
};

// A look at the thread while it was there. What it did is a label; `ns` is how long the look
// stands for.
struct PlaceSample {
  std::uint32_t place = 0;
  std::uint32_t label = 0;
  Ns ns = 0;
  std::uint32_t sample = no_index;  // in HostSamples
};

// The time before calls at one site that a label has; no_index is what nobody saw.
struct Portion {
  std::uint32_t after = 0;
  std::uint32_t label = no_index;
  Ns ns = 0;
};

struct Division {
  std::vector<Portion> portions;      // by site, then label; they sum to the time exactly
  std::vector<PlaceSample> rests_on;  // the samples that it is made of
  Ns known_ns = 0;                    // of all: what samples show
  // So many samples of the whole, taken by chance, would be as certain.
  double samples = 0;
};

// Divides the time of each place by what was seen there. A thread is looked at as often as it is
// somewhere for long, and so samples are counted, not intervals: what an interval's own sample
// showed must not count for all of it, or what lies at its ends would be more than it is.
//
//   interval  AAAAAAAAAABBBBB     of 15, looked at every 10: two samples of A for each of B
//
// Where a place has less time than a few looks take, it shares what was seen with others before the
// same call, then with all such places of the thread. `everywhere` has the samples of the thread
// whatever the scope: those at the same places speak where even that is little. Without samples,
// `interval_ns` may be 0.
Division divide(const std::vector<PlaceTime>& places, const std::vector<PlaceSample>& in_scope,
                const std::vector<PlaceSample>& everywhere, Ns interval_ns);

}  // namespace lapscope::analyzer
