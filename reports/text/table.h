#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::reports {

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

}  // namespace lapscope::reports
