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

// A value of a row. std::monostate is NULL.
using QueryValue = std::variant<std::monostate, std::int64_t, double, std::string>;

struct QueryResult {
  std::vector<std::string> columns;
  std::vector<std::vector<QueryValue>> rows;  // each has one value for each column
};

struct QueryRenderer {
  std::string_view name;
  void (*render)(const QueryResult& result, const TextStyle& style, std::ostream& out);
};

// Returns all renderers. The first is the default.
std::span<const QueryRenderer> query_renderers();

}  // namespace lapscope::reports
