#include <algorithm>
#include <array>
#include <optional>

#include "analyzer/graph/building.h"
#include "analyzer/machine/observe.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// Finds the binding of one task: its latest release. If several releases are at the latest time,
// the one that was added first becomes the binding.
class Latest {
 public:
  void add(Ns release, Cause cause, std::uint32_t from) {
    if (release > binding_.release) {
      if (cause != binding_.cause) binding_.next_release = binding_.release;
      binding_.release = release;
      binding_.cause = cause;
      binding_.from = from;
    } else if (cause != binding_.cause) {
      binding_.next_release = std::max(binding_.next_release, release);
    }
  }
  const Binding& binding() const { return binding_; }

 private:
  Binding binding_;
};

std::vector<std::uint32_t> by_start(const Times& times) {
  std::vector<std::uint32_t> order(times.tasks.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&times](std::uint32_t a, std::uint32_t b) {
    return std::make_pair(times.tasks[a].start, a) < std::make_pair(times.tasks[b].start, b);
  });
  return order;
}

// Measures the latency of each cause and engine: the median of all examples in the trace. A
// negative median becomes 0: the clocks of host and device may differ by more than a latency.
// Without an example, nodes of a graph have the latency 0, because they follow each other almost at
// once (docs/hardware.md). Other causes without an example get the shortest latency of their group.
// One group is the delays by the host, the other is the delays by ops. If the group has no example,
// the latency is 0.
void measure_latencies(const Program& program, Parameters& parameters) {
  using Lags = std::array<std::vector<std::int32_t>, all_engines.size()>;
  std::array<Lags, cause_count> of_cause;
  for (std::uint32_t t = 0; t < program.tasks.size(); ++t) {
    const Binding& binding = parameters.bindings[t];
    const Task& task = program.tasks[t];
    if (task.op == no_index || binding.release == never) continue;
    if (binding.cause == Cause::stream_order && task.began_early) continue;
    const auto engine = static_cast<std::size_t>(task.engine);
    of_cause[static_cast<std::size_t>(binding.cause)][engine].push_back(
        static_cast<std::int32_t>(binding.lag));
  }
  std::array<std::array<std::optional<Ns>, all_engines.size()>, cause_count> typical;
  std::array<Ns, 2> shortest{latest_time, latest_time};  // of delays by ops, and by the host
  for (std::size_t c = 0; c < cause_count; ++c) {
    Ns& of_group = shortest[is_of_host(static_cast<Cause>(c)) ? 1 : 0];
    for (std::size_t engine = 0; engine < all_engines.size(); ++engine) {
      typical[c][engine] = typical_of(of_cause[c][engine], 1);
      of_group = std::min(of_group, typical[c][engine].value_or(latest_time));
    }
  }
  for (std::size_t c = 0; c < cause_count; ++c) {
    const auto cause = static_cast<Cause>(c);
    const Ns known = shortest[is_of_host(cause) ? 1 : 0];
    const Ns otherwise = known == latest_time || cause == Cause::graph_edge ? 0 : known;
    for (std::size_t engine = 0; engine < all_engines.size(); ++engine) {
      parameters.latencies.by_cause[c][engine] =
          std::max<Ns>(0, typical[c][engine].value_or(otherwise));
    }
  }
}

// Returns the latest release of a task by an edge or by the host. Leaves out waits for engines and
// multiprocessors.
Latest released(const Program& program, const Times& times, const Parameters& parameters,
                const std::vector<Binding>& bindings, std::uint32_t t) {
  const Task& task = program.tasks[t];
  Latest latest;
  for (std::uint32_t e = program.edge_begin[t]; e < program.edge_begin[t + 1]; ++e) {
    const Edge& edge = program.edges[e];
    latest.add(released_at(times, edge), edge.cause, edge.from);
  }
  for (std::uint32_t e = program.edge_begin[t]; e < program.edge_begin[t + 1]; ++e) {
    if (program.edges[e].cause != Cause::host_func || task.op == no_index) continue;
    // If a fix removes the host function, task `t` waits for the task that delayed the function.
    const Binding& function = bindings[program.edges[e].from];
    // If the host delayed the function, nothing is added. Task `t` waits for the host anyway.
    if (function.from == no_index) continue;
    const bool waited_for_other = function.cause == Cause::host_func;
    latest.add(waited_for_other ? function.next_release : function.release, Cause::stream_order,
               function.from);
  }
  if (task.step != no_index) {
    // A call issues its task at most call_overhead after the start of the call, even if the call
    // waits after the issue. Replays assume the same.
    const Ns way = std::min(parameters.issue_offsets[t], program.steps[task.step].call_overhead);
    latest.add(times.steps[task.step].start + way, Cause::launch_overhead, no_index);
  }
  return latest;
}

}  // namespace

void find_bindings(const Program& program, const Times& times, Parameters& parameters) {
  const std::size_t tasks = program.tasks.size();
  std::vector<Binding>& bindings = parameters.bindings.edit();
  bindings.resize(tasks);
  std::vector<Latest> latest(tasks);
  Recorded recorded{times.tasks.values(), std::vector<Ns>(tasks), {}};
  for (const std::uint32_t t : by_start(times)) {
    latest[t] = released(program, times, parameters, bindings, t);
    bindings[t] = latest[t].binding();
    recorded.released[t] = bindings[t].release;
    if (program.tasks[t].op != no_index) recorded.ops.push_back(t);
  }
  Observation seen = observe(parameters, workload_of(program, parameters), recorded);
  for (std::uint32_t t = 0; t < tasks; ++t) {
    const Observation::Blocker& blocker = seen.blockers[t];
    const bool counts = blocker.by != no_index && is_on("constraint", blocker.cause);
    if (counts) latest[t].add(blocker.release, blocker.cause, blocker.by);
    Binding& binding = bindings[t] = latest[t].binding();
    if (binding.release == never) continue;
    binding.lag = std::clamp<Ns>(times.tasks[t].start - binding.release, -assumed::clock_tolerance,
                                 assumed::longest_latency);
  }
  for (const std::uint32_t shape : seen.without_spare) parameters.uses[shape].spare = 0;
  parameters.lengths = std::move(seen.lengths);
  parameters.crowded = std::move(seen.crowded);
  parameters.kept_out = std::move(seen.kept_out);
  measure_latencies(program, parameters);
}

}  // namespace lapscope::analyzer
