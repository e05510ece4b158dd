#include "reports/parquet/parquet_file.h"

#include <cstring>
#include <sstream>

#include "reports/parquet/thrift.h"
#include "tests/catch.h"

// tests/python/queries_test.py reads such files with the usual libraries.
namespace lapscope::reports {
namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

std::uint32_t footer_size(const std::string& file) {
  std::uint32_t size = 0;
  std::memcpy(&size, file.data() + file.size() - 8, sizeof size);
  return size;
}

TEST_CASE("Thrift's compact protocol: ids as differences, integers zigzag, sizes in front",
          "[parquet]") {
  CHECK(ThriftStruct::varint(0) == bytes({0}));
  CHECK(ThriftStruct::varint(127) == bytes({0x7F}));
  CHECK(ThriftStruct::varint(300) == bytes({0xAC, 0x02}));
  ThriftStruct inner;
  inner.i32(2, -1);
  ThriftStruct outer;
  outer.i32(1, 1).i64(4, 150).text(5, "ab").structure(7, inner).i32s(8, {0, 3});
  CHECK(outer.bytes() == bytes({0x15, 2, 0x36, 0xAC, 0x02, 0x18, 2, 'a', 'b', 0x2C, 0x25, 1, 0,
                                0x19, 0x25, 0, 6, 0}));
  ThriftStruct lists;
  lists.structures(1, {inner}).texts(2, std::vector<std::string>(15, "x"));
  const std::string written = lists.bytes();
  CHECK(written.substr(0, 5) == bytes({0x19, 0x1C, 0x25, 1, 0}));
  CHECK(written.substr(5, 3) == bytes({0x19, 0xF8, 15}));  // a size of 15 or more follows
}

TEST_CASE("a file begins and ends as Parquet, with its footer's size", "[parquet]") {
  std::ostringstream out;
  ParquetFile file(out, {{"ns", ParquetType::int64}, {"name", ParquetType::text}});
  for (int row = 0; row < 3; ++row) {
    file.add(row == 1 ? std::nullopt : std::optional<std::int64_t>(row));
    file.add(std::optional<std::string_view>("scan"));
  }
  file.finish();
  const std::string written = out.str();
  CHECK(written.starts_with("PAR1"));
  CHECK(written.ends_with("PAR1"));
  const std::string footer = written.substr(written.size() - 8 - footer_size(written));
  CHECK(footer.substr(0, 2) == bytes({0x15, 2}));  // version 1
  CHECK(footer.find("name") != std::string::npos);
}

TEST_CASE("rows go to the file in groups, not at the end", "[parquet]") {
  std::ostringstream out;
  ParquetFile file(out, {{"ns", ParquetType::int64}});
  for (std::int64_t row = 0; row < 1 << 17; ++row) file.add(std::optional(row * 1'000'003));
  const std::size_t of_first_group = out.str().size();
  CHECK(of_first_group > 1 << 17);
  file.add(std::optional<std::int64_t>(1));
  CHECK(out.str().size() == of_first_group);
  file.finish();
  CHECK(out.str().size() > of_first_group);
}

TEST_CASE("a table without rows is a file, too", "[parquet]") {
  std::ostringstream out;
  ParquetFile file(out, {{"ns", ParquetType::int64}});
  file.finish();
  CHECK(out.str().size() == 4 + footer_size(out.str()) + 8);
}

}  // namespace
}  // namespace lapscope::reports
