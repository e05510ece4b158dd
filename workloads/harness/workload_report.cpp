#include "workloads/harness/workload_report.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace lapscope::workloads {

void Report::add(std::string_view key, std::string_view value) { lines_.emplace_back(key, value); }

void Report::add_count(std::string_view key, std::int64_t value) {
  add(key, std::to_string(value));
}

void Report::add_number(std::string_view key, double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(3) << value;
  add(key, text.str());
}

std::ostream& operator<<(std::ostream& out, const Report& report) {
  for (const auto& [key, value] : report.lines_) out << key << ": " << value << '\n';
  return out;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  if (values.size() % 2 != 0) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

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

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return std::lerp(values[below], values[above], place - static_cast<double>(below));
}

Quartiles quartiles(const std::vector<double>& values) {
  return {quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)};
}

}  // namespace lapscope::workloads
