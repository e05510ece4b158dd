#include "reports/columns/column_table.h"

#include <cstring>
#include <sstream>

#include "tests/catch.h"
#include "tests/support/json.h"

namespace lapscope::reports {
namespace {

constexpr std::size_t alignment = 64;

struct Written {
  nlohmann::json head;
  std::vector<std::string> parts;  // after the header, in their order
};

Written written(const ColumnTable& table) {
  std::ostringstream out;
  table.write(out);
  const std::string all = out.str();
  std::size_t at = all.find('\n') + 1;
  Written result{test::parse_json(all.substr(0, at)), {}};
  for (const auto& column : result.head["columns"]) {
    for (const auto& bytes : column["bytes"]) {
      CHECK(at % alignment == 0);
      const auto size = bytes.get<std::size_t>();
      result.parts.push_back(all.substr(at, size));
      at += (size + alignment - 1) / alignment * alignment;
    }
  }
  CHECK(at == all.size());
  return result;
}

template <class T>
std::vector<T> numbers(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST_CASE("a table is written column by column, each part where its line says", "[columns]") {
  ColumnTable table;
  table.add_integers("start", {7, -1, 1LL << 40});
  table.add_integers("bytes", {no_value, 4096, no_value});
  table.add_texts("name", {1, 0, 1}, {"memset", "größte<int>"});
  const Written result = written(table);
  CHECK(result.head["schema"] == "lapscope-rows/1");
  CHECK(result.head["rows"] == 3);
  CHECK(result.head["columns"][1]["name"] == "bytes");
  CHECK(result.head["columns"][2]["type"] == "text");
  CHECK(result.head["columns"][2]["values"] == 2);
  REQUIRE(result.parts.size() == 7);
  CHECK(result.parts[0].empty());
  CHECK(numbers<std::int64_t>(result.parts[1]) == std::vector<std::int64_t>{7, -1, 1LL << 40});
  CHECK(result.parts[2] == "\x02");
  CHECK(numbers<std::int64_t>(result.parts[3])[1] == 4096);
  CHECK(numbers<std::int32_t>(result.parts[4]) == std::vector<std::int32_t>{1, 0, 1});
  CHECK(numbers<std::int32_t>(result.parts[5]) == std::vector<std::int32_t>{0, 6, 19});
  CHECK(result.parts[6] == "memsetgrößte<int>");
}

TEST_CASE("a table without rows has its columns", "[columns]") {
  ColumnTable table;
  table.add_integers("start", {});
  table.add_texts("name", {}, {});
  const Written result = written(table);
  CHECK(result.head["rows"] == 0);
  CHECK(result.head["columns"].size() == 2);
  CHECK(numbers<std::int32_t>(result.parts[3]) == std::vector<std::int32_t>{0});
}

}  // namespace
}  // namespace lapscope::reports
