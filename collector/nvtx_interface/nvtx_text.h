#pragma once

#include <string>

namespace lapscope::nvtx {

// UTF-8 of a wide text (UTF-32 on Linux); "?" for what is no character. Empty for null.
std::string utf8(const wchar_t* text);

// Empty for null.
std::string utf8(const char* text);

}  // namespace lapscope::nvtx
