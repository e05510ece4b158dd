#include "reports/words/printable.h"

#include <cstdint>

#include "reports/words/code_point.h"

namespace lapscope::reports {
namespace {

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
  // What cannot be shown is not worth being decoded: a code point has four bytes at most, and marks
  // without width are not to pile up.
  const std::string_view decoded = text.substr(0, 4 * (width + 1));
  std::string safe = printable(decoded);
  bool is_cut = decoded.size() < text.size();
  std::size_t end = 0;    // of what has been looked at
  std::size_t stays = 0;  // the end of what leaves room for "…"
  for (std::size_t shown = 0; end < safe.size();) {
    const CodePoint code = first_of(std::string_view(safe).substr(end));
    shown += cells_of(code.value);
    if (shown > width) {
      is_cut = true;
      break;
    }
    end += code.bytes;
    if (shown < width) stays = end;
  }
  if (!is_cut) return safe;
  safe.resize(stays);
  return safe + (width > 0 ? "…" : "");
}

}  // namespace lapscope::reports
