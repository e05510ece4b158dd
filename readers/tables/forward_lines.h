#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

struct Trace;

// An operator of PyTorch that says its sequence number: of the forward pass, or of its derivative
// in the backward pass, which has the same.
struct Operator {
  Interval interval;
  std::int64_t global_tid = 0;
  std::int64_t sequence = no_sequence;
  bool is_backward = false;

  // The number of autograd's frame around a derivative, which has none.
  static constexpr std::int64_t no_sequence = -1;
};

// The operator that a range belongs to by its text, as torch.autograd.profiler.emit_nvtx writes it:
//
//   aten::addmm, seq = 4, op_id = 59
//   AddmmBackward0, seq = 4, op_id = 81
//   autograd::engine::evaluate_function: AddmmBackward0, op_id = 80
//
// Nothing for other texts. Its interval and thread are left out.
std::optional<Operator> operator_of(std::string_view text);

// Gives the calls of the backward pass the line of the forward operator whose derivative they are:
//
//   thread 1  [aten::addmm, seq = 4]     [backward()]
//                [call at model.py:33]
//   thread 2                             [AddmmBackward0, seq = 4]
//                                          [call]  model.py:33 in forward (its backward)
//
// If several operators have a number, the last to begin has made the derivative. If several threads
// have one, none is taken: each counts for itself. A forward operator without calls at a line of
// the program takes that of the operator around it. If there is no such line, calls stay as they
// are, and so do those of a derivative that the program has written itself.
void give_forward_lines(Trace& trace, std::vector<Operator> operators);

}  // namespace lapscope::analyzer
