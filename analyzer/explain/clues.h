#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/explain/code_place.h"
#include "analyzer/explain/walk_back.h"

namespace lapscope::analyzer {

// Properties of a call site that show what its user would type there, in the words of a framework:
// whose functions made the calls, and what they did. Reports have the advice.
enum class Clue : std::uint8_t {
  // Whose: known from the innermost frame that shows it, or from the NVTX range.
  pytorch,
  cupy,
  jax,
  // What a copy does, or what a call waits for.
  to_device,
  to_host,
  reads_value,  // so little to the host that it reads a value
  // Properties of the host's time between calls.
  before_input,  // the call behind it copies to the device
  after_result,  // the call ahead of it waited for a copy to the host of more than a value
  dispatches,    // it is no longer than a framework takes for an operator; or it is in launches
  launches_block,
  // Functions, operators and kernels at the line.
  runs_operator,       // of PyTorch, through its dispatcher
  counts_elements,     // of a mask: the size of the result is not known
  loops_over_tensors,  // of several sizes, with operators for each
  empties_cache,
  synchronizes,
  moves_module,
  loads_data,
  replays_graph,
  steps_optimizer,    // of several parameters at once
  steps_each_tensor,  // an optimizer, one parameter at a time
  is_collective,
  reduces_gradients,
  accumulates,        // several times from one step of the optimizer to the next
  single_operations,  // programs of one operation each
};
std::string_view code_of(Clue clue);  // stable

using Clues = std::set<Clue>;

// The clues in the frames of a stack, innermost first.
Clues clues_of(const std::vector<StackFrame>& stack);
// The clues in the text of an NVTX range.
Clues clues_of_range(std::string_view range);

// What delayed tasks, as the graph shows it.
class HolderClues {
 public:
  explicit HolderClues(const Sources& sources);

  Clues of_task(std::uint32_t task) const;
  // The clues of a call.
  Clues of_step(std::uint32_t step) const;
  // The clues of the time before a call.
  Clues of_gap(std::uint32_t step) const;

 private:
  // The copy that a call waited for: its own, or of several the one that ended last.
  std::uint32_t awaited_copy(std::uint32_t step) const;

  const Sources& sources_;
  bool launches_block_ = false;
};

// What else is done at the lines of call sites (CallStacks::place), by line.
class LineClues {
 public:
  LineClues(const Sources& sources, const std::set<std::uint32_t>& lines);
  Clues of(std::uint32_t line) const;

 private:
  std::set<std::pair<std::uint32_t, Clue>> clues_;
};

// Whether gradients are reduced more than once from one step of the optimizer to the next.
//
//   forward, reduction, forward, reduction, step
bool accumulates_gradients(const Trace& trace);

}  // namespace lapscope::analyzer
