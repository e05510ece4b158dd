#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lapscope::workloads {

// The result of a workload on stdout: one "key: value" per line, in the order added. The unit of
// a number is the end of its key: wall_ms, kernel_us, tile_mib.
class Report {
 public:
  void add(std::string_view key, std::string_view value);
  void add_count(std::string_view key, std::int64_t value);
  // With three decimals.
  void add_number(std::string_view key, double value);

  friend std::ostream& operator<<(std::ostream& out, const Report& report);

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

// The middle value, or the mean of the middle two. `values` must not be empty.
double median(std::vector<double> values);

}  // namespace lapscope::workloads
