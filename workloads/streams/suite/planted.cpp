#include "workloads/streams/suite/planted.h"

#include <map>

namespace lapscope::workloads::streams {
namespace {

using Lines = std::map<std::string, std::vector<SourceLine>, std::less<>>;

// Returns the planted lines of each case, by the case's name. The map is a local variable because
// lines are added before main() begins.
Lines& all_lines() {
  static Lines lines;
  return lines;
}

// Returns the path from the root of the sources. The part before the root differs between machines.
std::string below_root(std::string_view file) {
  const std::size_t root = file.rfind("workloads/streams/");
  return std::string(root == std::string_view::npos ? file : file.substr(root));
}

}  // namespace

bool note_planted_line(std::string_view names, std::string_view file, int line) {
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    auto& lines = all_lines()[std::string(names.substr(0, comma))];
    lines.insert(std::upper_bound(lines.begin(), lines.end(), SourceLine{below_root(file), line}),
                 SourceLine{below_root(file), line});
    names.remove_prefix(comma);
    names.remove_prefix(std::min(names.find_first_not_of(", "), names.size()));
  }
  return true;
}

std::vector<SourceLine> planted_lines(std::string_view name) {
  const auto found = all_lines().find(name);
  return found == all_lines().end() ? std::vector<SourceLine>{} : found->second;
}

}  // namespace lapscope::workloads::streams
