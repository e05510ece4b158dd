#include "readers/tables/read_ops.h"

#include <algorithm>
#include <unordered_map>

#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {
namespace {

bool is_of_host(const Ops& ops, std::uint32_t op) { return (ops.memory[op] & between_host) != 0; }

}  // namespace

void start_behind_work_ahead(Ops& ops) {
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_stream;
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    if (is_of_host(ops, op)) by_stream[ops.stream[op]];
  }
  if (by_stream.empty()) return;
  for (std::uint32_t op = 0; op < ops.size(); ++op) {
    const auto stream = by_stream.find(ops.stream[op]);
    if (stream != by_stream.end()) stream->second.push_back(op);
  }
  for (auto& [stream, members] : by_stream) {
    std::stable_sort(members.begin(), members.end(),
                     [&ops](std::uint32_t a, std::uint32_t b) { return ops.end[a] < ops.end[b]; });
    Ns ahead = 0;
    for (const std::uint32_t op : members) {
      if (is_of_host(ops, op)) ops.start[op] = std::max(ops.start[op], ahead);
      ahead = ops.end[op];
    }
  }
}

}  // namespace lapscope::analyzer
