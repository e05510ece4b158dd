#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/measures/activity.h"

namespace lapscope::analyzer {

// All communication kernels of one name, such as ncclDevKernel_AllReduce_Sum_f32_RING_LL.
struct Collective {
  std::uint32_t name = 0;  // in the trace's names
  std::int64_t ops = 0;
  Ns sum_ns = 0;     // Σ|op|
  Ns hidden_ns = 0;  // Σ|op ∩ ∪compute|
};

// Collects the collectives from a sweep. The sweep must call `activity`, too, and always before
// this observer.
class CollectiveObserver {
 public:
  CollectiveObserver(const Subject& subject, const ActivityObserver& activity)
      : subject_(subject), activity_(activity) {}

  void begin(std::uint32_t op, Interval clipped);
  void end(std::uint32_t op);
  void stretch(Interval interval);

  // Returns the collectives, sorted by sum_ns, largest first.
  std::vector<Collective> collectives() const;

 private:
  bool is_collective(std::uint32_t op) const;

  const Subject& subject_;
  const ActivityObserver& activity_;
  std::map<std::uint32_t, Collective> by_name_;
  std::vector<std::uint32_t> active_;  // the name of each active op
};

}  // namespace lapscope::analyzer
