#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/graph/graph.h"
#include "analyzer/intervals/units.h"
#include "analyzer/replay/replay.h"

// A replay keeps the delays that nothing explains. But if a fix releases an op sooner, the op may
// start without its delay. A prediction is therefore a range of two wall times: with all delays,
// and without the delays of ops that are released sooner:
//
//   thread    a........b......      ab             ab
//   stream 1  .A...........B..      .A...B         .AB
//             recorded              with B's       without B's
//                                   delay: saves   delay: saves
//                                   8 columns      11 columns
namespace lapscope::analyzer {

// Replays edited programs without the unexplained delays that the edits may end: the delays of ops
// that start sooner than in the recording. Holds a reference to the unchanged program.
class Promptly {
 public:
  explicit Promptly(const Graph& unchanged);

  // Replays the program `edited`. Tasks that start sooner than in the unchanged program (sooner())
  // have no unexplained delays in this replay. `stays` has the times of a replay of `edited` with
  // all delays. Returns nullopt if the delays that are left out sum to less than least_ns_.
  std::optional<Replayed> run(const Graph& edited, const Times& stays) const;

 private:
  // Returns, by task, whether a task starts sooner in a replay than in the unchanged program. The
  // start of a task is measured from the start of its predecessor. In the unchanged program, the
  // predecessor started right before the task on the same device. `stays`: the times of the replay.
  std::vector<bool> sooner(const Times& stays) const;

  const Graph& unchanged_;
  Ns least_ns_ = 0;  // the unchanged program's time * assumed::noteworthy; at least 1
  // Tasks by start. Empty if all unexplained delays add up to less than least_ns_.
  std::vector<std::uint32_t> order_;
};

}  // namespace lapscope::analyzer
