#pragma once

#include <string>

namespace lapscope::symbols {

// As a linker's symbol names it; the text itself where it is no mangled name.
std::string demangled(const char* symbol);

}  // namespace lapscope::symbols
