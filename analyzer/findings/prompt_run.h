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

// Replays edited programs without the unexplained delays that the edits may end: the delays of ops
// that start sooner than in the recording. Holds a reference to the unchanged program.
class Promptly {
 public:
  explicit Promptly(const Graph& unchanged);

  // Returns a replay of `edited`. In this replay, the tasks in sooner(stays) have no unexplained
  // delays. `stays` has the times of a replay of `edited` with all delays. Returns nullopt if the
  // sum of the left-out delays is less than assumed::noteworthy of the program's time.
  std::optional<Replayed> run(const Graph& edited, const Times& stays) const;

 private:
  // Returns, by task, whether the task starts sooner in `stays` than in the recording. The start is
  // measured from the start of the previous task on the same device. In both cases, the previous
  // task is the previous task in the recording.
  std::vector<bool> sooner(const Times& stays) const;

  const Graph& unchanged_;
  Ns least_ns_ = 0;                   // least sum of delays that counts
  std::vector<std::uint32_t> order_;  // tasks by start; empty if there are no such delays
};

}  // namespace lapscope::analyzer
