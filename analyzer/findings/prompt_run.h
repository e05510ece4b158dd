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
  // (sooner()). `stays` has the times of a replay of `edited` with all delays. Returns nullopt if
  // the delays of these tasks add up to less than assumed::noteworthy of the unchanged program's
  // time.
  std::optional<Replayed> run(const Graph& edited, const Times& stays) const;

 private:
  // Returns, by task, whether the time from the start of the predecessor to the start of the task
  // is shorter in `stays` than in the unchanged program. The predecessor is the task that started
  // right before this task on the same device, in the unchanged program.
  std::vector<bool> sooner(const Times& stays) const;

  const Graph& unchanged_;
  Ns least_ns_ = 0;  // assumed::noteworthy of the unchanged program's time; at least 1
  // Tasks by start. Empty if all unexplained delays add up to less than least_ns_.
  std::vector<std::uint32_t> order_;
};

}  // namespace lapscope::analyzer
