#include "collector/nvtx_interface/nvtx_text.h"

#include <cstdint>

namespace lapscope::nvtx {

std::string utf8(const char* text) { return text ? text : ""; }

std::string utf8(const wchar_t* text) {
  std::string bytes;
  const auto tail = [&bytes](std::uint32_t six_bits) {
    bytes += static_cast<char>(0x80 | (six_bits & 0x3F));
  };
  for (; text && *text; ++text) {
    const auto code = static_cast<std::uint32_t>(*text);
    if (code < 0x80) {
      bytes += static_cast<char>(code);
    } else if (code < 0x800) {
      bytes += static_cast<char>(0xC0 | code >> 6);
      tail(code);
    } else if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
      bytes += '?';
    } else if (code < 0x10000) {
      bytes += static_cast<char>(0xE0 | code >> 12);
      tail(code >> 6);
      tail(code);
    } else {
      bytes += static_cast<char>(0xF0 | code >> 18);
      tail(code >> 12);
      tail(code >> 6);
      tail(code);
    }
  }
  return bytes;
}

}  // namespace lapscope::nvtx
