#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// A profile in both forms that XProf writes, from one description of it.
namespace lapscope::test {

using StatValue = std::variant<std::uint64_t, std::string>;

struct WrittenEvent {
  std::string name;
  std::int64_t start_ps = 0;  // since the session
  std::int64_t duration_ps = 0;
  std::vector<std::pair<std::string, StatValue>> stats = {};
};

struct WrittenLine {
  std::int64_t id = 0;
  std::string name;
  std::vector<WrittenEvent> events;
  std::int64_t start_ns = 0;  // of XSpace: what events count from
};

struct WrittenPlane {
  std::string name;
  std::vector<WrittenLine> lines = {};
  std::vector<std::pair<std::string, StatValue>> stats = {};
};

struct WrittenProfile {
  std::vector<WrittenPlane> planes;
  std::string host = {};
  std::string warning = {};
  std::string error = {};
};

// XSpace, with texts of details as references, as XProf does it.
std::string xspace(const WrittenProfile& profile);
// The JSON that XProf makes of it: planes and lines first, all arguments as texts.
std::string profile_json(const WrittenProfile& profile);

// The parts of a protobuf message: a field with an integer, and one with bytes.
std::string field(int number, std::uint64_t value);
std::string field(int number, std::string_view bytes);

}  // namespace lapscope::test
