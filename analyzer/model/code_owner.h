#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapscope::analyzer {

// Whose code a frame is in, as far as names and paths tell.
enum class CodeOwner : std::uint8_t {
  program,  // the user's own
  library,  // installed for anybody: /usr/lib, site-packages, standard headers
  runtime,  // CUDA and what is made of it, PyTorch, the interpreter, the C library
};

std::string_view name_of(CodeOwner owner);

// The modules of Python frames, and of operators of PyTorch as its profiler tells of them.
inline constexpr std::string_view python_module = "[python]";
inline constexpr std::string_view operator_module = "[operator]";
// Of functions of the operating system's libraries of which nothing but the name is told, and of
// those of Python that are written in C.
inline constexpr std::string_view system_module = "[system]";
inline constexpr std::string_view builtin_module = "[built-in]";
// Of names that a program gives stretches of its code.
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
