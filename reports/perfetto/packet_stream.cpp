#include "reports/perfetto/packet_stream.h"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

#include "reports/perfetto/packets.h"

namespace lapscope::reports {
namespace {

// Field numbers as in protos/perfetto/trace.
constexpr std::uint32_t packet_of_trace = 1;
constexpr std::uint32_t compressed_packets = 50;

// Returns a packet that contains the packets of a batch, compressed at the fastest level. With
// higher levels, the result would be a tenth smaller, but compression would take three times as
// long.
std::string deflated_batch(const std::string& packets) {
  const auto size = static_cast<uLong>(packets.size());
  std::string deflated(::compressBound(size), '\0');
  auto written = static_cast<uLongf>(deflated.size());
  if (::compress2(reinterpret_cast<Bytef*>(deflated.data()), &written,
                  reinterpret_cast<const Bytef*>(packets.data()), size, Z_BEST_SPEED) != Z_OK) {
    throw std::runtime_error("the packets of a trace could not be compressed: out of memory.");
  }
  ProtoMessage message;
  message.add(compressed_packets, std::string_view(deflated).substr(0, written));
  ProtoMessage framed;
  framed.add(packet_of_trace, message);
  return std::string(framed.bytes());
}

}  // namespace

void PacketStream::add(std::string_view packet) {
  if (batch_.size() + packet.size() > batch_bytes) begin_batch();
  batch_ += packet;
}

void PacketStream::begin_batch() {
  if (batch_.empty()) return;
  is_deflated_ = true;
  constexpr std::size_t most_at_once = 8;
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  if (deflating_.size() >= std::min(most_at_once, processors)) write_first();
  deflating_.push_back(
      std::async([packets = std::exchange(batch_, {})] { return deflated_batch(packets); }));
  batch_.reserve(batch_bytes);
}

void PacketStream::write_first() {
  out_ << deflating_.front().get();
  deflating_.pop_front();
}

void PacketStream::finish() {
  if (is_deflated_) begin_batch();
  while (!deflating_.empty()) write_first();
  out_ << std::exchange(batch_, {});
}

}  // namespace lapscope::reports
