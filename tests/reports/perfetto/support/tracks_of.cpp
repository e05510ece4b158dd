#include "tests/reports/perfetto/support/tracks_of.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <vector>

namespace lapscope::test {
namespace {

// A field of a protobuf message. A varint is in `value`. All other content is in `bytes`.
struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;
  std::string_view bytes;
};

std::uint64_t take_varint(std::string_view& from) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; !from.empty() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(from.front());
    from.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  throw std::runtime_error("a number is cut off");
}

std::vector<Field> fields_of(std::string_view message) {
  std::vector<Field> fields;
  while (!message.empty()) {
    const std::uint64_t tag = take_varint(message);
    Field field{tag >> 3U, 0, {}};
    std::size_t size = 0;
    switch (tag & 7U) {
      case 0:
        field.value = take_varint(message);
        break;
      case 1:
        size = 8;
        break;
      case 2:
        size = take_varint(message);
        break;
      case 5:
        size = 4;
        break;
      default:
        throw std::runtime_error("a field of unknown kind");
    }
    if (size > message.size()) throw std::runtime_error("a field is cut off");
    field.bytes = message.substr(0, size);
    message.remove_prefix(size);
    fields.push_back(field);
  }
  return fields;
}

struct Track {
  std::string name;
  std::uint64_t parent = 0;
  std::uint64_t slices = 0;
  std::uint64_t values = 0;
  std::uint64_t first = UINT64_MAX;
  std::uint64_t last = 0;
};

// This class uses the field numbers of protos/perfetto/trace, as packets.cpp does.
class Tracks {
 public:
  explicit Tracks(std::string_view trace) {
    for (const Field& packet : fields_of(trace)) {
      std::uint64_t time = 0;
      for (const Field& field : fields_of(packet.bytes)) {
        if (field.number == 8) time = field.value;
        if (field.number == 60) describe(field.bytes);
        if (field.number == 11) event(field.bytes, time);
      }
    }
  }

  std::string below(std::uint64_t parent, std::size_t indent) const {
    std::string text;
    for (const auto& [uuid, track] : tracks_) {
      if (track.parent != parent) continue;
      text += std::string(indent, ' ') + track.name;
      if (track.slices > 0) text += ": " + std::to_string(track.slices) + " slices";
      if (track.values > 0) text += ": " + std::to_string(track.values) + " values";
      if (track.last > 0) {
        text += ", " + std::to_string(track.first) + " to " + std::to_string(track.last);
      }
      text += "\n" + below(uuid, indent + 2);
    }
    return text;
  }

 private:
  void describe(std::string_view message) {
    Track track;
    std::uint64_t uuid = 0;
    for (const Field& field : fields_of(message)) {
      if (field.number == 1) uuid = field.value;
      if (field.number == 2) track.name = field.bytes;
      if (field.number == 5) track.parent = field.value;
    }
    tracks_.emplace(uuid, track);
  }

  void event(std::string_view message, std::uint64_t time) {
    std::uint64_t uuid = 0;
    std::uint64_t type = 0;
    for (const Field& field : fields_of(message)) {
      if (field.number == 9) type = field.value;
      if (field.number == 11) uuid = field.value;
    }
    Track& track = tracks_.at(uuid);
    if (type == 1) ++track.slices;
    if (type == 4) ++track.values;
    track.first = std::min(track.first, time);
    track.last = std::max(track.last, time);
  }

  std::map<std::uint64_t, Track> tracks_;
};

// A checksum of a trace without its sentences. Other files have the approved sentences.
class Checksum {
 public:
  explicit Checksum(std::string_view trace) { add(trace, 0, 0); }
  std::uint64_t value() const { return value_; }

 private:
  // Adds the fields of a message. The outer message has it in its field number `in`.
  void add(std::string_view message, std::uint64_t in, int depth) {
    for (const Field& field : fields_of(message)) {
      add(field.number);
      add(field.value);
      if (has_fields(field.number, in, depth)) {
        add(field.bytes, field.number, depth + 1);
      } else if (!is_sentence(field.bytes)) {
        for (const char c : field.bytes) add(static_cast<unsigned char>(c));
      }
    }
  }
  void add(std::uint64_t number) { value_ = (value_ ^ number) * 1099511628211U; }  // FNV-1a

  // Packets have descriptors of tracks, events and interned data. Events have annotations.
  static bool has_fields(std::uint64_t number, std::uint64_t in, int depth) {
    if (depth == 0) return true;  // a packet
    if (depth == 1) return number == 60 || number == 11 || number == 12;
    return depth == 2 && (in == 12 || (in == 11 && number == 4));
  }
  static bool is_sentence(std::string_view text) { return std::ranges::count(text, ' ') >= 3; }

  std::uint64_t value_ = 14695981039346656037U;
};

}  // namespace

std::string tracks_of(std::string_view trace) {
  return Tracks(trace).below(0, 0) + "checksum " + std::to_string(Checksum(trace).value()) + "\n";
}

}  // namespace lapscope::test
