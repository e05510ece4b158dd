#include "collector/decode/uuid_text.h"

namespace lapscope::decode {

std::string uuid_text(const std::uint8_t (&uuid)[16]) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "GPU-";
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits[uuid[i] >> 4];
    text += digits[uuid[i] & 15];
  }
  return text;
}

}  // namespace lapscope::decode
