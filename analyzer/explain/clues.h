#pragma once

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/explain/code_place.h"
#include "analyzer/explain/walk_back.h"

namespace lapscope::analyzer {

// Properties of a call site: which framework made the calls there, and what they did. The reports
// write a fix in the terms of that framework.
enum class Clue : std::uint8_t {
  pytorch,
  cupy,
  jax,
  // Properties of the copy at the call site, or of the copy that the call there waits for.
  to_device,
  to_host,      // copies more than one value to the host
  reads_value,  // copies so few bytes to the host that the program probably reads one value
  // Properties of the host's time between the previous call and the call at the site.
  before_input,  // the next call copies to the device
  after_result,  // the previous call waited for a copy that has the clue to_host
  dispatches,    // lasts at most assumed::operator_gap, or the finding is launch-overhead
  launches_block,
  // Functions, operators and kernels at the line.
  runs_operator,       // an operator of PyTorch, through PyTorch's dispatcher
  counts_elements,     // counts the elements of a mask, to know the size of the result
  loops_over_tensors,  // runs operators for each of several tensors that differ in size
  empties_cache,
  synchronizes,
  moves_module,
  loads_data,
  replays_graph,
  steps_optimizer,    // an optimizer updates several parameters at once
  steps_each_tensor,  // an optimizer updates one parameter at a time
  is_collective,
  reduces_gradients,
  accumulates,        // reduces gradients several times for one step of the optimizer
  single_operations,  // runs compiled programs of one operation each
};
std::string_view code_of(Clue clue);  // the code never changes

using Clues = std::set<Clue>;

// Returns the clues in a stack. `stack` begins with the innermost frame.
Clues clues_of(const std::vector<StackFrame>& stack);
// Returns the clues in the text of an NVTX range.
Clues clues_of_range(std::string_view range);

// Finds clues about the copies, calls and host work that delay tasks. Uses the graph.
class HolderClues {
 public:
  explicit HolderClues(const Sources& sources);

  Clues of_task(std::uint32_t task) const;
  Clues of_step(std::uint32_t step) const;
  // Returns the clues about the host's work before a call.
  Clues of_gap(std::uint32_t step) const;

 private:
  // Returns the first task that a call issued. If the call issued no task, returns the task that
  // ended last among the tasks that the call waited for. Returns no_index if the call waited for no
  // task either.
  std::uint32_t awaited_copy(std::uint32_t step) const;

  const Sources& sources_;
  bool launches_block_ = false;
};

// Finds the clues for lines of code (CallStacks::place). Uses all ops that were issued at a line.
class LineClues {
 public:
  LineClues(const Sources& sources, const std::set<std::uint32_t>& lines);
  Clues of(std::uint32_t line) const;

 private:
  std::set<std::pair<std::uint32_t, Clue>> clues_;
};

// Whether gradients are reduced more than once between two steps of the optimizer.
//
//   forward, reduction, forward, reduction, step
bool accumulates_gradients(const Trace& trace);

}  // namespace lapscope::analyzer
