#include "reports/perfetto/proto_message.h"

#include <bit>

namespace lapscope::reports {
namespace {

enum WireType : std::uint32_t { varint = 0, fixed64 = 1, length_delimited = 2 };

}  // namespace

void ProtoMessage::append_varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>((value & 0x7FU) | 0x80U);
  bytes_ += static_cast<char>(value);
}

void ProtoMessage::add(std::uint32_t field, std::uint64_t value) {
  append_varint(field << 3U | varint);
  append_varint(value);
}

void ProtoMessage::add_signed(std::uint32_t field, std::int64_t value) {
  add(field, static_cast<std::uint64_t>(value));
}

void ProtoMessage::add_fixed64(std::uint32_t field, std::uint64_t value) {
  append_varint(field << 3U | fixed64);
  for (unsigned shift = 0; shift < 64; shift += 8) {
    bytes_ += static_cast<char>(value >> shift & 0xFFU);
  }
}

void ProtoMessage::add_double(std::uint32_t field, double value) {
  add_fixed64(field, std::bit_cast<std::uint64_t>(value));
}

void ProtoMessage::add(std::uint32_t field, std::string_view bytes) {
  append_varint(field << 3U | length_delimited);
  append_varint(bytes.size());
  bytes_ += bytes;
}

}  // namespace lapscope::reports
