#pragma once

#include <string>

namespace lapscope::nvtx {

// Converts a wide text (UTF-32 on Linux) to UTF-8, with "?" for invalid characters. Returns an
// empty text for null.
std::string utf8(const wchar_t* text);

// Returns a copy of the text; empty for null.
std::string utf8(const char* text);

}  // namespace lapscope::nvtx
