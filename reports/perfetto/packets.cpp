#include "reports/perfetto/packets.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <thread>
#include <utility>

#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

enum WireType : std::uint32_t { varint = 0, fixed64 = 1, length_delimited = 2 };

// Field numbers of the messages in protos/perfetto/trace.
namespace trace {
constexpr std::uint32_t packet = 1;
}
namespace packet {
constexpr std::uint32_t timestamp = 8;
constexpr std::uint32_t sequence_id = 10;
constexpr std::uint32_t track_event = 11;
constexpr std::uint32_t interned_data = 12;
constexpr std::uint32_t sequence_flags = 13;
constexpr std::uint32_t compressed_packets = 50;
constexpr std::uint32_t track_descriptor = 60;
constexpr std::uint32_t first_on_sequence = 87;
}  // namespace packet
namespace sequence {
constexpr std::uint64_t cleared = 1;
constexpr std::uint64_t needs_state = 2;
}  // namespace sequence
namespace interned {
constexpr std::uint32_t event_names = 2;
constexpr std::uint32_t iid = 1;
constexpr std::uint32_t name = 2;
}  // namespace interned
namespace descriptor {
constexpr std::uint32_t uuid = 1;
constexpr std::uint32_t name = 2;
constexpr std::uint32_t process = 3;
constexpr std::uint32_t thread = 4;
constexpr std::uint32_t parent_uuid = 5;
constexpr std::uint32_t counter = 8;
}  // namespace descriptor
namespace process {
constexpr std::uint32_t pid = 1;
constexpr std::uint32_t name = 6;
}  // namespace process
namespace thread {
constexpr std::uint32_t pid = 1;
constexpr std::uint32_t tid = 2;
constexpr std::uint32_t name = 5;
}  // namespace thread
namespace event {
constexpr std::uint32_t debug_annotations = 4;
constexpr std::uint32_t type = 9;
constexpr std::uint32_t name_iid = 10;
constexpr std::uint32_t track_uuid = 11;
constexpr std::uint32_t double_counter_value = 44;
constexpr std::uint32_t flow_ids = 47;
constexpr std::uint32_t terminating_flow_ids = 48;
constexpr std::uint64_t slice_begin = 1;
constexpr std::uint64_t slice_end = 2;
constexpr std::uint64_t counter = 4;
}  // namespace event
namespace annotation {
constexpr std::uint32_t int_value = 4;
constexpr std::uint32_t string_value = 6;
constexpr std::uint32_t name = 10;
}  // namespace annotation

constexpr std::uint64_t our_sequence = 1;
// A sequence is a series of packets with one ID. If it describes a thread, importers assign all its
// later packets to this thread, and attach the thread's ID even to events that belong to no thread.
// So the sequence that describes threads has no events.
constexpr std::uint64_t sequence_of_threads = 2;

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
  message.add(packet::compressed_packets, std::string_view(deflated).substr(0, written));
  ProtoMessage framed;
  framed.add(trace::packet, message);
  return std::string(framed.bytes());
}

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

PerfettoPackets::PerfettoPackets(std::ostream& out) : out_(out) {
  ProtoMessage first;
  first.add(packet::first_on_sequence, std::uint64_t{1});
  first.add(packet::sequence_flags, sequence::cleared);
  write(first, our_sequence);
}

void PerfettoPackets::write(ProtoMessage& message, std::uint64_t sequence) {
  message.add(packet::sequence_id, sequence);
  ProtoMessage framed;
  framed.add(trace::packet, message);
  out_.add(framed.bytes());
}

void PerfettoPackets::write_event(analyzer::Ns time, const ProtoMessage& fields,
                                  ProtoMessage message) {
  message.add(packet::timestamp, static_cast<std::uint64_t>(time + shift_));
  message.add(packet::track_event, fields);
  write(message, our_sequence);
}

PerfettoPackets::Track PerfettoPackets::add_descriptor(ProtoMessage& message, std::string_view name,
                                                       Track parent, std::uint64_t sequence) {
  message.add(descriptor::uuid, ++last_track_);
  message.add(descriptor::name, printable(name));
  if (parent != no_track) message.add(descriptor::parent_uuid, parent);
  ProtoMessage framed;
  framed.add(packet::track_descriptor, message);
  write(framed, sequence);
  return last_track_;
}

PerfettoPackets::Track PerfettoPackets::add_track(std::string_view name, Track parent) {
  ProtoMessage message;
  return add_descriptor(message, name, parent, our_sequence);
}

PerfettoPackets::Track PerfettoPackets::add_process(std::string_view name, std::int32_t pid) {
  ProtoMessage fields;
  fields.add_signed(process::pid, pid);
  fields.add(process::name, printable(name));
  ProtoMessage message;
  message.add(descriptor::process, fields);
  return add_descriptor(message, name, no_track, our_sequence);
}

PerfettoPackets::Track PerfettoPackets::add_thread(std::string_view name, std::int32_t pid,
                                                   std::int32_t tid) {
  ProtoMessage fields;
  fields.add_signed(thread::pid, pid);
  fields.add_signed(thread::tid, tid);
  fields.add(thread::name, printable(name));
  ProtoMessage message;
  message.add(descriptor::thread, fields);
  return add_descriptor(message, name, no_track, sequence_of_threads);
}

PerfettoPackets::Track PerfettoPackets::add_counter(std::string_view name, Track parent) {
  ProtoMessage message;
  message.add(descriptor::counter, ProtoMessage());
  return add_descriptor(message, name, parent, our_sequence);
}

void PerfettoPackets::leads_to(std::uint64_t flow) { next_.add_fixed64(event::flow_ids, flow); }

void PerfettoPackets::comes_from(std::uint64_t flow) {
  next_.add_fixed64(event::terminating_flow_ids, flow);
}

void PerfettoPackets::annotate(std::string_view name, std::string_view value) {
  ProtoMessage message;
  message.add(annotation::name, name);
  message.add(annotation::string_value, printable(value));
  next_.add(event::debug_annotations, message);
}

void PerfettoPackets::annotate(std::string_view name, std::int64_t value) {
  ProtoMessage message;
  message.add(annotation::name, name);
  message.add_signed(annotation::int_value, value);
  next_.add(event::debug_annotations, message);
}

void PerfettoPackets::begin(Track track, analyzer::Ns time, std::string_view name) {
  ProtoMessage message;
  const auto [known, is_new] = names_.try_emplace(std::string(name), names_.size() + 1);
  if (is_new) {
    ProtoMessage entry;
    entry.add(interned::iid, known->second);
    entry.add(interned::name, printable(name));
    ProtoMessage data;
    data.add(interned::event_names, entry);
    message.add(packet::interned_data, data);
  }
  message.add(packet::sequence_flags, sequence::needs_state);
  next_.add(event::type, event::slice_begin);
  next_.add(event::track_uuid, track);
  next_.add(event::name_iid, known->second);
  write_event(time, std::exchange(next_, {}), std::move(message));
}

void PerfettoPackets::end(Track track, analyzer::Ns time) {
  ProtoMessage fields;
  fields.add(event::type, event::slice_end);
  fields.add(event::track_uuid, track);
  write_event(time, fields);
}

void PerfettoPackets::count(Track counter, analyzer::Ns time, double value) {
  ProtoMessage fields;
  fields.add(event::type, event::counter);
  fields.add(event::track_uuid, counter);
  fields.add_double(event::double_counter_value, value);
  write_event(time, fields);
}

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
