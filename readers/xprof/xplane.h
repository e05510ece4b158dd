#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// Turns off protozero's assertions: invalid input is reported as an error and must not abort.
#define protozero_assert(condition) static_cast<void>(0)
#include <protozero/pbf_reader.hpp>

// Reads messages of xplane.proto, except lines and events. Each string_view points into the file.
namespace lapscope::xprof {

// The wire types that are read. A field of another type is skipped.
inline constexpr auto bytes = protozero::pbf_wire_type::length_delimited;
inline constexpr auto varint = protozero::pbf_wire_type::varint;

std::string_view text_of(protozero::pbf_reader& message);

// The data of an XPlane, except its lines.
struct Plane {
  struct EventKind {
    std::string_view name;
    std::vector<protozero::pbf_reader> stats;  // shared by all events of this kind
  };
  std::string_view name;
  std::unordered_map<std::int64_t, std::string_view> stat_names;
  std::unordered_map<std::int64_t, EventKind> event_kinds;
  std::vector<protozero::pbf_reader> stats;

  // Returns an empty name for an unknown id.
  std::string_view stat_name(std::int64_t id) const;
};

// Parses an XPlane without its lines. Throws protozero::exception.
Plane plane_of(protozero::pbf_reader message);

// XStat with its name. Values that are neither an integer nor a text are skipped.
struct Stat {
  std::string_view name;
  std::string_view text;  // for a number, its digits
  std::optional<std::int64_t> number;
};

class StatReader {
 public:
  explicit StatReader(const Plane& plane) : plane_(plane) {}

  // Reads one stat. The text of a number is valid until the next call. Throws protozero::exception.
  Stat read(protozero::pbf_reader message);

 private:
  const Plane& plane_;
  std::string digits_;
};

}  // namespace lapscope::xprof
