#include "analyzer/findings/page_waits.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "analyzer/explain/places.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

// Returns the time of an op as recorded. Times in `sources.graph` may be corrected, but the times
// of migrations and page faults are always as recorded.
Interval time_of(const Sources& sources, std::uint32_t t) {
  const Task& task = sources.graph.tasks[t];
  return sources.trace.devices[task.device].ops.interval(task.op);
}

Interval window_as_recorded(const Sources& sources, const GraphScope& scope) {
  if (!sources.as_recorded) return scope.window;
  std::optional<Interval> window;
  for (const std::uint32_t t : scope.tasks) {
    if (sources.graph.tasks[t].op == no_index) continue;
    const Interval time = time_of(sources, t);
    if (!window) window = time;
    window->extend_to(time);
  }
  return window.value_or(Interval{});
}

struct PageTraffic {
  IntervalSet times;
  std::int64_t migrations = 0;
  double bytes = 0;  // a double: sizes are not checked, and an integer sum may overflow
  std::int64_t faults = 0;
};

PageTraffic traffic_of(const Trace& trace, std::int64_t device, Interval window) {
  PageTraffic traffic;
  std::vector<Interval> times;
  const auto is_inside = [&](Ns of, Interval inside) {
    if (of != device || inside.length() <= 0) return false;
    times.push_back(inside);
    return true;
  };
  for (const Migration& one : trace.migrations) {
    if (!is_inside(one.device, one.interval.within(window))) continue;
    ++traffic.migrations;
    traffic.bytes += static_cast<double>(one.bytes);
  }
  for (const DeviceFault& one : trace.device_faults) {
    if (is_inside(one.device, one.interval.within(window))) traffic.faults += one.count;
  }
  traffic.times = IntervalSet::union_of(std::move(times));
  return traffic;
}

// One kernel: how long all its runs took, and how long they waited.
struct KernelWait {
  std::uint32_t task = no_index;  // one run of the kernel
  Ns ns = 0;
  Ns waited = 0;
};

}  // namespace

std::optional<KernelPageWaits> kernel_page_waits(const Sources& sources, const GraphScope& scope) {
  const Trace& trace = sources.trace;
  if (trace.migrations.empty() && trace.device_faults.empty()) return std::nullopt;
  const Interval window = window_as_recorded(sources, scope);
  const PageTraffic traffic = traffic_of(trace, trace.devices[scope.device].id, window);
  if (traffic.times.empty()) return std::nullopt;
  std::vector<Interval> running;
  std::map<std::uint32_t, KernelWait> by_name;
  for (const std::uint32_t t : scope.tasks) {
    const Task& task = sources.graph.tasks[t];
    if (task.op == no_index || task.engine != Engine::compute) continue;
    const Interval time = time_of(sources, t).within(window);
    running.push_back(time);
    KernelWait& kernel = by_name[trace.devices[task.device].ops.name[task.op]];
    kernel.task = t;
    kernel.ns += time.length();
    kernel.waited += traffic.times.length_in(time);
  }
  const IntervalSet kernels = IntervalSet::union_of(std::move(running));
  const Ns waited = intersect(kernels, traffic.times).length();
  if (portion(waited, kernels.length()) < assumed::large_part) return std::nullopt;
  const auto most =
      std::ranges::max_element(by_name, {}, [](const auto& one) { return one.second.waited; });
  return KernelPageWaits{portion(waited, kernels.length()),
                         traffic.migrations,
                         traffic.bytes,
                         traffic.faults,
                         GraphNames(sources).of_task(most->second.task),
                         most->second.waited,
                         most->second.ns};
}

std::optional<HostPageWaits> host_page_waits(const Sources& sources, const GraphScope& scope) {
  const Trace& trace = sources.trace;
  if (trace.host_faults.empty()) return std::nullopt;
  const Interval window = window_as_recorded(sources, scope);
  std::vector<Interval> times;
  std::map<std::uint32_t, double> functions;  // ns by function; faults may overlap
  for (const HostFault& fault : trace.host_faults) {
    const Interval inside = fault.interval.within(window);
    if (inside.length() <= 0) continue;
    times.push_back(inside);
    functions[fault.function] += static_cast<double>(inside.length());
  }
  const std::size_t faults = times.size();
  const IntervalSet waits = IntervalSet::union_of(std::move(times));
  if (portion(waits.length(), window.length()) < assumed::least_saving) return std::nullopt;
  std::vector<Interval> running;
  for (const std::uint32_t t : scope.tasks) {
    if (sources.graph.tasks[t].op != no_index) running.push_back(time_of(sources, t));
  }
  const Ns beside = intersect(waits, IntervalSet::union_of(std::move(running))).length();
  const auto most =
      std::ranges::max_element(functions, {}, [](const auto& one) { return one.second; });
  return HostPageWaits{portion(waits.length(), window.length()), static_cast<std::int64_t>(faults),
                       trace.names.text(most->first),
                       portion(waits.length() - beside, waits.length())};
}

}  // namespace lapscope::analyzer
