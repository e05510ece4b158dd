#include "analyzer/graph/sharing.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analyzer/graph/building.h"
#include "analyzer/machine/shared_throughput.h"

namespace lapscope::analyzer {
namespace {

// A change in the set of running kernels of a device, as recorded. Changes at the same time are
// processed in the order of the values below.
enum class Change : std::uint8_t { ends, begins, last_wave };
struct Moment {
  Ns time = 0;
  Change change = Change::begins;
  std::uint32_t task = 0;

  friend bool operator<(const Moment& a, const Moment& b) {
    return std::tie(a.time, a.change, a.task) < std::tie(b.time, b.change, b.task);
  }
};

std::vector<std::vector<std::uint32_t>> kernels_by_device(const Program& program,
                                                          const Times& times, std::size_t devices) {
  std::vector<std::vector<std::uint32_t>> kernels(devices);
  for (std::uint32_t t = 0; t < program.tasks.size(); ++t) {
    const Task& task = program.tasks[t];
    if (task.kernel_class == no_index || times.tasks[t].length() <= 0) continue;
    kernels[task.device].push_back(t);
  }
  return kernels;
}

std::vector<Moment> moments_of(const std::vector<std::uint32_t>& kernels, const Times& times,
                               const std::vector<Lengths>& lengths) {
  std::vector<Moment> moments;
  for (const std::uint32_t t : kernels) {
    const Lengths& own = lengths[t];
    const Ns end = times.tasks[t].end;
    // all_resident is 0 for a kernel that took 1 ns and started with only some of its blocks. The
    // begin of such a kernel must still be before its end.
    moments.push_back({end - std::max<Ns>(1, own.all_resident), Change::begins, t});
    moments.push_back({end, Change::ends, t});
    if (own.last_wave_overlap > 0)
      moments.push_back({end - own.last_wave_overlap, Change::last_wave, t});
  }
  std::sort(moments.begin(), moments.end());
  return moments;
}

// Drops rounding errors, so that kernels that share nothing have exactly their recorded times.
void set_work(double work, Lengths& task) {
  constexpr double rounding = 1e-3;
  task.work = std::llround(work);
  task.work_rest = work - static_cast<double>(task.work);
  if (std::abs(task.work_rest) < rounding) task.work_rest = 0;
}

enum class Keeps : std::uint8_t { all, last_wave_work };

// By task: the reading of ThroughputClock when the kernel began, and when its last wave began.
struct ProgressAt {
  std::vector<double> begin;
  std::vector<double> at_last_wave;
};

void share(const std::vector<std::uint32_t>& kernels, const Program& program, const Times& times,
           Keeps keeps, ProgressAt& at, Parameters& parameters) {
  std::vector<Lengths>& lengths = parameters.lengths.edit();
  ThroughputClock clock;
  for (const Moment& moment : moments_of(kernels, times, lengths)) {
    const Task& task = program.tasks[moment.task];
    Lengths& own = lengths[moment.task];
    clock.pass(moment.time);
    switch (moment.change) {
      case Change::begins:
        at.begin[moment.task] = clock.reading();
        clock.add(demand_of(parameters, task), doubt_of(parameters, task), moment.time);
        break;
      case Change::last_wave:
        at.at_last_wave[moment.task] = clock.reading();
        break;
      case Change::ends:
        clock.remove(demand_of(parameters, task), doubt_of(parameters, task), moment.time);
        if (keeps == Keeps::all && task.rank == no_index)
          set_work(clock.reading() - at.begin[moment.task], own);
        if (own.last_wave_overlap > 0)
          own.last_wave_work = clock.reading() - at.at_last_wave[moment.task];
        break;
    }
  }
  if (keeps == Keeps::all) parameters.is_in_doubt |= clock.in_doubt_ns() > 0;
}

void share_all(Keeps keeps, const Program& program, const Times& times, Parameters& parameters) {
  ProgressAt at{std::vector<double>(program.tasks.size()),
                std::vector<double>(program.tasks.size())};
  for (const auto& kernels : kernels_by_device(program, times, parameters.traits.size())) {
    share(kernels, program, times, keeps, at, parameters);
  }
}

}  // namespace

void assume(Sharing end, Graph& graph) {
  if (graph.sharing == end) return;
  graph.sharing = end;
  graph.is_in_doubt = false;
  share_work(graph, graph.times, graph);
}

void find_lets_in_work(const Program& program, const Times& times, Parameters& parameters) {
  share_all(Keeps::last_wave_work, program, times, parameters);
}

void share_work(const Program& program, const Times& times, Parameters& parameters) {
  share_all(Keeps::all, program, times, parameters);
}

}  // namespace lapscope::analyzer
