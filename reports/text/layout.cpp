#include "reports/text/layout.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>
#include <vector>

#include "reports/text/table.h"

namespace lapscope::reports {

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::istringstream words{std::string(text)};
  std::string lines;
  std::size_t column = indent;
  for (std::string word; words >> word;) {
    const std::size_t size = display_width(word);
    if (column > indent && column + 1 + size > width) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += size;
  }
  return lines;
}

std::string strip_of(std::span<const std::int64_t> active_ns,
                     std::span<const std::int64_t> length_ns, std::size_t width,
                     const TextStyle& style) {
  constexpr std::array blocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array letters = {" ", ".", ".", ":", ":", "+", "+", "#", "#"};
  const std::size_t stretches = active_ns.size();
  std::vector<std::pair<std::int64_t, std::int64_t>> columns(width);  // active, all
  for (std::size_t column = 0; column < width; ++column) {
    const std::size_t first = column * stretches / width;
    const std::size_t last = std::max(first + 1, (column + 1) * stretches / width);
    for (std::size_t i = first; i < last && i < stretches; ++i) {
      columns[column].first += active_ns[i];
      columns[column].second += length_ns[i];
    }
  }
  std::string strip;
  for (const auto& [active, all] : columns) {
    constexpr std::int64_t full = 8;
    auto height = static_cast<std::size_t>(all > 0 ? (full * active + all / 2) / all : 0);
    if (active > 0) height = std::max<std::size_t>(height, 1);
    strip += style.unicode ? blocks[height] : letters[height];
  }
  return strip;
}

std::string in_ascii(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> spelt[] = {
      {"∩", "and"}, {"∪", "any"}, {"Σ", "sum of "}, {"×", "x"}, {"…", "~"}, {"·", "-"}};
  std::string ascii;
  while (!text.empty()) {
    const auto sign = std::find_if(std::begin(spelt), std::end(spelt),
                                   [&](const auto& s) { return text.starts_with(s.first); });
    if (sign != std::end(spelt)) {
      ascii += sign->second;
      text.remove_prefix(sign->first.size());
      continue;
    }
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80) {
      ascii += text.front();
    } else if (lead >= 0xC0) {
      ascii += '?';  // once for a code point
    }
    text.remove_prefix(1);
  }
  return ascii;
}

}  // namespace lapscope::reports
