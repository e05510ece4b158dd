#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"
#include "analyzer/replay/replay.h"

// Some ops have delays that nothing explains. A replay keeps these delays. But if a fix releases an
// op sooner, the delay of the op may end as well. So a prediction gets a second end, without the
// delays of ops that start sooner:
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

  // Replays `edited` without the delays that would end. `stays` has the times of a replay of
  // `edited` with all unexplained delays. Returns nothing if the sum of the ending delays is less
  // than assumed::noteworthy of the program's time.
  std::optional<Replayed> run(const Graph& edited, const Times& stays) const;

 private:
  // The previous task of a task is the last one that started before it on the same device. Returns,
  // for each task, whether it starts sooner after its previous task than in the recording.
  std::vector<bool> sooner(const Times& stays) const;

  const Graph& unchanged_;
  Ns least_ns_ = 0;                   // least sum of delays that counts
  std::vector<std::uint32_t> order_;  // tasks by start; empty if there are no such delays
};

}  // namespace lapscope::analyzer
