#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapscope::analyzer {

// Whose code a frame is in, as far as names and paths show it.
enum class CodeOwner : std::uint8_t {
  program,  // the user's own
  library,  // installed for anybody: /usr/lib, site-packages, standard headers
  runtime,  // CUDA and what is made of it, PyTorch, the interpreter, the C library
};

std::string_view name_of(CodeOwner owner);

// The module of Python frames, and of operators of PyTorch as its profiler reports them.
inline constexpr std::string_view python_module = "[python]";
inline constexpr std::string_view operator_module = "[operator]";
// The module of functions of the operating system's libraries of which only the name is known, and
// of functions of Python that are written in C.
inline constexpr std::string_view system_module = "[system]";
inline constexpr std::string_view builtin_module = "[built-in]";
// The module of names that a program gives to intervals of its code.
inline constexpr std::string_view annotation_module = "[annotation]";

CodeOwner owner_of(std::string_view function, std::string_view module, std::string_view file);

// A function without its parameters, return type and template arguments: tiles::run of
// `void tiles::run<float>(float*, int)`.
std::string bare_function(std::string_view function);

// Whether a function, bare, is what nvcc makes to launch a kernel.
bool is_launch_stub(std::string_view function);

// A path without its folders.
std::string_view file_name(std::string_view path);

}  // namespace lapscope::analyzer
