#include "reports/perfetto/rows.h"

namespace lapscope::reports {

std::vector<std::uint32_t> rows_of(std::span<const std::int64_t> start,
                                   std::span<const std::int64_t> end, Nesting nesting) {
  std::vector<std::uint32_t> rows;
  rows.reserve(start.size());
  std::vector<std::vector<std::int64_t>> open;  // by row: ends of what is open there, inner last
  for (std::size_t i = 0; i < start.size(); ++i) {
    std::uint32_t row = 0;
    for (;; ++row) {
      if (row == open.size()) open.emplace_back();
      std::vector<std::int64_t>& ends = open[row];
      while (!ends.empty() && ends.back() <= start[i]) ends.pop_back();
      if (ends.empty() || (nesting == Nesting::inside && end[i] <= ends.back())) break;
    }
    open[row].push_back(end[i]);
    rows.push_back(row);
  }
  return rows;
}

}  // namespace lapscope::reports
