#include "analyzer/fixes/copies_out.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// The ops of a lane behind the last copies out, up to the next ones and with them.
struct Group {
  std::vector<std::uint64_t> codes;   // of all its ops
  std::vector<std::uint32_t> copies;  // those at its end
  std::int64_t end = 0;               // of these
  bool computes = false;
  bool is_left_behind = false;
};

bool brings_in(const Ops& ops, std::uint32_t op) {
  return ops.engine[op] == Engine::h2d || ops.target[op] != no_device;
}

// Returns a device's groups that have ended, lane by lane, but for the last one of each.
std::vector<Group> groups_of(const Trace& trace, const Device& device,
                             const std::vector<std::uint32_t>& lanes,
                             const std::vector<bool>& is_apart) {
  const Ops& ops = device.ops;
  std::vector<Group> ended;
  std::unordered_map<std::uint32_t, Group> open;  // by lane
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    Group& group = open[lanes[op]];
    const bool is_out = ops.engine[op] == Engine::d2h && !is_apart[op];
    if (!group.copies.empty() && !is_out) {
      const std::uint32_t call = ops.issue[op];
      group.is_left_behind = group.computes && !is_apart[op] && !brings_in(ops, op) &&
                             call != no_index && trace.calls.start[call] < group.end;
      ended.push_back(std::exchange(group, {}));
    }
    if (is_apart[op]) {
      group = {};
      continue;
    }
    group.codes.push_back(code_of_op(ops, op));
    group.computes |= ops.kind[op] == OpKind::kernel;
    if (!is_out) continue;
    group.copies.push_back(op);
    group.end = std::max(group.end, ops.end[op]);
  }
  return ended;
}

}  // namespace

std::vector<bool> copies_left_behind(const Trace& trace, const Device& device,
                                     const std::vector<std::uint32_t>& lanes,
                                     const std::vector<bool>& is_apart) {
  std::vector<Group> groups = groups_of(trace, device, lanes, is_apart);
  std::map<std::vector<std::uint64_t>, std::int64_t> times;
  for (Group& group : groups) {
    std::sort(group.codes.begin(), group.codes.end());
    ++times[group.codes];
  }
  std::vector<bool> result(device.ops.size());
  for (const Group& group : groups) {
    if (!group.is_left_behind || times[group.codes] < assumed::enough_examples) continue;
    for (const std::uint32_t op : group.copies) result[op] = true;
  }
  return result;
}

}  // namespace lapscope::analyzer
