#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

// Tables as Apache Parquet: what DuckDB, Polars, pandas and Spark read. The library that writes
// such files, Arrow's, is larger than lapscope and in no package of the systems that it is built
// on.
namespace lapscope::reports {

enum class ParquetType { int64, text };

struct ParquetColumn {
  std::string name;
  ParquetType type = ParquetType::int64;
};

// One file, written as rows come: pages of plain values, packed by gzip. Every value may be
// missing.
class ParquetFile {
 public:
  // `out` must outlive it, and be empty.
  ParquetFile(std::ostream& out, std::vector<ParquetColumn> columns);

  // A row is a value for each column, in their order and of their types.
  void add(std::optional<std::int64_t> value);
  void add(std::optional<std::string_view> text);

  // Writes what is left and the end of the file. Errors are those of `out`.
  void finish();

 private:
  // What a column has in the group of rows that is being filled.
  struct Values {
    std::string levels;  // a byte for each row: 1, or 0 where there is no value
    std::string plain;
  };
  struct Chunk {
    std::int64_t offset = 0;  // of the page in the file
    std::int64_t plain_bytes = 0;
    std::int64_t packed_bytes = 0;
  };
  struct Group {
    std::int64_t rows = 0;
    std::vector<Chunk> chunks;  // by column
  };

  void put(std::string_view bytes);
  void add_level(bool is_there);
  Chunk write_page(const Values& values);
  void write_group();
  std::string footer() const;

  std::ostream& out_;
  std::vector<ParquetColumn> columns_;
  std::vector<Values> values_;
  std::vector<Group> groups_;
  std::size_t column_ = 0;  // whose value comes next
  std::int64_t written_ = 0;
};

}  // namespace lapscope::reports
