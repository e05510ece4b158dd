#pragma once

#include <cupti.h>

#include <cstdint>
#include <string_view>

namespace lapscope::callbacks {

// The calls of a function whose stacks are captured.
enum class StackChoice : std::uint8_t {
  none,
  every,   // the function can block, or is rare
  sample,  // the function issues work and returns
};

// Returns the choice for a function. `callback_name` is its name in CUPTI, such as
// cudaLaunchKernel_v7000.
StackChoice stack_choice(std::string_view callback_name);

// Positions of the arguments that sort_of() reads; see argument() in arguments.h.
struct SortArguments {
  static constexpr std::int8_t none = -1;
  std::int8_t subject_word = none;  // kernel, executable graph
  std::int8_t stream_word = none;
  bool has_configuration = false;  // the first argument is a configuration with the stream
};
SortArguments sort_arguments(std::string_view callback_name);

// Returns a hash of three things: the thread, the kernel or graph, and the stream of a call. For
// sampling, two calls of a function are of the same sort if their hashes are equal.
std::uint64_t sort_of(const SortArguments& where, const CUpti_CallbackData& call);

}  // namespace lapscope::callbacks
