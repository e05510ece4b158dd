#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "analyzer/model/host_samples.h"

// Converts Kineto's names of host intervals to frames of call stacks.
namespace lapscope::kineto {

// The parts of "train.py(12): step".
struct PythonFunction {
  std::string_view file;
  std::int64_t line = 0;  // first line of the function; 0 if not known
  std::string_view name;
};
std::optional<PythonFunction> python_function(std::string_view text);

// A Python function that is written in C. Its name shows what a thread inside it waits for. Kineto
// writes "<built-in method acquire of _thread.lock object at 0x7f12>" for "_thread.lock.acquire".
struct BuiltinFunction {
  std::string name;  // "_thread.lock.acquire", or "sleep" for a function of a module
  analyzer::ThreadState state = analyzer::ThreadState::unknown;
};
std::optional<BuiltinFunction> builtin_function(std::string_view text);

// Returns the PyTorch function that makes this annotation. For example, AdamW.step in
// torch/optim/optimizer.py makes "Optimizer.step#AdamW.step". Returns nothing if the program itself
// makes the annotation.
std::optional<PythonFunction> function_of_annotation(std::string_view text);

// Returns the program's annotation with * for each separate number. "batch 17" becomes "batch *",
// so that all iterations have the same name. "layer1" is not changed.
std::string without_numbers(std::string_view annotation);

// Returns whether the annotation surrounds a whole iteration. Such an annotation does not show what
// the iteration does.
bool is_around_iteration(std::string_view annotation);

}  // namespace lapscope::kineto
