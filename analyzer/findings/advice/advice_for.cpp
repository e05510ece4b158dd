#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "analyzer/explain/places.h"
#include "analyzer/findings/advice.h"
#include "analyzer/findings/advice/steps.h"
#include "analyzer/intervals/interval_set.h"
#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {

AdviceStep Advice::step() const {
  return std::visit([](const auto& one) { return one.step; }, seen);
}

std::string_view code_of(AdviceStep step) {
  constexpr std::string_view codes[] = {
      "managed-memory", "little-work", "communication", "bound",  "few-blocks",
      "host-pages",     "pin",         "slow-copies",   "queues", "graph",
      "small-copies",   "resident",    "chunk",         "host",   "independent-work",
      "host-time"};
  return codes[static_cast<std::size_t>(step)];
}

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

// Returns the time that kernels lose to pages of managed memory:
//
//   kernel      kkkkkkkkkkkkkkkk
//   faults      .ff.............      the kernel loses 10 of its 16 columns
//   migrations  ..mmm.mmm.mmm...
//
// Returns nullopt if that time is less than assumed::large_part of the time in which kernels run.
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

// Returns the time that the host loses to pages of managed memory. Returns nullopt if this time is
// below assumed::least_saving of the window.
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

// Communication kernels of one name and size.
struct Alike {
  std::int64_t count = 0;
  Ns total = 0;
  Ns quickest = 0;
};

class Transfers {
 public:
  explicit Transfers(const Trace& trace) : trace_(trace) {}

  void add(const Task& task, Ns ns) {
    const Ops& ops = trace_.devices[task.device].ops;
    Bytes bytes = 0;
    double sent = 0;
    for (const Message& one : messages_of(trace_, ops.issue[task.op])) {
      bytes += one.bytes;
      sent += static_cast<double>(least_sent(one));
    }
    const std::optional<Bytes> rate = trace_.devices[task.device].links.peer;
    if (rate)
      on_links_ns_ += std::min(1e9 * sent / static_cast<double>(*rate), static_cast<double>(ns));
    Alike& alike = by_kind_[{ops.name[task.op], bytes}];
    alike.quickest = alike.count == 0 ? ns : std::min(alike.quickest, ns);
    alike.total += ns;
    ++alike.count;
  }

  // In a collective of n ranks, each rank sends or receives at least (n - 1) / n of the bytes
  // (NCCL's documentation of bus bandwidth). For two or more ranks, this is at least half.
  static Bytes least_sent(const Message& one) { return one.peer ? one.bytes : one.bytes / 2; }

  Ns at_their_quickest() const {
    Ns sum = 0;
    for (const auto& [kind, alike] : by_kind_) {
      sum += alike.count < assumed::enough_examples ? alike.total : alike.count * alike.quickest;
    }
    return sum;
  }

  double on_links_ns() const { return on_links_ns_; }

 private:
  const Trace& trace_;
  double on_links_ns_ = 0;
  std::map<std::pair<std::uint32_t, Bytes>, Alike> by_kind_;
};

Use use_of(const Sources& sources, const GraphScope& scope) {
  const Graph& graph = sources.graph;
  Use use;
  Transfers transfers(sources.trace);
  for (const std::uint32_t t : scope.tasks) {
    const Task& task = graph.tasks[t];
    const Interval inside = graph.times.tasks[t].within(scope.window);
    const Ns ns = inside.length();
    if (ns == 0) continue;
    use.busy[static_cast<std::size_t>(task.works_on())].push_back(inside);
    if (task.engine != Engine::compute) {
      const bool is_longest =
          use.longest_copy == no_index || ns > graph.times.tasks[use.longest_copy].length();
      if (is_longest) use.longest_copy = t;
    }
    if (is_pageable(sources.trace, task)) {
      ++use.pageable;
      use.pageable_ns += ns;
    }
    if (task.communicates) {
      use.communicating_streams.insert(task.stream);
      transfers.add(task, ns);
    }
    if (task.works_on() != Engine::compute) continue;
    use.compute_ns += ns;
    const SmUse* shape = task.geometry == no_index ? nullptr : &graph.uses[task.geometry];
    if (shape && shape->fills()) use.filling_ns += ns;
    if (shape) {
      use.known_ns += ns;
      use.covered_ns += static_cast<double>(ns) * static_cast<double>(shape->covers);
    }
    use.compute_of_stream[task.stream] += ns;
  }
  use.transfers_ns = transfers.at_their_quickest();
  use.links_ns = transfers.on_links_ns();
  return use;
}

}  // namespace

AdviceInput::AdviceInput(const Sources& of_sources, const GraphScope& of_scope,
                         const CausesResult& so_far)
    : sources(of_sources),
      scope(of_scope),
      result(so_far),
      wall(of_scope.window.length()),
      use(use_of(of_sources, of_scope)) {}

bool AdviceInput::is_found(Cause cause) const {
  return std::any_of(result.findings.begin(), result.findings.end(),
                     [cause](const FindingResult& f) { return f.code == code_of(cause); });
}

IntervalSet busy_with(const AdviceInput& in, std::span<const Engine> engines) {
  std::vector<Interval> times;
  for (const Engine engine : engines) {
    const auto& busy = in.use.busy[static_cast<std::size_t>(engine)];
    times.insert(times.end(), busy.begin(), busy.end());
  }
  return IntervalSet::union_of(std::move(times));
}

std::vector<Advice> advice_for(const Sources& sources, const GraphScope& scope,
                               const CausesResult& result) {
  if (scope.tasks.empty()) return {};
  const AdviceInput in(sources, scope, result);
  std::vector<Advice> advice;
  // Kernels that wait for managed memory take long because of its pages, not because of their work.
  if (auto waits = kernel_page_waits(sources, scope)) advice.push_back({std::move(*waits), true});
  const bool is_told = !advice.empty() || tell_little_work(in, advice);
  advise_communication(in, advice);
  // Copies that are slower than their link are not bound by the link: advise_bound() does not
  // apply.
  const bool are_slow = advise_slow_copies(in, advice);
  const std::vector<Advice> pin = advise_pin(in);
  const bool is_pin_first = !pin.empty() && pin.front().is_main;
  if (!is_told && !are_slow && !is_pin_first) advise_bound(in, advice);
  if (auto waits = host_page_waits(sources, scope)) advice.push_back({std::move(*waits)});
  advice.insert(advice.end(), pin.begin(), pin.end());
  advise_queues(in, advice);
  advise_graph(in, advice);
  advise_small_copies(in, advice);
  advise_resident(in, advice);
  advise_chunk(in, advice);
  if (advice.empty() && result.findings.empty() && result.questions.empty()) {
    advise_dependence(in, advice);
  }
  tell_host_time(in, advice);
  return advice;
}

}  // namespace lapscope::analyzer
