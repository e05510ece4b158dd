#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lapscope::reports {

// A protocol buffer message being written: fields by their numbers, in the wire format.
class ProtoMessage {
 public:
  void add(std::uint32_t field, std::uint64_t value);  // uint32, uint64, bool, enum
  void add_signed(std::uint32_t field, std::int64_t value);
  void add_fixed64(std::uint32_t field, std::uint64_t value);
  void add_double(std::uint32_t field, double value);
  void add(std::uint32_t field, std::string_view bytes);  // string, bytes
  void add(std::uint32_t field, const ProtoMessage& message) { add(field, message.bytes()); }

  std::string_view bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  void append_varint(std::uint64_t value);

  std::string bytes_;
};

}  // namespace lapscope::reports
