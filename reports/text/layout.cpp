#include "reports/text/layout.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>
#include <utility>
#include <vector>

#include "analyzer/model/harmless_text.h"
#include "reports/words/format.h"

namespace lapscope::reports {

namespace {

// Whether a word after a number is a unit: "%", "ms", "us)," and others.
bool is_unit(std::string_view word) {
  constexpr std::string_view units[] = {"ns", "us", "ms", "s", "%", "×", "GB/s", "kB"};
  const std::size_t end = word.find_last_not_of(").,;:");
  const std::string_view unit = word.substr(0, end == std::string_view::npos ? 0 : end + 1);
  return std::find(std::begin(units), std::end(units), unit) != std::end(units);
}

// Splits a text into words. A number and its unit are one word.
std::vector<std::string> unbroken(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    const bool is_joined = !words.empty() && is_unit(word) &&
                           std::isdigit(static_cast<unsigned char>(words.back().back())) != 0;
    if (is_joined) {
      words.back() += " " + word;
    } else {
      words.push_back(std::move(word));
    }
  }
  return words;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string lines;
  std::size_t column = indent;
  for (const std::string& word : unbroken(printable(text))) {
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

std::string strip_of(std::span<const analyzer::Ns> active_ns,
                     std::span<const analyzer::Ns> length_ns, std::size_t width,
                     const TextStyle& style) {
  constexpr std::array blocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::array letters = {" ", ".", ".", ":", ":", "+", "+", "#", "#"};
  const std::size_t stretches = active_ns.size();
  std::vector<std::pair<analyzer::Ns, analyzer::Ns>> columns(width);  // active time, whole time
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
      {"∩", "and"}, {"∪", "any"}, {"Σ", "sum of "}, {"×", "x"},
      {"…", "~"},   {"·", "-"},   {"←", "<-"}};
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

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    if (text.front() == '\x1b') {
      text.remove_prefix(std::min(text.find('m'), text.size() - 1) + 1);
      continue;
    }
    const analyzer::CodePoint code = analyzer::first_of(text);
    width += code.bytes == 0 ? 1 : cells_of(code.value);
    text.remove_prefix(std::max<std::size_t>(code.bytes, 1));
  }
  return width;
}

void Table::print(std::ostream& out, std::size_t indent) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  for (const auto& row : rows_) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - display_width(row[i]), ' ');
      if (i > 0) line += "  ";
      line += columns_[i] == Align::left ? row[i] + padding : padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

std::string Paint::wrapped(std::string_view code, std::string_view text) const {
  if (!colour_ || text.empty()) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string Paint::of(analyzer::Engine engine, std::string_view text) const {
  switch (engine) {
    case analyzer::Engine::compute:
      return wrapped("32", text);
    case analyzer::Engine::h2d:
      return wrapped("34", text);
    case analyzer::Engine::d2h:
      return wrapped("35", text);
    case analyzer::Engine::other_copy:
      return wrapped("36", text);
    case analyzer::Engine::communication:
      return wrapped("33", text);
  }
  return std::string(text);
}

std::string Paint::of(analyzer::Severity severity, std::string_view text) const {
  switch (severity) {
    case analyzer::Severity::error:
      return bad(text);
    case analyzer::Severity::warning:
      return caution(text);
    case analyzer::Severity::info:
      break;
  }
  return std::string(text);
}

Lines lines_of(const std::string& text) {
  std::istringstream in(text);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
  return lines;
}

Lines wrapped_lines(std::string text, const TextStyle& style, std::size_t indent,
                    std::size_t most) {
  Lines lines = lines_of(wrapped(text, style.width, indent));
  while (lines.size() > most) {
    const std::size_t end = text.rfind(". ", text.size() - 2);
    const std::size_t cells = display_width(text);
    text = end == std::string::npos ? cut_inside(text, cells - std::max<std::size_t>(1, cells / 8))
                                    : text.substr(0, end + 1);
    lines = lines_of(wrapped(text, style.width, indent));
  }
  return lines;
}

}  // namespace lapscope::reports
