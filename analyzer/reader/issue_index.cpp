#include "analyzer/reader/issue_index.h"

#include <algorithm>

#include "analyzer/model/ops.h"

namespace lapscope::analyzer {

void IssueIndex::add(std::uint32_t pid, std::uint32_t correlation, std::uint32_t call) {
  processes_[pid].added.push_back({correlation, call});
}

void IssueIndex::build() {
  for (auto& [pid, process] : processes_) {
    const auto [least, most] = std::minmax_element(
        process.added.begin(), process.added.end(),
        [](const Entry& a, const Entry& b) { return a.correlation < b.correlation; });
    process.least = least->correlation;
    const std::size_t span = std::size_t{most->correlation} - least->correlation + 1;
    if (span <= 4 * process.added.size() + 1024) {
      process.table.assign(span, no_index);
      for (const Entry& entry : process.added) {
        process.table[entry.correlation - process.least] = entry.call;
      }
    } else {
      for (const Entry& entry : process.added) process.sparse[entry.correlation] = entry.call;
    }
    process.added = {};
  }
}

std::uint32_t IssueIndex::find(std::uint32_t pid, std::uint32_t correlation) const {
  const auto found = processes_.find(pid);
  if (found == processes_.end()) return no_index;
  const Process& process = found->second;
  if (process.table.empty()) {
    const auto entry = process.sparse.find(correlation);
    return entry == process.sparse.end() ? no_index : entry->second;
  }
  const std::uint32_t offset =
      correlation - process.least;  // wraps below the least: out of range too
  return offset < process.table.size() ? process.table[offset] : no_index;
}

}  // namespace lapscope::analyzer
