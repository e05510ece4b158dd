#include <algorithm>
#include <map>

#include "analyzer/graph/building.h"
#include "analyzer/model/names.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

using Tasks = std::vector<std::uint32_t>;  // in the order of their issue

// The kernels with one name in one process. Each stream of each device has one list of kernels. The
// lists of a device are in the order of their first kernels.
struct SameName {
  std::map<std::uint16_t, std::vector<Tasks>> streams_of;
  std::map<std::pair<std::uint16_t, std::uint32_t>, std::size_t> places;  // index in streams_of

  void add(const Task& task, std::uint32_t t) {
    std::vector<Tasks>& streams = streams_of[task.device];
    const auto [place, is_new] = places.try_emplace({task.device, task.stream}, streams.size());
    if (is_new) streams.emplace_back();
    streams[place->second].push_back(t);
  }
};

// For each name, whether its kernels are collectives. Sends and receives are left out, because the
// trace does not show which kernel is at their other end.
std::vector<bool> collective_names(const Names& names) {
  std::vector<bool> result = communication_names(names, default_communication_patterns());
  for (std::uint32_t name = 0; name < names.size(); ++name) {
    if (names.text(name).find("SendRecv") != std::string::npos) result[name] = false;
  }
  return result;
}

// Adds a collective, unless a member ended before another member started: the kernels of a
// collective overlap.
void add_collective(const Tasks& members, const std::vector<Interval>& times, Program& program) {
  const auto starts_before = [&times](std::uint32_t a, std::uint32_t b) {
    return times[a].start < times[b].start;
  };
  const std::uint32_t last = *std::ranges::max_element(members, starts_before);
  const Ns begun = times[last].start;
  const Ns work = times[last].length();
  Ns others = 0;  // the longest time that another member ran after `begun`
  for (const std::uint32_t t : members) {
    if (times[t].end <= begun) return;
    if (t != last) others = std::max(others, times[t].end - begun);
  }
  const auto collective = static_cast<std::uint32_t>(program.collectives.size());
  program.collectives.push_back({static_cast<std::uint32_t>(program.ranks.size()),
                                 static_cast<std::uint32_t>(members.size()), work});
  for (const std::uint32_t t : members) {
    program.tasks.edit()[t].rank = static_cast<std::uint32_t>(program.ranks.size());
    program.ranks.push_back(
        {t, collective, t == last ? std::min(work, others) : times[t].end - begun});
  }
}

}  // namespace

// No record shows which kernels form a collective. It is assumed that a communicator uses one
// stream of each device, and that the k-th kernels of one name in these streams form a collective.
Program collect_collectives(const Trace& trace, const Times& times, Program program) {
  if (!rule::collectives || trace.devices.size() < 2) return program;
  const std::vector<bool> collectives = collective_names(trace.names);
  std::map<std::pair<std::uint32_t, std::uint32_t>, SameName> by_name;  // by process and name
  for (std::uint32_t t = 0; t < program.tasks.size(); ++t) {
    const Task& task = program.tasks[t];
    if (task.op == no_index) continue;
    const Ops& ops = trace.devices[task.device].ops;
    const std::uint32_t name = ops.name[task.op];
    if (!communicates(collectives, name)) continue;
    // Skips a kernel that was issued before the graph begins. Other kernels of its collective may
    // have ended before the graph begins.
    if (task.step == no_index && ops.issue[task.op] != no_index) continue;
    by_name[{program.streams[task.stream].pid, name}].add(task, t);
  }
  for (const auto& [key, same] : by_name) {
    const std::vector<Tasks>& first = same.streams_of.begin()->second;
    for (std::size_t s = 0; s < first.size(); ++s) {
      const bool is_everywhere = std::ranges::all_of(same.streams_of, [&](const auto& of_device) {
        return s < of_device.second.size() && of_device.second[s].size() == first[s].size();
      });
      if (!is_everywhere || same.streams_of.size() < 2) continue;
      for (std::size_t k = 0; k < first[s].size(); ++k) {
        Tasks members;
        for (const auto& [device, streams] : same.streams_of) members.push_back(streams[s][k]);
        add_collective(members, times.tasks.values(), program);
      }
    }
  }
  return program;
}

}  // namespace lapscope::analyzer
