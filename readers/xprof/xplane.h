#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// What is wrong with an input is an error, not the end of the process.
#define protozero_assert(condition) static_cast<void>(0)
#include <protozero/pbf_reader.hpp>

// Messages of xplane.proto, but lines and events. Texts are those of the file.
namespace lapscope::xprof {

// The types of fields that are read; one of another type is skipped.
inline constexpr auto bytes = protozero::pbf_wire_type::length_delimited;
inline constexpr auto varint = protozero::pbf_wire_type::varint;

std::string_view text_of(protozero::pbf_reader& message);

// XPlane: what is known of it before its lines are read.
struct Plane {
  struct EventKind {
    std::string_view name;
    std::vector<protozero::pbf_reader> stats;  // that all events of the kind share
  };
  std::string_view name;
  std::unordered_map<std::int64_t, std::string_view> stat_names;
  std::unordered_map<std::int64_t, EventKind> event_kinds;
  std::vector<protozero::pbf_reader> stats;

  // Empty for an id that the plane does not have.
  std::string_view stat_name(std::int64_t id) const;
};

// Throws protozero::exception.
Plane plane_of(protozero::pbf_reader message);

// XStat, with the names of its plane. What is neither an integer nor a text has no value.
struct Stat {
  std::string_view name;
  std::string_view text;  // of a number, its digits
  std::optional<std::int64_t> number;
};

class StatReader {
 public:
  explicit StatReader(const Plane& plane) : plane_(plane) {}

  // The text of a number is valid until the next one is read. Throws protozero::exception.
  Stat read(protozero::pbf_reader message);

 private:
  const Plane& plane_;
  std::string digits_;
};

}  // namespace lapscope::xprof
