#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"
#include "analyzer/replay/replay.h"

// A replay keeps the delays that nothing explains. But if a fix releases an op sooner, the op's
// delay may end as well. So a prediction gets a second end, without the delays of such ops:
//
//   thread    a........b......      ab             ab
//   stream 1  .A...........B..      .A...B         .AB
//             recorded              B's delay      B's delay ends:
//                                   stays: saves   saves 11 columns
//                                   8 columns
namespace lapscope::analyzer {

// Replays edited programs without the unexplained delays of ops that start sooner. Holds a
// reference to the unchanged program.
class Promptly {
 public:
  explicit Promptly(const Graph& unchanged);

  // `stays` has the times of a replay of `edited` with all unexplained delays. Returns the replay
  // without the unexplained delays of the ops that start sooner in `stays`. Returns nullopt if the
  // sum of these delays is less than assumed::noteworthy of the program's time.
  std::optional<Replayed> run(const Graph& edited, const Times& stays) const;

 private:
  // By task: whether it starts sooner than recorded after the task that started before it on its
  // device.
  std::vector<bool> sooner(const Times& stays) const;

  const Graph& unchanged_;
  Ns least_ns_ = 0;                   // least sum of delays that counts
  std::vector<std::uint32_t> order_;  // tasks by start; empty if there are no such delays
};

}  // namespace lapscope::analyzer
