#include "workloads/harness/text_table.h"

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace lapscope::workloads {

void TextTable::add(std::vector<std::string> cells) {
  if (cells.size() != columns_.size()) {
    throw std::invalid_argument("a row of " + std::to_string(cells.size()) +
                                " cells in a table of " + std::to_string(columns_.size()) +
                                " columns");
  }
  rows_.push_back(std::move(cells));
}

std::ostream& operator<<(std::ostream& out, const TextTable& table) {
  std::vector<std::string> titles;
  for (const auto& column : table.columns_) titles.push_back(column.title);
  std::vector<std::vector<std::string>> rows{titles};
  rows.insert(rows.end(), table.rows_.begin(), table.rows_.end());

  std::vector<std::size_t> widths(titles.size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      const bool right = table.columns_[i].align == TextTable::Align::right;
      line.append(i == 0 ? "" : "  ").append(right ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
  return out;
}

}  // namespace lapscope::workloads
