#pragma once

#include <string>

namespace lapscope::symbols {

// Returns the demangled name of a linker symbol; the symbol itself if it is not mangled.
std::string demangled(const char* symbol);

}  // namespace lapscope::symbols
