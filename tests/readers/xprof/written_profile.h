#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Writes a profile in the two file formats of XProf.
namespace lapscope::test {

using StatValue = std::variant<std::uint64_t, std::string>;

struct WrittenEvent {
  std::string name;
  std::int64_t start_ps = 0;  // since the session start
  std::int64_t duration_ps = 0;
  std::vector<std::pair<std::string, StatValue>> stats = {};
};

struct WrittenLine {
  std::int64_t id = 0;
  std::string name;
  std::vector<WrittenEvent> events;
  std::int64_t start_ns = 0;  // XSpace counts events from here
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

// Returns the profile as XSpace. Texts of details are references, as in XProf.
std::string xspace(const WrittenProfile& profile);
// Returns the profile as XProf's JSON: planes and lines first, and all arguments as texts.
std::string profile_json(const WrittenProfile& profile);

// Encode a field of a protobuf message: an integer, or bytes.
std::string field(int number, std::uint64_t value);
std::string field(int number, std::string_view bytes);

}  // namespace lapscope::test
