#include "analyzer/graph/sharing.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analyzer/graph/building.h"
#include "analyzer/machine/throughput_clock.h"
#include "analyzer/model/rules.h"

namespace lapscope::analyzer {
namespace {

// What happens to the kernels of a device as recorded, in the order in which it is dealt with.
enum class Change : std::uint8_t { ends, begins, lets_in };
struct Moment {
  std::int64_t time = 0;
  Change change = Change::begins;
  std::uint32_t task = 0;

  friend bool operator<(const Moment& a, const Moment& b) {
    return std::tie(a.time, a.change, a.task) < std::tie(b.time, b.change, b.task);
  }
};

// By device: those whose kernels share its throughput.
std::vector<std::vector<std::uint32_t>> kernels_by_device(const Graph& graph) {
  std::vector<std::vector<std::uint32_t>> kernels(graph.traits.size());
  for (std::uint32_t t = 0; t < graph.tasks.size(); ++t) {
    const Task& task = graph.tasks[t];
    if (task.kernel_class == no_index || task.end <= task.start) continue;
    kernels[task.device].push_back(t);
  }
  return kernels;
}

std::vector<Moment> moments_of(const Graph& graph, const std::vector<std::uint32_t>& kernels) {
  std::vector<Moment> moments;
  for (const std::uint32_t t : kernels) {
    const Task& task = graph.tasks[t];
    // One that started in part may have had all its blocks for less than a ns.
    moments.push_back({task.end - std::max<std::int64_t>(1, task.lasted), Change::begins, t});
    moments.push_back({task.end, Change::ends, t});
    if (task.lets_in > 0) moments.push_back({task.end - task.lets_in, Change::lets_in, t});
  }
  std::sort(moments.begin(), moments.end());
  return moments;
}

// Exact where kernels share nothing, so that their times are the recorded ones to the ns.
void set_work(double work, Task& task) {
  constexpr double rounding = 1e-3;
  task.work = std::llround(work);
  task.work_rest = work - static_cast<double>(task.work);
  if (std::abs(task.work_rest) < rounding) task.work_rest = 0;
}

enum class Keeps : std::uint8_t { all, lets_in_work };

// How far those of all devices had got, by task.
struct ProgressAt {
  std::vector<double> begin;
  std::vector<double> letting_in;
};

void share(const std::vector<std::uint32_t>& kernels, Keeps keeps, ProgressAt& at, Graph& graph) {
  ThroughputClock clock;
  for (const Moment& moment : moments_of(graph, kernels)) {
    Task& task = graph.tasks.edit()[moment.task];
    clock.pass(moment.time);
    switch (moment.change) {
      case Change::begins:
        at.begin[moment.task] = clock.reading();
        clock.add(demand_of(graph, task), doubt_of(graph, task), moment.time);
        break;
      case Change::lets_in:
        at.letting_in[moment.task] = clock.reading();
        break;
      case Change::ends:
        clock.remove(demand_of(graph, task), doubt_of(graph, task), moment.time);
        if (keeps == Keeps::all && task.rank == no_index)
          set_work(clock.reading() - at.begin[moment.task], task);
        if (task.lets_in > 0) task.lets_in_work = clock.reading() - at.letting_in[moment.task];
        break;
    }
  }
  if (keeps == Keeps::all) graph.is_in_doubt |= clock.in_doubt_ns() > 0;
}

void share_all(Keeps keeps, Graph& graph) {
  ProgressAt at{std::vector<double>(graph.tasks.size()), std::vector<double>(graph.tasks.size())};
  for (const auto& kernels : kernels_by_device(graph)) share(kernels, keeps, at, graph);
}

}  // namespace

void assume(Sharing end, Graph& graph) {
  if (graph.sharing == end) return;
  graph.sharing = end;
  graph.is_in_doubt = false;
  share_all(Keeps::all, graph);
}

void find_lets_in_work(Graph& graph) { share_all(Keeps::lets_in_work, graph); }

void find_demands(const Trace& trace, const std::vector<bool>& communication, Graph& graph) {
  std::vector<Demands> known;
  std::vector<std::uint32_t> first;
  for (const Device& device : trace.devices) {
    first.push_back(static_cast<std::uint32_t>(graph.demands.size()));
    known.push_back(measure_demands(device, communication));
    for (const KernelClass& one : known.back().classes) {
      graph.demands.push_back(rule::shared_throughput ? one.demand : Demand{0, 0});
    }
  }
  for (Task& task : graph.tasks.edit()) {
    task.lasted = std::min(task.lasted, task.end - task.start);
    if (task.op == no_index) continue;
    const std::uint32_t c = known[task.device].class_of[task.op];
    if (c != no_index) task.kernel_class = first[task.device] + c;
  }
  share_all(Keeps::all, graph);
}

}  // namespace lapscope::analyzer
