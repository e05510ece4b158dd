#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapscope::workloads {

// Prints the results of a workload to stdout in the order of the `add` calls. Each line is "key:
// value". A key ends in the unit of its number: wall_ms, kernel_us, tile_mib.
class Report {
 public:
  void add(std::string_view key, std::string_view value);
  void add_count(std::string_view key, std::int64_t value);
  // Prints the value with three decimals.
  void add_number(std::string_view key, double value);

  friend std::ostream& operator<<(std::ostream& out, const Report& report);

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

// `values` must not be empty. For an even number of values, returns the mean of the middle two.
double median(std::vector<double> values);

// A table of text. Columns are two spaces apart, and as wide as their widest cell.
class TextTable {
 public:
  enum class Align { left, right };

  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Adds a row of ASCII cells. Throws std::invalid_argument unless each column gets one cell.
  void add(std::vector<std::string> cells);

  friend std::ostream& operator<<(std::ostream& out, const TextTable& table);

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Returns the quantile `q` of `values`, interpolated between neighbours. 0.5 gives the median. 0.25
// and 0.75 give the quartiles. `values` must not be empty.
double quantile(std::vector<double> values, double q);

struct Quartiles {
  double low = 0;
  double median = 0;
  double high = 0;
};

// `values` must not be empty.
Quartiles quartiles(const std::vector<double>& values);

}  // namespace lapscope::workloads
