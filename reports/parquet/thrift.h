#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapscope::reports {

// A struct in Apache Thrift's compact protocol, which Parquet uses for the metadata of a file:
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
class ThriftStruct {
 public:
  // Each function adds a field. Add the fields in the order of their ids.
  ThriftStruct& i32(int id, std::int32_t value) { return integer(id, type_i32, value); }
  ThriftStruct& i64(int id, std::int64_t value) { return integer(id, type_i64, value); }
  ThriftStruct& text(int id, std::string_view value) {
    begin(id, type_binary);
    bytes_ += text_bytes(value);
    return *this;
  }
  ThriftStruct& structure(int id, const ThriftStruct& value) {
    begin(id, type_struct);
    bytes_ += value.bytes();
    return *this;
  }
  ThriftStruct& structures(int id, const std::vector<ThriftStruct>& values) {
    begin_list(id, type_struct, values.size());
    for (const ThriftStruct& value : values) bytes_ += value.bytes();
    return *this;
  }
  ThriftStruct& i32s(int id, const std::vector<std::int32_t>& values) {
    begin_list(id, type_i32, values.size());
    for (const std::int32_t value : values) bytes_ += varint(zigzag(value));
    return *this;
  }
  ThriftStruct& texts(int id, const std::vector<std::string>& values) {
    begin_list(id, type_binary, values.size());
    for (const std::string& value : values) bytes_ += text_bytes(value);
    return *this;
  }

  std::string bytes() const { return bytes_ + '\0'; }

  static std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 128; value >>= 7) bytes += static_cast<char>(value | 128);
    return bytes + static_cast<char>(value);
  }

 private:
  static constexpr unsigned type_i32 = 5;
  static constexpr unsigned type_i64 = 6;
  static constexpr unsigned type_binary = 8;
  static constexpr unsigned type_list = 9;
  static constexpr unsigned type_struct = 12;

  static std::uint64_t zigzag(std::int64_t value) {
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
  }
  static std::string text_bytes(std::string_view text) {
    return varint(text.size()) + std::string(text);
  }
  // Requires 1 to 15 for the difference between `id` and the previous id.
  void begin(int id, unsigned type) {
    bytes_ += static_cast<char>(static_cast<unsigned>(id - last_) << 4 | type);
    last_ = id;
  }
  ThriftStruct& integer(int id, unsigned type, std::int64_t value) {
    begin(id, type);
    bytes_ += varint(zigzag(value));
    return *this;
  }
  void begin_list(int id, unsigned type, std::size_t size) {
    begin(id, type_list);
    constexpr std::size_t most_beside_type = 14;
    if (size <= most_beside_type) {
      bytes_ += static_cast<char>(size << 4 | type);
    } else {
      bytes_ += static_cast<char>(0xF0 | type);
      bytes_ += varint(size);
    }
  }

  std::string bytes_;
  int last_ = 0;
};

}  // namespace lapscope::reports
