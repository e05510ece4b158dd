#include "reports/text/table.h"

#include <algorithm>

#include "reports/words/code_point.h"

namespace lapscope::reports {

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    if (text.front() == '\x1b') {
      text.remove_prefix(std::min(text.find('m'), text.size() - 1) + 1);
      continue;
    }
    const CodePoint code = first_of(text);
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

}  // namespace lapscope::reports
