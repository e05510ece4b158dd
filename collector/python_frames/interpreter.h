#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "collector/process/address_range.h"
#include "collector/python_frames/interpreter_layout.h"

namespace lapscope::python_frames {

// The CPython in this process. lapscope links nothing of it: it is found by the names that it
// exports, and stays loaded from then on.
struct Interpreter {
  Layout layout;
  std::uintptr_t code_type = 0;
  std::uintptr_t text_type = 0;
  std::uintptr_t bytes_type = 0;
  // They take no lock and need not hold the interpreter's.
  int (*is_running)() = nullptr;            // Py_IsInitialized: not while it ends, either
  void* (*this_thread)() = nullptr;         // PyGILState_GetThisThreadState
  void* (*newest_interpreter)() = nullptr;  // PyInterpreterState_Head
  void* (*main_interpreter)() = nullptr;    // PyInterpreterState_Main
  void* (*first_thread)(void*) = nullptr;   // PyInterpreterState_ThreadHead
  // The mapping that holds the evaluation loop: a native frame in it is the interpreter's own, and
  // the frames of Python that it runs take its place.
  process::AddressRange code;
  process::AddressRange variables;  // _PyRuntime; of no length where that is not known
};

struct FoundInterpreter {
  std::optional<Interpreter> interpreter;
  bool is_python = false;  // there is one, perhaps not a supported one
  std::string why_not;     // a sentence
};

// Takes the loader's lock and allocates: for a thread that may, such as the one that starts the
// recording. Python may be loaded later, by a program that is not Python itself: ask again then.
FoundInterpreter find_interpreter();

// The function in which PyTorch's autograd threads run the backward pass: a thread that has a
// native frame in it, and no frame of Python, works for a `backward()` in another thread. As above.
std::optional<process::AddressRange> find_autograd_loop();

}  // namespace lapscope::python_frames
