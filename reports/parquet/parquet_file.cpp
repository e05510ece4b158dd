#include "reports/parquet/parquet_file.h"

#include <zlib.h>

#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "reports/parquet/thrift.h"

// The numbers below come from parquet.thrift (apache/parquet-format).
namespace lapscope::reports {
namespace {

constexpr std::string_view magic = "PAR1";
constexpr std::int64_t rows_of_group = 1 << 17;
// A row group ends when the values of one of its columns reach this size. Each column of a row
// group is one page, and readers store the size of a page in 32 bits.
constexpr std::size_t bytes_of_group = std::size_t{1} << 28;
constexpr std::int32_t plain_encoding = 0;
constexpr std::int32_t rle_encoding = 3;
constexpr std::int32_t gzip_codec = 2;

static_assert(std::endian::native == std::endian::little);

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// Returns one-bit levels in run-length encoding, preceded by the size of the encoded levels.
std::string packed_levels(const std::string& levels) {
  std::string runs;
  for (std::size_t row = 0; row < levels.size();) {
    std::size_t next = levels.find_first_not_of(levels[row], row);
    if (next == std::string::npos) next = levels.size();
    runs += ThriftStruct::varint((next - row) << 1) + levels[row];
    row = next;
  }
  return bytes_of(static_cast<std::uint32_t>(runs.size())) + runs;
}

std::string gzip(const std::string& plain) {
  constexpr int gzip_header = 16;
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + gzip_header, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::runtime_error("there is no memory to pack a table with.");
  }
  std::string packed(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::int32_t physical_type(ParquetType type) { return type == ParquetType::int64 ? 2 : 6; }

ThriftStruct schema_of(const ParquetColumn& column) {
  constexpr std::int32_t optional = 1;
  constexpr std::int32_t utf8 = 0;
  ThriftStruct element;
  element.i32(1, physical_type(column.type)).i32(3, optional).text(4, column.name);
  if (column.type == ParquetType::text) element.i32(6, utf8);
  return element;
}

}  // namespace

ParquetFile::ParquetFile(std::ostream& out, std::vector<ParquetColumn> columns)
    : out_(out), columns_(std::move(columns)), values_(columns_.size()) {
  put(magic);
}

void ParquetFile::put(std::string_view bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  written_ += static_cast<std::int64_t>(bytes.size());
}

void ParquetFile::add(std::optional<std::int64_t> value) {
  if (value) values_[column_].plain += bytes_of(*value);
  add_level(value.has_value());
}

void ParquetFile::add(std::optional<std::string_view> text) {
  if (text) {
    values_[column_].plain += bytes_of(static_cast<std::uint32_t>(text->size()));
    values_[column_].plain += *text;
  }
  add_level(text.has_value());
}

void ParquetFile::add_level(bool is_there) {
  Values& values = values_[column_];
  values.levels += is_there ? '\1' : '\0';
  const bool is_full = static_cast<std::int64_t>(values.levels.size()) >= rows_of_group;
  bool is_large = false;
  for (const Values& of_column : values_) is_large |= of_column.plain.size() >= bytes_of_group;
  column_ = (column_ + 1) % columns_.size();
  if (column_ == 0 && (is_full || is_large)) write_group();
}

ParquetFile::Chunk ParquetFile::write_page(const Values& values) {
  const std::string plain = packed_levels(values.levels) + values.plain;
  const std::string packed = gzip(plain);
  ThriftStruct of_data;
  of_data.i32(1, static_cast<std::int32_t>(values.levels.size()))
      .i32(2, plain_encoding)
      .i32(3, rle_encoding)
      .i32(4, rle_encoding);
  ThriftStruct header;
  header.i32(1, 0)
      .i32(2, static_cast<std::int32_t>(plain.size()))
      .i32(3, static_cast<std::int32_t>(packed.size()))
      .structure(5, of_data);
  const std::string head = header.bytes();
  const auto of_head = static_cast<std::int64_t>(head.size());
  const Chunk chunk{written_, of_head + static_cast<std::int64_t>(plain.size()),
                    of_head + static_cast<std::int64_t>(packed.size())};
  put(head);
  put(packed);
  return chunk;
}

void ParquetFile::write_group() {
  Group group;
  group.rows = static_cast<std::int64_t>(values_.front().levels.size());
  for (Values& values : values_) {
    group.chunks.push_back(write_page(values));
    values = {};
  }
  groups_.push_back(std::move(group));
}

std::string ParquetFile::footer() const {
  ThriftStruct root;
  root.text(4, "schema").i32(5, static_cast<std::int32_t>(columns_.size()));
  std::vector<ThriftStruct> schema{root};
  for (const ParquetColumn& column : columns_) schema.push_back(schema_of(column));
  std::int64_t rows = 0;
  std::vector<ThriftStruct> groups;
  for (const Group& group : groups_) {
    rows += group.rows;
    std::int64_t bytes = 0;
    std::vector<ThriftStruct> chunks;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const Chunk& chunk = group.chunks[column];
      bytes += chunk.plain_bytes;
      ThriftStruct about;
      about.i32(1, physical_type(columns_[column].type))
          .i32s(2, {plain_encoding, rle_encoding})
          .texts(3, {columns_[column].name})
          .i32(4, gzip_codec)
          .i64(5, group.rows)
          .i64(6, chunk.plain_bytes)
          .i64(7, chunk.packed_bytes)
          .i64(9, chunk.offset);
      ThriftStruct place;
      place.i64(2, chunk.offset).structure(3, about);
      chunks.push_back(place);
    }
    ThriftStruct of_group;
    of_group.structures(1, chunks).i64(2, bytes).i64(3, group.rows);
    groups.push_back(of_group);
  }
  ThriftStruct file;
  file.i32(1, 1).structures(2, schema).i64(3, rows).structures(4, groups).text(6, "lapscope");
  return file.bytes();
}

void ParquetFile::finish() {
  if (!values_.front().levels.empty()) write_group();
  const std::string end = footer();
  put(end);
  put(bytes_of(static_cast<std::uint32_t>(end.size())));
  put(magic);
}

}  // namespace lapscope::reports
