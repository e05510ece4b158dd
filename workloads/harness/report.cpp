#include "workloads/harness/report.h"

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

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

}  // namespace lapscope::workloads
