#include "reports/words/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

#include "analyzer/model/harmless_text.h"

namespace lapscope::reports {

using analyzer::begins_command;
using analyzer::CodePoint;
using analyzer::first_of;
using analyzer::is_harmless;

std::string counted(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string format_ns(analyzer::Ns ns) {
  const auto value = static_cast<double>(ns);
  const double size = std::abs(value);
  // A value that would round to 1000.00 is written in the next unit.
  if (size < 1e3) return fmt::format("{} ns", ns);
  if (size < 999'995) return fmt::format("{:.2f} us", value / 1e3);
  if (size < 999'995'000) return fmt::format("{:.2f} ms", value / 1e6);
  return fmt::format("{:.2f} s", value / 1e9);
}

namespace {

bool is_printed_as_zero(std::string_view number) {
  return number.find_first_of("123456789") == std::string_view::npos;
}

// Returns a number with decimals; never "-0.0".
std::string fixed(double value, int decimals) {
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  return is_printed_as_zero(text) && text.front() == '-' ? text.substr(1) : text;
}

// Returns a positive number with decimals. If it would be printed as zero, returns "<0.1".
std::string at_least(double value, int decimals) {
  std::string text = fixed(value, decimals);
  if (value <= 0 || !is_printed_as_zero(text)) return text;
  text.back() = '1';
  return "<" + text;
}

}  // namespace

std::string format_percent(analyzer::Share share, int decimals) {
  const std::string all = fixed(100, decimals);
  std::string text = at_least(100 * share, decimals);
  if (share < 1 && text == all) text = ">" + fixed(100 - std::pow(10, -decimals), decimals);
  return text + " %";
}

std::string rough(analyzer::Share share) {
  const double percent = 100 * share;
  const bool is_nearly_all = 99 <= percent && percent < 100;
  return format_percent(share, percent < 9.95 || is_nearly_all ? 1 : 0);
}

std::string rough_share(std::int64_t part, std::int64_t whole) {
  return rough(whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0);
}

std::string format_change(analyzer::Share share, int decimals) {
  const std::string text = fixed(100 * share, decimals) + " %";
  return is_printed_as_zero(text) || text.front() == '-' ? text : "+" + text;
}

std::string format_instant(analyzer::Ns ns) {
  return fmt::format("{:.3f} ms", static_cast<double>(ns) / 1e6);
}

std::string format_share(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return "";
  return format_percent(static_cast<double>(part) / static_cast<double>(whole));
}

std::string format_shares(std::int64_t least, std::int64_t most, std::int64_t whole) {
  const std::string from = format_share(least, whole);
  const std::string to = format_share(most, whole);
  if (from == to || from.size() < 2) return to;
  return from.substr(0, from.size() - 2) + " to " + to;
}

std::string format_value(const analyzer::Value& value) {
  if (const auto* ns = std::get_if<analyzer::Nanoseconds>(&value)) return format_ns(ns->count);
  if (const auto* ratio = std::get_if<analyzer::Ratio>(&value)) {
    const std::string text = fmt::format("{:.3f}", ratio->value());
    return text == "-0.000" ? "0.000" : text;
  }
  return "n/a";
}

std::string format_size(analyzer::Bytes bytes) {
  constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < units.size(); ++unit) size /= 1024;
  const double tenths = std::round(size * 10);
  const int decimals = std::fmod(tenths, 10) == 0 ? 0 : 1;
  return fmt::format("{:.{}f} {}", tenths / 10, decimals, units[unit]);
}

std::string format_rate(std::int64_t bytes_per_s) {
  return at_least(static_cast<double>(bytes_per_s) / 1e9, 1) + " GB/s";
}

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  std::uint32_t before = 0;
  while (!text.empty()) {
    const CodePoint code = first_of(text);
    const std::size_t bytes = code.bytes == 0 ? 1 : code.bytes;
    const bool is_shown =
        code.bytes > 0 && is_harmless(code.value) && !begins_command(text, before);
    safe += is_shown ? text.substr(0, bytes) : "?";
    before = is_shown ? code.value : '?';
    text.remove_prefix(bytes);
  }
  return safe;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string csv_field(std::string_view text) {
  const std::string plain = printable(text);
  if (plain.find_first_of(",\"") == std::string::npos) return plain;
  std::string quoted = "\"";
  for (const char sign : plain) {
    if (sign == '"') quoted += '"';
    quoted += sign;
  }
  return quoted + '"';
}

std::string shortened(std::string_view text, std::size_t width) {
  // A code point has at most four bytes. So `decoded` has at least `width` + 1 code points of a
  // long text, and the last one shows that the text must be cut. The limit also bounds the number
  // of combining marks.
  const std::string_view decoded = text.substr(0, 4 * (width + 1));
  std::string safe = printable(decoded);
  bool is_cut = decoded.size() < text.size();
  std::size_t end = 0;    // of the part examined so far
  std::size_t stays = 0;  // of the part that leaves room for "…"
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

std::string cut_inside(std::string_view text, std::size_t width) {
  const std::string safe = printable(text);
  const std::string cut = shortened(safe, width);
  if (cut == safe) return safe;
  std::vector<std::size_t> begins;  // of code points with a width
  for (std::size_t at = 0; at < safe.size();) {
    const CodePoint code = first_of(std::string_view(safe).substr(at));
    if (cells_of(code.value) > 0) begins.push_back(at);
    at += code.bytes;
  }
  std::size_t tail = safe.size();
  std::size_t cells = 0;
  while (!begins.empty()) {
    cells += cells_of(first_of(std::string_view(safe).substr(begins.back())).value);
    if (cells > width / 3) break;
    tail = begins.back();
    begins.pop_back();
  }
  return shortened(safe, width - std::min(width, width / 3)) + safe.substr(tail);
}

namespace {

struct Span {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// Two sorted lists. The first has only common combining marks, the second all blocks of wide
// characters.
constexpr Span combining[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489},  {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},  {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
    {0x20D0, 0x20FF}, {0x302A, 0x302D},  {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
    {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}};
constexpr Span wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x2614, 0x2615},   {0x26A1, 0x26A1},   {0x2705, 0x2705},   {0x274C, 0x274C},
    {0x2795, 0x2797},   {0x2B1B, 0x2B1C},   {0x2E80, 0x303E},   {0x3041, 0x4DBF},
    {0x4E00, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
    {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x16FE0, 0x18D08}, {0x1B000, 0x1B2FB}, {0x1F300, 0x1F320}, {0x1F32D, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};

template <std::size_t n>
bool is_in(const Span (&spans)[n], std::uint32_t code_point) {
  const auto* after =
      std::upper_bound(std::begin(spans), std::end(spans), code_point,
                       [](std::uint32_t value, const Span& span) { return value < span.first; });
  return after != std::begin(spans) && code_point <= std::prev(after)->last;
}

}  // namespace

std::size_t cells_of(std::uint32_t code_point) {
  if (code_point < 0x300) return 1;
  if (is_in(combining, code_point)) return 0;
  return is_in(wide, code_point) ? 2 : 1;
}

}  // namespace lapscope::reports
