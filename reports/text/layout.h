#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/health.h"
#include "analyzer/model/ops.h"

namespace lapscope::reports {

// The first screen has at most so many lines in a terminal of 80 columns or more.
inline constexpr std::size_t screen_lines = 21;

// How a text is to look. Whoever knows the terminal decides; a renderer never looks at the
// environment.
struct TextStyle {
  std::size_t width = 80;    // columns to fill; tables with long names may be wider when verbose
  bool colour = false;       // ANSI escapes
  bool unicode = true;       // else ASCII only
  bool verbose = false;      // every measure with its definition, and every table
  bool by_line = false;      // instead, the call sites of findings by the line of the source
  bool by_function = false;  // instead, what the host did between its calls, by function
  bool brief = false;        // of JSON: what fits into 4 kB
};

// printable(text), its words put on lines of at most `width` columns, each line after the first
// `indent` to the right. A word that is longer stands alone. A number and its unit are one word. No
// newline at the end.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

// A picture of shares over time in one line of `width` columns: how much of each column's time
// something was active, as blocks of eight heights. A share above 0 is never drawn as 0.
// `active_ns` and `length_ns` have an entry for each interval. A column shows the intervals that
// end in it, or, with fewer intervals than columns, the one that it lies in.
std::string strip_of(std::span<const analyzer::Ns> active_ns,
                     std::span<const analyzer::Ns> length_ns, std::size_t width,
                     const TextStyle& style);

// A text in ASCII: signs of formulas are spelt, others become '?'.
std::string in_ascii(std::string_view text);

// Rows of cells printed as columns, two spaces apart, each as wide as its widest cell.
class Table {
 public:
  enum class Align { left, right };

  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

  // As many cells as there are columns.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void print(std::ostream& out, std::size_t indent) const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Columns that a terminal needs for a UTF-8 text; escapes for colours take none.
std::size_t display_width(std::string_view text);

// ANSI colours of a 16-colour terminal, which its user chose to be legible; texts as they are when
// the style has no colour.
class Paint {
 public:
  explicit Paint(const TextStyle& style) : colour_(style.colour) {}

  std::string bold(std::string_view text) const { return wrapped("1", text); }
  std::string faint(std::string_view text) const { return wrapped("2", text); }
  std::string good(std::string_view text) const { return wrapped("32", text); }
  std::string caution(std::string_view text) const { return wrapped("33", text); }
  std::string bad(std::string_view text) const { return wrapped("1;31", text); }
  std::string of(analyzer::Engine engine, std::string_view text) const;
  std::string of(analyzer::Severity severity, std::string_view text) const;

 private:
  std::string wrapped(std::string_view code, std::string_view text) const;

  bool colour_;
};

using Lines = std::vector<std::string>;
inline void add(Lines& lines, const Lines& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

// What a text has between its ends of lines.
Lines lines_of(const std::string& text);

// Wrapped to the style's width, each line after the first `indent` to the right; of no more than
// `most` lines: as many whole sentences as fit, and of the first what fits, with its end.
Lines wrapped_lines(std::string text, const TextStyle& style, std::size_t indent,
                    std::size_t most = screen_lines);

}  // namespace lapscope::reports
