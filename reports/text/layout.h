#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/health.h"
#include "analyzer/model/ops.h"

namespace lapscope::reports {

// The maximum number of lines on the first screen, in a terminal of 80 columns or more.
inline constexpr std::size_t screen_lines = 21;

// The style of a text. The caller sets it for the terminal; a renderer never reads the environment.
struct TextStyle {
  std::size_t width = 80;    // columns to fill; tables with long names may be wider when verbose
  bool colour = false;       // ANSI escapes
  bool unicode = true;       // else ASCII only
  bool verbose = false;      // every measure with its definition, and every table
  bool by_line = false;      // only the call sites of findings, by source line
  bool by_function = false;  // only what the host did between its calls, by function
  bool brief = false;        // for JSON: at most 4 kB
};

// Returns printable(text), wrapped to lines of at most `width` columns. Each line after the first
// is indented by `indent`. A word that is longer than a line has a line of its own. A number and
// its unit are not separated. The last line has no newline.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

// Returns a bar chart of the share of active time. It is one line of `width` block characters with
// eight heights. `active_ns` and `length_ns` have an entry for each interval. A column shows the
// intervals that end in the column. If there are fewer intervals than columns, a column shows the
// interval that contains the column. A share above 0 is never drawn as 0.
std::string strip_of(std::span<const analyzer::Ns> active_ns,
                     std::span<const analyzer::Ns> length_ns, std::size_t width,
                     const TextStyle& style);

// Returns a text in ASCII. Symbols of formulas are spelt out. Other non-ASCII characters become
// '?'.
std::string in_ascii(std::string_view text);

// A table. Each column is as wide as its widest cell. Two spaces separate the columns.
class Table {
 public:
  enum class Align { left, right };

  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}

  // Adds a row. Requires one cell for each column.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  void print(std::ostream& out, std::size_t indent) const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Returns the number of terminal columns of a UTF-8 text. Colour escapes take none.
std::size_t display_width(std::string_view text);

// Colours text with the 16 ANSI colours. If the style has no colour, returns texts unchanged.
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

Lines lines_of(const std::string& text);

// Wraps a text to the style's width. Each line after the first is indented by `indent`. If the text
// needs more than `most` lines, keeps the first sentences that fit. If the first sentence is too
// long, removes its middle.
Lines wrapped_lines(std::string text, const TextStyle& style, std::size_t indent,
                    std::size_t most = screen_lines);

}  // namespace lapscope::reports
