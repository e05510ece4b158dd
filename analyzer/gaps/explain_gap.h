#pragma once

#include "analyzer/gaps/gap.h"
#include "analyzer/graph/critical_path.h"

namespace lapscope::analyzer {

// Says what kept the ops that end gaps of one device from starting earlier: by the same walk as
// critical paths, so that both tell the same of the same time.
class GapExplainer {
 public:
  GapExplainer(const Sources& sources, std::uint16_t device);

  // The parts of each of these gaps, which follow each other before one op, or none (no_index).
  // Time in which another device worked, or this one for another scope, is that of the cause by
  // which the op waited for it. By one walk, however many they are.
  std::vector<std::vector<GapPart>> explain(std::span<const Interval> gaps,
                                            std::uint32_t next_op) const;

 private:
  GapPart part_of(const PathPart& path) const;

  const Sources sources_;
  std::vector<std::uint32_t> tasks_;  // by op; no_index for those that the graph does not hold
};

}  // namespace lapscope::analyzer
