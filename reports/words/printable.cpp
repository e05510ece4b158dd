#include "reports/words/printable.h"

#include <cstdint>

namespace lapscope::reports {
namespace {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  // 0: not UTF-8
};

// The code point that a text begins with; overlong forms, surrogates and what lies beyond U+10FFFF
// are not UTF-8.
CodePoint first_of(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t value = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {};
    value = value << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = 0xD800 <= value && value <= 0xDFFF;
  if (value < least[bytes] || value > 0x10FFFF || is_surrogate) return {};
  return {value, bytes};
}

bool is_harmless(std::uint32_t code) {
  if (code < 0x20 || (0x7F <= code && code <= 0x9F)) return false;
  if (0x200B <= code && code <= 0x200F) return false;  // without width, or marks of direction
  if (0x2028 <= code && code <= 0x202E) return false;  // separators, embeddings, overrides
  return !(0x2060 <= code && code <= 0x206F) && code != 0xFEFF && code != 0x061C;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const CodePoint code = first_of(text);
    const std::size_t bytes = code.bytes == 0 ? 1 : code.bytes;
    if (code.bytes > 0 && is_harmless(code.value)) {
      safe += text.substr(0, bytes);
    } else {
      safe += '?';
    }
    text.remove_prefix(bytes);
  }
  return safe;
}

std::string shortened(std::string_view text, std::size_t width) {
  // What cannot be shown is not worth being decoded: a code point has four bytes at most.
  std::string safe = printable(text.substr(0, 4 * (width + 1)));
  std::size_t at = 0;
  std::size_t last = 0;  // where the last code point that may stay begins
  for (std::size_t shown = 0; at < safe.size(); ++shown) {
    if (shown == width) {
      safe.resize(last);
      return safe + (width > 0 ? "…" : "");
    }
    last = at;
    at += first_of(std::string_view(safe).substr(at)).bytes;
  }
  return safe;
}

}  // namespace lapscope::reports
