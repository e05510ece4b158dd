#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

// Writes tables as Apache Parquet, which DuckDB, Polars, pandas and Spark read. Arrow's library for
// Parquet is not used. It is larger than lapscope, and the supported systems have no package of it.
namespace lapscope::reports {

enum class ParquetType { int64, text };

struct ParquetColumn {
  std::string name;
  ParquetType type = ParquetType::int64;
};

// A Parquet file, written row by row, with plain encoding and gzip. All columns are optional.
class ParquetFile {
 public:
  // `out` must be empty and outlive this object.
  ParquetFile(std::ostream& out, std::vector<ParquetColumn> columns);

  // Adds the next value of the current row. Each row has one value for each column, in the order of
  // the columns. The value must have the column's type, or be empty.
  void add(std::optional<std::int64_t> value);
  void add(std::optional<std::string_view> text);

  // Writes the remaining rows and the footer. After an error, `out` is in a failed state.
  void finish();

 private:
  // A column's values in the current row group.
  struct Values {
    std::string levels;  // definition levels, a byte for each row: 1, or 0 if it has no value
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
  std::size_t column_ = 0;  // index of the column of the next value
  std::int64_t written_ = 0;
};

}  // namespace lapscope::reports
