#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/model/host_samples.h"

// The names that Kineto gives intervals of the host's code, as frames of call stacks.
namespace lapscope::kineto {

// The parts of "train.py(12): step".
struct PythonFunction {
  std::string_view file;
  std::int64_t line = 0;  // at which it begins; 0 when not known
  std::string_view name;
};
std::optional<PythonFunction> python_function(std::string_view text);

// A function of Python's that is written in C: `acquire` of "_thread.lock" in "<built-in method
// acquire of _thread.lock object at 0x7f12>". Its name shows what a thread in it waits for.
struct BuiltinFunction {
  std::string name;  // "_thread.lock.acquire", or "sleep" of a module
  analyzer::ThreadState state = analyzer::ThreadState::unknown;
};
std::optional<BuiltinFunction> builtin_function(std::string_view text);

// An annotation that PyTorch itself makes, as the function that does so:
// "Optimizer.step#AdamW.step" is AdamW.step of torch/optim/optimizer.py.
std::optional<PythonFunction> function_of_annotation(std::string_view text);

// An annotation of the program with * for numbers that stand alone: what is called "batch 17" is
// "batch *", as in all other iterations; "layer1" stays.
std::string without_numbers(std::string_view annotation);

// An annotation around an iteration, which says nothing of what is done in it.
bool is_around_iteration(std::string_view annotation);

}  // namespace lapscope::kineto
