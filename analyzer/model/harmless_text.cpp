#include "analyzer/model/harmless_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

namespace lapscope::analyzer {
namespace {

// Whether a code point is 0 or white space of Unicode, which CI systems trim.
bool is_white(std::uint32_t code) {
  return code == 0 || code == ' ' || code == 0xA0 || code == 0x1680 ||
         (0x2000 <= code && code <= 0x200A) || code == 0x202F || code == 0x205F || code == 0x3000;
}

bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }

std::string hex(std::uint32_t value, std::size_t digits) {
  std::array<char, 8> text{};
  const auto end = std::to_chars(text.begin(), text.end(), value, 16).ptr;
  const auto size = static_cast<std::size_t>(end - text.begin());
  return std::string(digits - std::min(digits, size), '0') + std::string(text.data(), size);
}

// Returns the escape of a code point in JSON, which uses UTF-16.
std::string escape_of(std::uint32_t code) {
  if (code <= 0xFFFF) return "\\u" + hex(code, 4);
  const std::uint32_t rest = code - 0x10000;
  return "\\u" + hex(0xD800 + (rest >> 10U), 4) + "\\u" + hex(0xDC00 + (rest & 0x3FFU), 4);
}

std::size_t bytes_in_json(CodePoint code) {
  constexpr std::size_t escape = 6;
  if (code.bytes == 0) return 3;  // U+FFFD
  if (!is_harmless(code.value)) return code.value <= 0xFFFF ? escape : 2 * escape;
  return code.value == '"' || code.value == '\\' ? 2 : code.bytes;
}

// Returns the FNV-1a hash of a text, 32 bits.
std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 0x811c9dc5;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193U;
  return hash;
}

}  // namespace

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
  if (0x200B <= code && code <= 0x200F) return false;    // zero width, or direction marks
  if (0x2028 <= code && code <= 0x202E) return false;    // separators, embeddings, overrides
  if (0x2060 <= code && code <= 0x206F) return false;    // zero width, isolates
  if (0xE0000 <= code && code <= 0xE007F) return false;  // tags
  return code != 0xFEFF && code != 0x061C;
}

bool is_blank(std::string_view text) {
  while (!text.empty()) {
    const CodePoint code = first_of(text);
    if (code.bytes > 0 && is_harmless(code.value) && !is_white(code.value)) return false;
    text.remove_prefix(std::max<std::size_t>(1, code.bytes));
  }
  return true;
}

bool begins_command(std::string_view text, std::uint32_t before) {
  if (text.starts_with("::")) return is_white(before);
  if (!text.starts_with("##")) return false;
  const auto* const end = std::find_if_not(text.begin() + 2, text.end(), is_letter);
  return end != text.end() && *end == '[';
}

std::string harmless_json(std::string_view json) {
  std::string harmless;
  harmless.reserve(json.size());
  while (!json.empty()) {
    const CodePoint code = first_of(json);
    const std::size_t bytes = std::max<std::size_t>(1, code.bytes);
    // Below 0x7F, JSON has only printable characters, line breaks between values, and escapes. Of
    // these, only a "#" can be harmful: it may begin a command of a CI system, such as "##[".
    // Commands that begin with "::" stand at the start of a line. No line of JSON begins with "::".
    const bool is_escaped = code.value >= 0x7F ? !is_harmless(code.value)
                                               : code.value == '#' && begins_command(json, '"');
    harmless += is_escaped ? escape_of(code.value) : std::string(json.substr(0, bytes));
    json.remove_prefix(bytes);
  }
  return harmless;
}

std::string kept_name(std::string name, std::size_t most) {
  if (name.size() <= most / 6) return name;  // short enough if each byte takes 6 in JSON
  const std::size_t head = most / 2;
  const std::size_t tail = most / 4;
  std::size_t all = 0;
  std::size_t head_end = 0;
  for (std::size_t at = 0; at < name.size() && all <= most;) {
    const CodePoint code = first_of(std::string_view(name).substr(at));
    at += std::max<std::size_t>(1, code.bytes);
    all += bytes_in_json(code);
    if (all <= head) head_end = at;
  }
  if (all <= most) return name;
  std::size_t tail_begin = name.size();
  for (std::size_t size = 0, at = name.size(); at > head_end;) {
    // A code point that ends here begins at most four bytes earlier.
    CodePoint code;
    std::size_t bytes = 1;
    for (std::size_t back = 1; back <= std::min<std::size_t>(4, at - head_end); ++back) {
      const CodePoint one = first_of(std::string_view(name).substr(at - back, back));
      if (one.bytes != back) continue;
      code = one;
      bytes = back;
      break;
    }
    size += bytes_in_json(code);
    if (size > tail) break;
    at -= bytes;
    tail_begin = at;
  }
  return name.substr(0, head_end) + "…" + hex(hash_of(name), 8) + "…" + name.substr(tail_begin);
}

}  // namespace lapscope::analyzer
