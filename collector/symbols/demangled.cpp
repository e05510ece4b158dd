#include "collector/symbols/demangled.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace lapscope::symbols {

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  std::string name = text && status == 0 ? text.get() : symbol;
  // A part of a function that the compiler made one of its own is that function to its reader.
  return name.substr(0, name.find(" [clone "));
}

}  // namespace lapscope::symbols
