#include "tests/readers/xprof/written_profile.h"

#include <cstdint>
#include <map>
#include <string>

namespace lapscope::test {
namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

// Numbers the names of a plane in the order of their first use.
class Names {
 public:
  std::uint64_t id(const std::string& name) {
    return ids_.try_emplace(name, ids_.size() + 1).first->second;
  }
  // Encodes the names as XSpace does: a map from ids to metadata.
  std::string map(int number) const {
    std::string all;
    for (const auto& [name, id] : ids_) {
      all += field(number, field(1, id) + field(2, field(1, id) + field(2, name)));
    }
    return all;
  }

 private:
  std::map<std::string, std::uint64_t> ids_;
};

std::string stat(const std::string& name, const StatValue& value, Names& names) {
  std::string message = field(1, names.id(name));
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return message + field(3, *number);
  const std::string& text = std::get<std::string>(value);
  const bool is_reference = name.ends_with("_details");
  return message + (is_reference ? field(7, names.id(text)) : field(5, text));
}

std::string plane(const WrittenPlane& plane) {
  Names events;
  Names stats;
  std::string lines;
  for (const WrittenLine& line : plane.lines) {
    std::string message = field(1, static_cast<std::uint64_t>(line.id)) + field(2, line.name) +
                          field(3, static_cast<std::uint64_t>(line.start_ns));
    for (const WrittenEvent& event : line.events) {
      std::string fields = field(1, events.id(event.name));
      // Zeros are not written.
      const std::int64_t offset = event.start_ps - line.start_ns * 1000;
      if (offset != 0) fields += field(2, static_cast<std::uint64_t>(offset));
      fields += field(3, static_cast<std::uint64_t>(event.duration_ps));
      for (const auto& [name, value] : event.stats) fields += field(4, stat(name, value, stats));
      message += field(4, fields);
    }
    lines += field(3, message);
  }
  std::string own;
  for (const auto& [name, value] : plane.stats) own += field(6, stat(name, value, stats));
  return field(2, plane.name) + lines + events.map(4) + stats.map(5) + own;
}

std::string microseconds(std::int64_t ps) {
  std::string digits = std::to_string(ps % 1'000'000);
  digits.insert(0, 6 - digits.size(), '0');
  return std::to_string(ps / 1'000'000) + "." + digits;
}

std::string text_of(const StatValue& value) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

std::string named(const std::string& track, const char* what, const std::string& name) {
  return R"({"ph":"M",)" + track + R"(,"name":")" + what + R"(","args":{"name":")" + name + "\"}},";
}

}  // namespace

std::string field(int number, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(number) << 3) + varint(value);
}

std::string field(int number, std::string_view bytes) {
  return varint(static_cast<std::uint64_t>(number) << 3 | 2) + varint(bytes.size()) +
         std::string(bytes);
}

std::string xspace(const WrittenProfile& profile) {
  std::string space;
  for (const WrittenPlane& one : profile.planes) space += field(1, plane(one));
  if (!profile.error.empty()) space += field(2, profile.error);
  if (!profile.warning.empty()) space += field(3, profile.warning);
  if (!profile.host.empty()) space += field(4, profile.host);
  return space;
}

std::string profile_json(const WrittenProfile& profile) {
  std::string names;
  std::string events;
  int pid = 0;
  for (const WrittenPlane& plane : profile.planes) {
    const std::string process = "\"pid\":" + std::to_string(++pid);
    names += named(process, "process_name", plane.name);
    for (const WrittenLine& line : plane.lines) {
      const std::string track =
          process + ",\"tid\":" + std::to_string(static_cast<std::uint32_t>(line.id));
      names += named(track, "thread_name", line.name);
      for (const WrittenEvent& event : line.events) {
        events += R"({"ph":"X",)" + track + ",\"ts\":" + microseconds(event.start_ps) +
                  ",\"dur\":" + microseconds(event.duration_ps) + ",\"name\":\"" + event.name +
                  "\"";
        std::string args;
        for (const auto& [name, value] : event.stats) {
          args +=
              std::string(args.empty() ? "" : ",") + "\"" + name + "\":\"" + text_of(value) + "\"";
        }
        events += args.empty() ? "}," : ",\"args\":{" + args + "}},";
      }
    }
  }
  return R"({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[)" + names +
         events + "{}]}";
}

}  // namespace lapscope::test
