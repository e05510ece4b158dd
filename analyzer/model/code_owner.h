#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapscope::analyzer {

// Who wrote the code of a frame. The names of its function, module and file show this.
enum class CodeOwner : std::uint8_t {
  program,  // the user's own
  library,  // installed for all users: /usr/lib, site-packages, standard headers
  runtime,  // CUDA and its libraries, PyTorch, the interpreter, the C library
};

std::string_view name_of(CodeOwner owner);

// python_module: the module of Python frames. operator_module: the module of operators in traces of
// PyTorch's profiler.
inline constexpr std::string_view python_module = "[python]";
inline constexpr std::string_view operator_module = "[operator]";
// system_module: the module of functions of system libraries, if the trace has only the names of
// these functions. builtin_module: the module of Python functions that are written in C.
inline constexpr std::string_view system_module = "[system]";
inline constexpr std::string_view builtin_module = "[built-in]";
// The module of frames that stand for named intervals of the program, such as NVTX ranges.
inline constexpr std::string_view annotation_module = "[annotation]";

CodeOwner owner_of(std::string_view function, std::string_view module, std::string_view file);

// Leaves out the parameters, return type and template arguments of a function. Returns tiles::run
// for `void tiles::run<float>(float*, int)`.
std::string bare_function(std::string_view function);

// Whether a function is a stub that nvcc generates to launch a kernel. `function`: as
// bare_function() returns it.
bool is_launch_stub(std::string_view function);

// Returns a path without its folders.
std::string_view file_name(std::string_view path);

}  // namespace lapscope::analyzer
