#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analyzer/model/calls.h"

namespace lapscope::analyzer {

// Finds the call that issued an op. Correlation ids are unique in a process only, so the key is the
// process and the id. Ids of a process are handed out in order, which a plain table serves best; a
// table is used unless ids are so far apart that it would be mostly empty.
class IssueIndex {
 public:
  IssueIndex() = default;
  // `correlations` has an entry per call, 0 for none. If calls have the same id, the outermost
  // counts; if none of them lies in the other, the id has no meaning and finds nothing.
  IssueIndex(const Calls& calls, const std::vector<std::uint32_t>& correlations);

  // no_index when there is no such call.
  std::uint32_t find(std::uint32_t pid, std::uint32_t correlation) const;
  // Whether the id was handed out between two calls of the process that are there.
  bool is_among(std::uint32_t pid, std::uint32_t correlation) const;
  // Calls whose id another call has, too.
  const std::vector<std::uint32_t>& ambiguous() const { return ambiguous_; }
  // The calls that have this id: what else is known of a record may show which call it belongs to.
  std::vector<std::uint32_t> sharing(std::uint32_t pid, std::uint32_t correlation) const;

 private:
  struct Process {
    std::uint32_t least = 0xFFFFFFFF;
    std::uint32_t most = 0;
    std::size_t calls = 0;
    std::vector<std::uint32_t> table;                         // by correlation - least
    std::unordered_map<std::uint32_t, std::uint32_t> sparse;  // when a table would be mostly empty

    void reserve();
    std::uint32_t& at(std::uint32_t correlation);  // made when there is none
  };
  std::map<std::uint32_t, Process> processes_;
  std::vector<std::uint32_t> ambiguous_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> shared_;
};

}  // namespace lapscope::analyzer
