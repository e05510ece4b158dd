#include "readers/tables/forward_lines.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "analyzer/model/name_pattern.h"
#include "analyzer/model/trace.h"

namespace lapscope::analyzer {
namespace {

constexpr std::string_view autograd_frame = "autograd::engine::evaluate_function: ";

// Matches the names of derivatives: AddmmBackward0, CopyBackwards, and MyFunctionBackward for a
// function that a program defines in Python.
bool is_derivative(std::string_view name) {
  return name.find("Backward") != std::string_view::npos;
}

std::optional<std::int64_t> sequence_in(std::string_view text) {
  constexpr std::string_view before = ", seq = ";
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  std::int64_t number = 0;
  const char* const first = text.data() + at + before.size();
  const auto [end, error] = std::from_chars(first, text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  return number;
}

class ForwardLines {
 public:
  ForwardLines(Trace& trace, std::vector<Operator> operators)
      : trace_(trace), operators_(std::move(operators)) {
    std::sort(operators_.begin(), operators_.end(), [](const Operator& a, const Operator& b) {
      return std::tuple(a.global_tid, a.interval.start, -a.interval.end, a.sequence) <
             std::tuple(b.global_tid, b.interval.start, -b.interval.end, b.sequence);
    });
    find_parents();
    for (std::uint32_t i = 0; i < operators_.size(); ++i) {
      const Operator& one = operators_[i];
      if (one.is_backward || one.sequence == Operator::no_sequence) continue;
      forward_[{pid_of(one.global_tid), one.sequence}].push_back(i);
    }
    lines_.assign(operators_.size(), not_looked_at);
  }

  // Goes through the operators in order, outer ones first, so that the line from an inner operator
  // overwrites the line from an outer operator.
  void give() {
    for (std::uint32_t i = 0; i < operators_.size(); ++i) {
      const Operator& one = operators_[i];
      if (!one.is_backward || one.sequence == Operator::no_sequence) continue;
      const std::uint32_t line = line_of_forward(one);
      if (line == CallStacks::none) continue;
      const std::uint32_t around = parents_[i];
      const bool is_framed = around != no_index && operators_[around].is_backward &&
                             operators_[around].sequence == Operator::no_sequence;
      for_calls(is_framed ? operators_[around] : one, [&](std::uint32_t call) {
        if (!has_own_backward(call)) trace_.stacks.set_forward(call, line);
      });
    }
  }

 private:
  static constexpr std::uint32_t not_looked_at = CallStacks::none - 1;

  void find_parents() {
    parents_.assign(operators_.size(), no_index);
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < operators_.size(); ++i) {
      const Operator& one = operators_[i];
      while (!open.empty() && (operators_[open.back()].global_tid != one.global_tid ||
                               operators_[open.back()].interval.end < one.interval.end)) {
        open.pop_back();
      }
      if (!open.empty()) parents_[i] = open.back();
      open.push_back(i);
    }
  }

  template <class Take>
  void for_calls(const Operator& one, Take&& take) const {
    const Calls& calls = trace_.calls;
    for (const Calls::Thread& thread : calls.threads) {
      if (thread.global_tid != one.global_tid) continue;
      const auto begin = calls.start.begin();
      const auto first =
          std::lower_bound(begin + thread.first, begin + thread.last, one.interval.start);
      for (auto call = static_cast<std::uint32_t>(first - begin); call < thread.last; ++call) {
        if (calls.start[call] >= one.interval.end) break;
        take(call);
      }
    }
  }

  // Returns whether the call comes from a derivative that the program itself defines. The stack of
  // such a call has a line of the program inside backward(). In other stacks, all frames inside
  // backward() are PyTorch's.
  bool has_own_backward(std::uint32_t call) const {
    const CallStacks& stacks = trace_.stacks;
    const std::uint32_t chain = stacks.of_call(call);
    if (chain == CallStacks::none || stacks.own_frame(chain) == CallStacks::none) return false;
    const std::uint32_t own = stacks.own_frame(chain);
    if (stacks.owner(chain, own) != CodeOwner::program) return false;
    const auto inside = stacks.chain(chain).first(own);
    return std::none_of(inside.begin(), inside.end(), [this](const Frame& frame) {
      return fits_pattern(trace_.names.text(frame.file), "*torch/autograd/*");
    });
  }

  std::uint32_t line_of_forward(const Operator& backward) {
    const auto found = forward_.find({pid_of(backward.global_tid), backward.sequence});
    if (found == forward_.end()) return CallStacks::none;
    std::uint32_t last = no_index;
    for (const std::uint32_t i : found->second) {
      if (operators_[i].interval.start >= backward.interval.start) continue;
      if (last != no_index && operators_[last].global_tid != operators_[i].global_tid) {
        return CallStacks::none;
      }
      last = i;  // operators are ordered by start
    }
    return last == no_index ? CallStacks::none : line_of(last);
  }

  // Looks at the stacks of the operator's calls, and returns the first stack with a line of the
  // program. If there is none, looks at the enclosing operators, innermost first.
  std::uint32_t line_of(std::uint32_t i) {
    std::vector<std::uint32_t> asked;
    std::uint32_t line = CallStacks::none;
    for (; i != no_index && line == CallStacks::none; i = parents_[i]) {
      if (lines_[i] == not_looked_at) {
        for_calls(operators_[i], [&](std::uint32_t call) {
          if (line == CallStacks::none) line = own_line(call);
        });
        asked.push_back(i);
      } else {
        line = lines_[i];
      }
    }
    for (const std::uint32_t one : asked) lines_[one] = line;
    return line;
  }

  std::uint32_t own_line(std::uint32_t call) const {
    const CallStacks& stacks = trace_.stacks;
    const std::uint32_t chain = stacks.of_call(call);
    if (chain == CallStacks::none || stacks.forward(chain) != CallStacks::none) {
      return CallStacks::none;
    }
    const std::uint32_t frame = stacks.own_frame(chain);
    if (frame == CallStacks::none || stacks.owner(chain, frame) != CodeOwner::program) {
      return CallStacks::none;
    }
    return stacks.chain(chain)[frame].line == 0 ? CallStacks::none : chain;
  }

  Trace& trace_;
  std::vector<Operator> operators_;     // by thread and start, outer operators first
  std::vector<std::uint32_t> parents_;  // index of the enclosing operator, or no_index
  std::vector<std::uint32_t> lines_;    // chain of each operator, once looked up
  std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<std::uint32_t>> forward_;
};

}  // namespace

std::optional<Operator> operator_of(std::string_view text) {
  const bool is_frame = text.starts_with(autograd_frame);
  const auto sequence = sequence_in(text);
  if (!is_frame && !sequence) return std::nullopt;
  Operator result;
  result.sequence = sequence.value_or(Operator::no_sequence);
  result.is_backward = is_frame || is_derivative(text.substr(0, text.find(',')));
  return result;
}

void give_forward_lines(Trace& trace, std::vector<Operator> operators) {
  if (trace.stacks.empty() || operators.empty()) return;
  ForwardLines(trace, std::move(operators)).give();
}

}  // namespace lapscope::analyzer
