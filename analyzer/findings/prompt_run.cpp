#include "analyzer/findings/prompt_run.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "analyzer/model/assumptions.h"
#include "analyzer/replay/delays.h"

namespace lapscope::analyzer {

Promptly::Promptly(const Graph& unchanged) : unchanged_(unchanged) {
  const std::vector<Interval>& times = unchanged.times.tasks.values();
  if (times.empty()) return;
  Interval all = times.front();
  for (const Interval& task : times) all.extend_to(task);
  const double least = assumed::noteworthy * static_cast<double>(all.length());
  least_ns_ = std::max<Ns>(1, static_cast<Ns>(least));
  if (GraphDelays(unchanged).unexplained_ns() < least_ns_) return;
  order_.resize(times.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&times](std::uint32_t a, std::uint32_t b) {
    return times[a].start < times[b].start;
  });
}

std::optional<Replayed> Promptly::run(const Graph& edited, const Times& stays) const {
  if (order_.empty()) return std::nullopt;
  Graph prompt = edited;
  prompt.prompt_tasks = std::make_shared<const std::vector<bool>>(sooner(stays));
  const Ns left_out = GraphDelays(edited).unexplained_ns() - GraphDelays(prompt).unexplained_ns();
  if (left_out < least_ns_) return std::nullopt;
  return replay_tasks(prompt);
}

std::vector<bool> Promptly::sooner(const Times& stays) const {
  std::vector<bool> is_sooner(order_.size());
  std::vector<std::uint32_t> before(unchanged_.traits.size(), no_index);  // by device
  for (const std::uint32_t t : order_) {
    std::uint32_t& last = before[unchanged_.tasks[t].device];
    if (last != no_index) {
      const Ns recorded = unchanged_.times.tasks[t].start - unchanged_.times.tasks[last].start;
      is_sooner[t] = stays.tasks[t].start - stays.tasks[last].start < recorded;
    }
    last = t;
  }
  return is_sooner;
}

}  // namespace lapscope::analyzer
