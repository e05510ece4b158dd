#pragma once

#include <cstdint>
#include <deque>
#include <future>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_map>

#include "analyzer/intervals/units.h"

namespace lapscope::reports {

// Builds a protocol buffer message in the wire format. Fields are given by their numbers.
class ProtoMessage {
 public:
  void add(std::uint32_t field, std::uint64_t value);  // uint32, uint64, bool, enum
  void add_signed(std::uint32_t field, std::int64_t value);
  void add_fixed64(std::uint32_t field, std::uint64_t value);
  void add_double(std::uint32_t field, double value);
  void add(std::uint32_t field, std::string_view bytes);  // string, bytes
  void add(std::uint32_t field, const ProtoMessage& message) { add(field, message.bytes()); }

  std::string_view bytes() const { return bytes_; }

 private:
  void append_varint(std::uint64_t value);

  std::string bytes_;
};

// Writes packets to a file. If there is more than one batch, each batch is compressed by its own
// thread. Perfetto's recorder compresses packets in the same way, so its tools can read them. A
// single batch is not compressed, so that decoders without decompression can read small traces.
class PacketStream {
 public:
  static constexpr std::size_t batch_bytes = std::size_t{4} << 20U;

  explicit PacketStream(std::ostream& out) : out_(out) {}

  // Adds a packet, preceded by its tag and length. Throws the exceptions of finish().
  void add(std::string_view packet);

  // Writes the remaining packets. Must be called at the end. Throws std::runtime_error if there is
  // not enough memory.
  void finish();

 private:
  void begin_batch();
  void write_first();

  std::ostream& out_;
  std::string batch_;
  std::deque<std::future<std::string>> deflating_;  // in the order of the file
  bool is_deflated_ = false;
};

// Writes the packets of a Perfetto trace (google/perfetto, protos/perfetto/trace): tracks, slices
// and counter values. Each event name is written once and then referred to by number. Times are in
// ns. Call finish() at the end.
class PerfettoPackets {
 public:
  explicit PerfettoPackets(std::ostream& out);

  // Adds `ns` to the times of all later packets.
  void shift_by(analyzer::Ns ns) { shift_ = ns; }

  using Track = std::uint64_t;
  static constexpr Track no_track = 0;

  Track add_track(std::string_view name, Track parent);
  Track add_process(std::string_view name, std::int32_t pid);
  Track add_thread(std::string_view name, std::int32_t pid, std::int32_t tid);
  Track add_counter(std::string_view name, Track parent);

  // Set the flows and annotations of the next slice. begin() writes them with this slice only.
  void leads_to(std::uint64_t flow);
  void comes_from(std::uint64_t flow);
  void annotate(std::string_view name, std::string_view value);
  void annotate(std::string_view name, std::int64_t value);
  void begin(Track track, analyzer::Ns time, std::string_view name);
  void end(Track track, analyzer::Ns time);

  void count(Track counter, analyzer::Ns time, double value);

  // Throws what PacketStream::finish() throws.
  void finish() { out_.finish(); }

 private:
  Track add_descriptor(ProtoMessage& descriptor, std::string_view name, Track parent,
                       std::uint64_t sequence);
  void write(ProtoMessage& packet, std::uint64_t sequence);
  // Writes an event with these fields at an instant. `message` has the other fields of the packet.
  void write_event(analyzer::Ns time, const ProtoMessage& fields, ProtoMessage message = {});

  PacketStream out_;
  analyzer::Ns shift_ = 0;
  Track last_track_ = no_track;
  ProtoMessage next_;  // TrackEvent for the next begin()
  std::unordered_map<std::string, std::uint64_t> names_;
};

}  // namespace lapscope::reports
