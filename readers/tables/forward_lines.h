#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/intervals/interval_set.h"

namespace lapscope::analyzer {

struct Trace;

// A PyTorch operator with its sequence number. A forward operator and its derivative in the
// backward pass have the same number.
struct Operator {
  Interval interval;
  std::int64_t global_tid = 0;
  std::int64_t sequence = no_sequence;
  bool is_backward = false;

  // Autograd's frame around a derivative has no number. It gets this value.
  static constexpr std::int64_t no_sequence = -1;
};

// Parses the text of a range as torch.autograd.profiler.emit_nvtx writes it:
//
//   aten::addmm, seq = 4, op_id = 59
//   AddmmBackward0, seq = 4, op_id = 81
//   autograd::engine::evaluate_function: AddmmBackward0, op_id = 80
//
// Returns nothing for other texts. Does not set the interval and the thread.
std::optional<Operator> operator_of(std::string_view text);

// Gives each call of the backward pass the line of the forward operator whose derivative it
// computes:
//
//   thread 1  [aten::addmm, seq = 4]     [backward()]
//                [call at model.py:33]
//   thread 2                             [AddmmBackward0, seq = 4]
//                                          [call]    gets the line model.py:33
//
// If several forward operators of one thread have the same number, lapscope uses the last of them
// that begins before the derivative. If no call of a forward operator has a line of the program,
// lapscope uses the line of the enclosing operator. The calls of the backward pass keep their own
// line in three cases:
// - Forward operators of several threads have the same number. Each thread numbers its operators
//   separately.
// - No line is known for the forward operator and the operators around it.
// - The program itself defines the derivative.
void give_forward_lines(Trace& trace, std::vector<Operator> operators);

}  // namespace lapscope::analyzer
