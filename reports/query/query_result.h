#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/text/layout.h"

namespace lapscope::reports {

// std::monostate is NULL.
using QueryValue = std::variant<std::monostate, std::int64_t, double, std::string>;

// What SQL returned.
struct QueryResult {
  std::vector<std::string> columns;
  std::vector<std::vector<QueryValue>> rows;  // each with a value for each column
};

struct QueryRenderer {
  std::string_view name;
  void (*render)(const QueryResult& result, const TextStyle& style, std::ostream& out);
};

// The first is the default.
std::span<const QueryRenderer> query_renderers();

}  // namespace lapscope::reports
