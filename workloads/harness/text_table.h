#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace lapscope::workloads {

// Rows of cells printed as columns, two spaces apart, each as wide as its widest cell.
class TextTable {
 public:
  enum class Align { left, right };

  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as there are columns, of ASCII. Throws std::invalid_argument otherwise.
  void add(std::vector<std::string> cells);

  friend std::ostream& operator<<(std::ostream& out, const TextTable& table);

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lapscope::workloads
