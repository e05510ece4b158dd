#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collector/process/address_range.h"
#include "collector/python_frames/interpreter_layout.h"

namespace lapscope::python_frames {

// The CPython interpreter in this process. lapscope does not link to the interpreter, but finds it
// by its exported symbols. After that, the interpreter is never unloaded.
struct Interpreter {
  Layout layout;
  std::uintptr_t code_type = 0;
  std::uintptr_t text_type = 0;
  std::uintptr_t bytes_type = 0;
  // Functions of the interpreter that neither take nor need the interpreter's lock.
  int (*is_running)() = nullptr;            // Py_IsInitialized: also false while it ends
  void* (*this_thread)() = nullptr;         // PyGILState_GetThisThreadState
  void* (*newest_interpreter)() = nullptr;  // PyInterpreterState_Head
  void* (*main_interpreter)() = nullptr;    // PyInterpreterState_Main
  void* (*first_thread)(void*) = nullptr;   // PyInterpreterState_ThreadHead
  // The mapping that contains the evaluation loop. Native frames in this mapping belong to the
  // interpreter. In a call stack, Python frames replace them.
  process::AddressRange code;
  process::AddressRange variables;  // _PyRuntime; empty if it is unknown
};

struct FoundInterpreter {
  std::optional<Interpreter> interpreter;
  bool is_python = false;  // whether the process has a Python, even an unsupported one
  std::string why_not;     // a sentence, if `interpreter` is empty
};

// Finds the interpreter. Takes the dynamic loader's lock and allocates memory. Call this function
// only in a thread that may do both, for example the thread that starts the recording. If the
// program loads Python later, call this function once more after that.
FoundInterpreter find_interpreter();

// Finds the function in which PyTorch's autograd threads run the backward pass. Some threads have a
// native frame in that function and no Python frame. These threads work for a `backward()` in
// another thread. Takes the dynamic loader's lock and allocates memory, like find_interpreter().
std::optional<process::AddressRange> find_autograd_loop();

}  // namespace lapscope::python_frames
