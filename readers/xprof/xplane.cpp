#include "readers/xprof/xplane.h"

namespace lapscope::xprof {
namespace {

using protozero::pbf_reader;
using protozero::tag_and_type;

// Reads a map entry: passes the key and the fields of the value to `take`.
template <class Take>
void read_entry(pbf_reader entry, Take&& take) {
  std::int64_t key = 0;
  std::optional<pbf_reader> value;
  while (entry.next()) {
    switch (entry.tag_and_type()) {
      case tag_and_type(1, varint):
        key = entry.get_int64();
        break;
      case tag_and_type(2, bytes):
        value = entry.get_message();
        break;
      default:
        entry.skip();
    }
  }
  if (value) take(key, *value);
}

Plane::EventKind event_kind(pbf_reader metadata) {
  Plane::EventKind kind;
  while (metadata.next()) {
    switch (metadata.tag_and_type()) {
      case tag_and_type(2, bytes):
        kind.name = text_of(metadata);
        break;
      case tag_and_type(5, bytes):
        kind.stats.push_back(metadata.get_message());
        break;
      default:
        metadata.skip();
    }
  }
  return kind;
}

std::string_view name_in(pbf_reader message) {
  std::string_view name;
  while (message.next()) {
    if (message.tag_and_type() == tag_and_type(2, bytes)) {
      name = text_of(message);
    } else {
      message.skip();
    }
  }
  return name;
}

}  // namespace

std::string_view text_of(pbf_reader& message) {
  const auto view = message.get_view();
  return {view.data(), view.size()};
}

std::string_view Plane::stat_name(std::int64_t id) const {
  const auto found = stat_names.find(id);
  return found == stat_names.end() ? std::string_view() : found->second;
}

Plane plane_of(pbf_reader message) {
  Plane plane;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(2, bytes):
        plane.name = text_of(message);
        break;
      case tag_and_type(4, bytes):
        read_entry(message.get_message(), [&plane](std::int64_t id, const pbf_reader& metadata) {
          plane.event_kinds[id] = event_kind(metadata);
        });
        break;
      case tag_and_type(5, bytes):
        read_entry(message.get_message(), [&plane](std::int64_t id, const pbf_reader& metadata) {
          plane.stat_names[id] = name_in(metadata);
        });
        break;
      case tag_and_type(6, bytes):
        plane.stats.push_back(message.get_message());
        break;
      default:
        message.skip();
    }
  }
  return plane;
}

Stat StatReader::read(pbf_reader message) {
  Stat stat;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, varint):
        stat.name = plane_.stat_name(message.get_int64());
        break;
      case tag_and_type(3, varint):
      case tag_and_type(4, varint):
        stat.number = message.get_int64();
        break;
      case tag_and_type(5, bytes):
        stat.text = text_of(message);
        break;
      case tag_and_type(7, varint):
        stat.text = plane_.stat_name(message.get_int64());
        break;
      default:
        message.skip();
    }
  }
  if (stat.number) stat.text = digits_ = std::to_string(*stat.number);
  return stat;
}

}  // namespace lapscope::xprof
