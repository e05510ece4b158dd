#include "analyzer/scope/profiler_brackets.h"

#include <map>
#include <optional>

#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {
namespace {

struct Mark {
  Ns time = 0;
  bool starts = false;
};

// The role of a function. It is found once for each name, because this is faster than once for each
// call.
enum class Role : std::uint8_t { none, start, stop };

std::vector<Role> roles_of(const Names& names) {
  std::vector<Role> roles(names.size());
  for (std::uint32_t name = 0; name < names.size(); ++name) {
    const std::string& text = names.text(name);
    if (text.starts_with("cudaProfilerStart") || text.starts_with("cuProfilerStart")) {
      roles[name] = Role::start;
    } else if (text.starts_with("cudaProfilerStop") || text.starts_with("cuProfilerStop")) {
      roles[name] = Role::stop;
    }
  }
  return roles;
}

}  // namespace

ProfilerBrackets find_profiler_brackets(const Trace& trace) {
  const std::vector<Role> roles = roles_of(trace.names);
  std::map<std::uint32_t, std::vector<Mark>> marks;  // by process
  for (const Calls::Thread& thread : trace.calls.threads) {
    for (std::uint32_t call = thread.first; call < thread.end; ++call) {
      const Role role = roles[trace.calls.name[call]];
      if (role == Role::start) {
        marks[pid_of(thread.global_tid)].push_back({trace.calls.end[call], true});
      } else if (role == Role::stop) {
        marks[pid_of(thread.global_tid)].push_back({trace.calls.start[call], false});
      }
    }
  }
  ProfilerBrackets result;
  for (auto& [pid, of_process] : marks) {
    std::ranges::stable_sort(of_process, {}, &Mark::time);
    std::vector<Interval> brackets;
    std::optional<Ns> open;
    for (const Mark& mark : of_process) {
      if (mark.starts && !open) open = mark.time;
      if (mark.starts || !open) continue;
      brackets.push_back({*open, mark.time});
      open.reset();
    }
    if (open) brackets.push_back({*open, latest_time});
    result.count += static_cast<std::int64_t>(brackets.size());
    result.processes.push_back({pid, IntervalSet::union_of(std::move(brackets))});
  }
  return result;
}

}  // namespace lapscope::analyzer
