#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace lapscope::analyzer {

// Finds the call that issued an op. Correlation ids are unique in a process only, so the key is the
// process and the id. Ids of a process are handed out in order, which a plain table serves best; a
// table is used unless ids are so far apart that it would be mostly empty.
class IssueIndex {
 public:
  // All calls first. Of two calls with the same id the one added later counts.
  void add(std::uint32_t pid, std::uint32_t correlation, std::uint32_t call);
  // Orders what was added. Must precede find().
  void build();
  // no_index when there is no such call.
  std::uint32_t find(std::uint32_t pid, std::uint32_t correlation) const;

 private:
  struct Entry {
    std::uint32_t correlation;
    std::uint32_t call;
  };
  struct Process {
    std::vector<Entry> added;
    std::uint32_t least = 0;
    std::vector<std::uint32_t> table;                         // by correlation - least
    std::unordered_map<std::uint32_t, std::uint32_t> sparse;  // when a table would be mostly empty
  };
  std::map<std::uint32_t, Process> processes_;
};

}  // namespace lapscope::analyzer
