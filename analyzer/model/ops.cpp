#include "analyzer/model/ops.h"

#include "analyzer/model/run_sort.h"

namespace lapscope::analyzer {

void sort_by_start(const Ops& ops, std::vector<std::uint32_t>& order) {
  const auto rest = [&ops](std::uint32_t op) {
    return std::tie(ops.end[op], ops.stream[op], ops.kind[op], ops.engine[op], ops.issue[op],
                    ops.name[op], ops.geometry[op], ops.bytes[op], ops.channel[op], ops.memory[op],
                    ops.target[op]);
  };
  run_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    if (ops.start[a] != ops.start[b]) return ops.start[a] < ops.start[b];
    return rest(a) < rest(b);
  });
}

}  // namespace lapscope::analyzer
