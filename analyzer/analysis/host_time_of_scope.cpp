#include "analyzer/analysis/host_time_of_scope.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "analyzer/analysis/explain.h"
#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {
namespace {

// The threads that issued a scope's ops, and the interval in which they issued these ops.
struct IssuedWork {
  std::map<std::uint32_t, std::int64_t> ops;  // by thread
  Interval when{latest_time, 0};
};

IssuedWork issued_work(const Trace& trace, const ResolvedScope& scope) {
  const Ops& ops = trace.devices[scope.device].ops;
  const Calls& calls = trace.calls;
  IssuedWork issued;
  std::uint32_t thread = 0;
  for (std::size_t i = 0; i < scope.scope.ops.size(); ++i) {
    const std::uint32_t call = ops.issue[scope.scope.ops[i]];
    if (call == no_index) continue;
    const bool is_same = calls.threads[thread].first <= call && call < calls.threads[thread].end;
    if (!is_same) thread = calls.thread_of(call);
    ++issued.ops[thread];
    issued.when.extend_to(calls.interval(call));
  }
  return issued;
}

IntervalSet times_of(const ResolvedScope& scope, const IssuedWork& issued) {
  std::vector<Interval> times;
  for (const NvtxRange& range : scope.ranges) times.push_back(range.interval);
  if (scope.kind == ScopeKind::window) times = {scope.scope.window};
  if (times.empty() && issued.when.start < issued.when.end) times = {issued.when};
  return IntervalSet::union_of(std::move(times));
}

std::vector<HostPartition::Asked> threads_of(const IssuedWork& issued) {
  std::vector<HostPartition::Asked> threads;
  for (const auto& [thread, ops] : issued.ops) threads.push_back({thread, ops});
  return threads;
}

std::vector<HostCollections> collections_in(const HostSamples& samples, const IntervalSet& when) {
  std::array<HostCollections, HostSamples::generations> all{};
  for (const HostSamples::Collections& one : samples.collections) {
    const bool is_exact = one.end != HostSamples::not_told;
    // If the end of a garbage collection was not recorded, two samples bound it: the end lies after
    // the first sample, and not after the second sample.
    const Interval ended = is_exact ? Interval{one.end, one.end + 1}
                                    : Interval{one.looks.start + 1, one.looks.end + 1};
    HostCollections& of = all[one.generation];
    if (when.contains(ended)) of.least += one.count;
    if (when.length_in(ended) > 0) of.most += one.count;
  }
  std::vector<HostCollections> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].generation = static_cast<std::uint8_t>(i);
    if (all[i].most > 0) found.push_back(all[i]);
  }
  return found;
}

void add_measures(ScopeResult& result) {
  const HostActivity& time = *result.host_time;
  const HostThread* const main = main_thread(time);
  std::array<Ns, host_kinds> ns{};
  if (main != nullptr) {
    for (const HostFunction& kind : by_kind(time, main->global_tid)) {
      ns[static_cast<std::size_t>(kind.kind)] = kind.share.ns;
    }
  }
  for (std::size_t kind = 0; kind < host_kinds; ++kind) {
    const std::string name = "host_" + std::string(name_of(static_cast<HostKind>(kind)));
    const char* const lacks =
        time.threads.empty() ? "no thread issued any work" : "no function of any thread is known";
    result.measures.push_back(
        {find_measure(name), ratio_or(ns[kind], main == nullptr ? 0 : time.window_ns, lacks)});
  }
}

}  // namespace

HostTimes::HostTimes(const Context& context) : context_(context) {
  if (context.trace.host_samples.were_taken()) {
    partition_.emplace(context.trace, context.options.host_kinds);
  }
}

void HostTimes::add_to(std::vector<DeviceResult>& devices) const {
  if (!partition_) return;
  const auto stacks =
      lists_stacks() ? HostPartition::Stacks::list : HostPartition::Stacks::leave_out;
  for (const ResolvedScope& scope : context_.scopes) {
    ScopeResult& result = result_of(context_, scope, devices);
    const IssuedWork issued = issued_work(context_.trace, scope);
    const IntervalSet when = times_of(scope, issued);
    HostActivity& time = result.host_time.emplace(partition_->of(threads_of(issued), when, stacks));
    time.window_ns = when.length();
    time.collections = collections_in(context_.trace.host_samples, when);
    if (scope.kind != ScopeKind::device && scope.kind != ScopeKind::window) {
      time.instances = scope.instances;
    }
    add_measures(result);
  }
}

std::vector<HostStack> HostTimes::stacks_while(const ResolvedScope& scope,
                                               const TimesByThread& when) const {
  const IntervalSet all = times_of(scope, issued_work(context_.trace, scope));
  std::vector<HostStack> stacks;
  for (const auto& [thread, times] : when) {
    auto of_thread =
        partition_->of({{thread}}, intersect(all, times), HostPartition::Stacks::list).stacks;
    std::move(of_thread.begin(), of_thread.end(), std::back_inserter(stacks));
  }
  return stacks;
}

}  // namespace lapscope::analyzer
