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

  // Returns the replay of `edited` without the unexplained delays of the tasks in sooner(stays).
  // `stays` has the times of the replay of `edited` with all unexplained delays. Returns nullopt if
  // the sum of the left-out delays is less than assumed::noteworthy of the program's time.
  std::optional<Replayed> run(const Graph& edited, const Times& stays) const;

 private:
  // Compares, for each task, the time from the start of the previous task on its device to its own
  // start. Returns, by task, whether this time is shorter in `stays` than in the recording. The
  // previous task is the previous one in the recording.
  std::vector<bool> sooner(const Times& stays) const;

  const Graph& unchanged_;
  Ns least_ns_ = 0;                   // least sum of delays that counts
  std::vector<std::uint32_t> order_;  // tasks by start; empty if there are no such delays
};

}  // namespace lapscope::analyzer
