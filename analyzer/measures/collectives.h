#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/measures/activity.h"
#include "analyzer/model/names.h"

namespace lapscope::analyzer {

// All communication kernels of one name, such as ncclDevKernel_AllReduce_Sum_f32_RING_LL.
struct CollectiveResult {
  std::string name;
  std::int64_t ops = 0;
  Ns sum_ns = 0;     // Σ|op|
  Ns hidden_ns = 0;  // part of sum_ns in which kernels computed: Σ|op ∩ ∪compute|
};

// Collects the communication kernels of a scope in a sweep. `activity` must be an earlier argument
// of sweep(), so that each event reaches it first.
class CollectiveObserver {
 public:
  CollectiveObserver(const Subject& subject, const ActivityObserver& activity)
      : subject_(subject), activity_(activity) {}

  void begin(std::uint32_t op, Interval clipped);
  void end(std::uint32_t op);
  void stretch(Interval interval);

  // Returns the collectives, sorted by sum_ns, largest first.
  std::vector<CollectiveResult> collectives(const Names& names) const;

 private:
  bool is_collective(std::uint32_t op) const;

  const Subject& subject_;
  const ActivityObserver& activity_;
  std::map<std::uint32_t, CollectiveResult> by_name_;
  std::vector<std::uint32_t> active_;  // the name of each active op
};

}  // namespace lapscope::analyzer
