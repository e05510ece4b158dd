#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace lapscope::symbols {

// Returns the demangled name of a linker symbol; the symbol itself if it is not mangled.
inline std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  std::string name = text && status == 0 ? text.get() : symbol;
  // Cuts off the suffix " [clone ...]". It marks a part that the compiler has split off from a
  // function. Without the suffix, the part has the name of the function.
  return name.substr(0, name.find(" [clone "));
}

}  // namespace lapscope::symbols
