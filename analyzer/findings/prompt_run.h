#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"
#include "analyzer/replay/replay.h"

// The other end of what is known of delays that nothing explains. A replay keeps them with their
// ops, whatever a fix changes. Where the fix lets an op go sooner, nothing shows that its delay
// does not end with what is taken away:
//
//   thread    a........b......      ab             ab
//   stream 1  .A...........B..      .A...B         .AB
//             recorded              B's delay      and without: a saving from 7 to 10
//                                   stays
namespace lapscope::analyzer {

// Runs edited programs without the delays of what the edit lets go sooner. Refers to the unchanged
// program.
class Promptly {
 public:
  explicit Promptly(const Graph& unchanged);

  // `stays`: how the edited program runs with its delays. Nothing where those that would end are
  // not noteworthy.
  std::optional<Replayed> run(const Graph& edited, const Times& stays) const;

 private:
  // Whether a task comes sooner behind the one that had started before it on its device.
  std::vector<bool> sooner(const Times& stays) const;

  const Graph& unchanged_;
  Ns least_ns_ = 0;                   // of delays
  std::vector<std::uint32_t> order_;  // of starts; empty where there are no such delays
};

}  // namespace lapscope::analyzer
