#pragma once

#include <cupti.h>

#include <cstdint>
#include <string_view>

namespace lapscope::callbacks {

// The calls of a function whose stack is captured.
enum class StackChoice : std::uint8_t {
  none,
  every,   // it can block, or is rare
  sample,  // it issues work and returns
};

// By CUPTI's name of the function, as cudaLaunchKernel_v7000.
StackChoice stack_choice(std::string_view callback_name);

// The positions of the arguments that distinguish one sort of calls of a function from another; see
// arguments.h.
struct SortArguments {
  static constexpr std::int8_t none = -1;
  std::int8_t subject_word = none;  // kernel, executable graph
  std::int8_t stream_word = none;
  bool has_configuration = false;  // the first argument; the stream is in it
};
SortArguments sort_arguments(std::string_view callback_name);

// Calls of one sort are alike: the same function, kernel and stream, by the same thread.
std::uint64_t sort_of(const SortArguments& where, const CUpti_CallbackData& call);

}  // namespace lapscope::callbacks
