#pragma once

#include <string>

namespace lapscope::symbols {

// The name of a linker's symbol; the text itself if it is no mangled name.
std::string demangled(const char* symbol);

}  // namespace lapscope::symbols
