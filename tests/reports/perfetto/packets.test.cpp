#include <zlib.h>

#include <sstream>

#include "reports/perfetto/packets.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

std::uint64_t take_number(std::string_view& from) {
  std::uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(from.at(0));
    from.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
}

// Removes a message or text from the begin of `from`, and returns it.
std::string_view take_bytes(std::string_view& from, std::uint64_t field) {
  REQUIRE(take_number(from) == (field << 3U | 2U));
  const std::size_t size = take_number(from);
  REQUIRE(size <= from.size());
  const std::string_view bytes = from.substr(0, size);
  from.remove_prefix(size);
  return bytes;
}

std::string inflated(std::string_view bytes) {
  std::string all(PacketStream::batch_bytes, '\0');
  auto size = static_cast<uLongf>(all.size());
  REQUIRE(::uncompress(reinterpret_cast<Bytef*>(all.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data()),
                       static_cast<uLong>(bytes.size())) == Z_OK);
  all.resize(size);
  return all;
}

// Returns different packets of about 1 KiB.
std::string packet_number(std::size_t number) {
  ProtoMessage message;
  message.add(2, std::to_string(number * 2654435761U) + std::string(1000, 'x'));
  ProtoMessage framed;
  framed.add(1, message);
  return std::string(framed.bytes());
}

TEST_CASE("packets of a small trace are written as they are") {
  std::ostringstream out;
  PacketStream stream(out);
  for (std::size_t i = 0; i < 3; ++i) stream.add(packet_number(i));
  stream.finish();
  CHECK(out.str() == packet_number(0) + packet_number(1) + packet_number(2));
}

TEST_CASE("packets of a large trace are deflated in batches that keep their order") {
  std::ostringstream out;
  PacketStream stream(out);
  std::string all;
  for (std::size_t i = 0; all.size() < 5 * PacketStream::batch_bytes / 2; ++i) {
    const std::string packet = packet_number(i);
    stream.add(packet);
    all += packet;
  }
  stream.finish();
  const std::string written = out.str();
  CHECK(written.size() < all.size() / 10);
  std::string_view left = written;
  std::string told;
  std::size_t batches = 0;
  for (; !left.empty(); ++batches) {
    std::string_view packet = take_bytes(left, 1);
    told += inflated(take_bytes(packet, 50));
    REQUIRE(packet.empty());
  }
  CHECK(batches == 3);
  CHECK((told == all));
}

}  // namespace

}  // namespace lapscope::reports
