#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/model/calls.h"

namespace lapscope::analyzer {

// Finds the call that issued an op, by process and correlation id. A process hands out its ids in
// order, so a table by id is mostly full. For sparse ids, a hash map is used.
class IssueIndex {
 public:
  IssueIndex() = default;
  // `correlations` has an entry for each call; 0 means no id. If nested calls have the same id,
  // find() returns the outermost of these calls. If calls that are not nested have the same id,
  // find() returns no_index.
  IssueIndex(const Calls& calls, const std::vector<std::uint32_t>& correlations);

  // Returns no_index if no call has the id.
  std::uint32_t find(std::uint32_t pid, std::uint32_t correlation) const;
  // Returns whether the id lies between the lowest and the highest id of the process's calls.
  bool is_among(std::uint32_t pid, std::uint32_t correlation) const;
  // The calls of ambiguous ids: several calls have the id, and none of them encloses all others.
  // find() returns no_index for such an id.
  const std::vector<std::uint32_t>& ambiguous() const { return ambiguous_; }
  // Returns all calls with this id. Other fields of a record may show which call the record belongs
  // to.
  std::vector<std::uint32_t> sharing(std::uint32_t pid, std::uint32_t correlation) const;

 private:
  struct Process {
    std::uint32_t least = 0xFFFFFFFF;
    std::uint32_t most = 0;
    std::size_t calls = 0;
    std::vector<std::uint32_t> table;                         // by correlation - least
    std::unordered_map<std::uint32_t, std::uint32_t> sparse;  // if a table would be mostly empty

    void reserve();
    std::uint32_t& at(std::uint32_t correlation);  // adds the entry if it is absent
  };
  std::map<std::uint32_t, Process> processes_;
  std::vector<std::uint32_t> ambiguous_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> shared_;
};

}  // namespace lapscope::analyzer
