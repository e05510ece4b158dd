#include "readers/tables/issue_index.h"

#include <algorithm>

#include "analyzer/model/ops.h"
#include "collector/schema/global_id.h"

namespace lapscope::analyzer {
namespace {

constexpr std::uint32_t several = no_index - 1;  // table entry for an id that several calls have

// Returns whether the call `outer` encloses `inner`. A thread runs one call at a time. So a call
// that starts inside another call is part of it, even if it ends later (times may be in whole us).
// Of two calls with the same start, the outer one comes first in the thread's calls, so `outer`
// must come before `inner`.
bool encloses(const Calls& calls, std::uint32_t outer, std::uint32_t inner) {
  if (calls.thread_of(outer) != calls.thread_of(inner)) return false;
  return calls.interval(inner) == calls.interval(outer) ||
         (calls.start[outer] <= calls.start[inner] && calls.start[inner] < calls.end[outer]);
}

}  // namespace

void IssueIndex::Process::reserve() {
  const std::size_t span = calls == 0 ? 0 : std::size_t{most} - least + 1;
  if (span <= 4 * calls + 1024) table.assign(span, no_index);
}

std::uint32_t& IssueIndex::Process::at(std::uint32_t correlation) {
  if (!table.empty()) return table[correlation - least];
  return sparse.try_emplace(correlation, no_index).first->second;
}

IssueIndex::IssueIndex(const Calls& calls, const std::vector<std::uint32_t>& correlations) {
  for (const Calls::Thread& thread : calls.threads) {
    Process& process = processes_[schema::pid_of(thread.global_tid)];
    for (std::uint32_t call = thread.first; call < thread.end; ++call) {
      const std::uint32_t correlation = correlations[call];
      if (correlation == 0) continue;
      process.least = std::min(process.least, correlation);
      process.most = std::max(process.most, correlation);
      ++process.calls;
    }
  }
  for (auto& [pid, process] : processes_) process.reserve();
  for (const Calls::Thread& thread : calls.threads) {
    const std::uint32_t pid = schema::pid_of(thread.global_tid);
    Process& process = processes_[pid];
    const auto share = [&](std::uint32_t call) {
      ambiguous_.push_back(call);
      shared_[{pid, correlations[call]}].push_back(call);
    };
    for (std::uint32_t call = thread.first; call < thread.end; ++call) {
      if (correlations[call] == 0) continue;
      std::uint32_t& known = process.at(correlations[call]);
      if (known == no_index) {
        known = call;
      } else if (known == several) {
        share(call);
      } else if (!encloses(calls, known, call)) {  // a thread's outermost calls come first
        share(known);
        share(call);
        known = several;
      }
    }
  }
}

std::uint32_t IssueIndex::find(std::uint32_t pid, std::uint32_t correlation) const {
  const auto found = processes_.find(pid);
  if (found == processes_.end()) return no_index;
  const Process& process = found->second;
  std::uint32_t call = no_index;
  if (!process.table.empty()) {
    // If the id is below `least`, the unsigned difference wraps and is beyond the table.
    const std::uint32_t offset = correlation - process.least;
    if (offset < process.table.size()) call = process.table[offset];
  } else if (const auto entry = process.sparse.find(correlation); entry != process.sparse.end()) {
    call = entry->second;
  }
  return call == several ? no_index : call;
}

std::vector<std::uint32_t> IssueIndex::sharing(std::uint32_t pid, std::uint32_t correlation) const {
  const auto found = shared_.find({pid, correlation});
  return found == shared_.end() ? std::vector<std::uint32_t>() : found->second;
}

bool IssueIndex::is_among(std::uint32_t pid, std::uint32_t correlation) const {
  const auto found = processes_.find(pid);
  return found != processes_.end() && found->second.least <= correlation &&
         correlation <= found->second.most;
}

}  // namespace lapscope::analyzer
