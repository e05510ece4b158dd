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

  // Replays the program `edited` without the unexplained delays of the tasks that start sooner
  // (sooner()). `stays` has the times of its replay with all delays. Returns nullopt if the delays
  // to leave out are shorter in total than assumed::noteworthy times the time of the unchanged
  // program.
  std::optional<Replayed> run(const Graph& edited, const Times& stays) const;

 private:
  // Returns, by task, whether the task starts sooner after the start of its predecessor in `stays`
  // than in the unchanged program. The predecessor is the task that started right before this task
  // on the same device of the unchanged program.
  std::vector<bool> sooner(const Times& stays) const;

  const Graph& unchanged_;
  Ns least_ns_ = 0;                   // least sum of delays that counts
  std::vector<std::uint32_t> order_;  // tasks by start; empty if there are no such delays
};

}  // namespace lapscope::analyzer
