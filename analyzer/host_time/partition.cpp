#include "analyzer/host_time/partition.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "analyzer/intervals/units.h"

namespace lapscope::analyzer {
HostPartition::HostPartition(const Trace& trace, const KindTable& kinds) : trace_(trace) {
  if (!trace.host_samples.were_taken()) return;
  find_labels(kinds);
  for (std::uint32_t thread = 0; thread < trace.calls.threads.size(); ++thread) {
    const std::int64_t tid = trace.calls.threads[thread].global_tid;
    if (trace.host_samples.of(tid) || trace.host_samples.spans.of(tid)) find_places(thread, kinds);
  }
}

HostPart HostPartition::part_of(std::uint32_t label, std::int64_t thread) const {
  HostPart part;
  part.thread = thread;
  if (label == no_index) return part;
  const Label& one = labels_[label];
  part.kind = one.kind;
  part.state = one.state;
  part.function = trace_.names.text(one.own.function);
  part.file = trace_.names.text(one.own.file);
  part.line = one.own.line;
  part.innermost = trace_.names.text(one.innermost);
  part.caller = trace_.names.text(one.caller);
  return part;
}

void HostPartition::add(const Asked& asked, const IntervalSet& when, Stacks stacks,
                        HostActivity& result, ByLine& lines) const {
  const Calls& calls = trace_.calls;
  const Calls::Thread& thread = calls.threads[asked.thread];
  const HostSamples& samples = trace_.host_samples;
  HostThread host{thread.global_tid, asked.ops};
  const auto found = threads_.find(asked.thread);

  // The time at each place. Stays empty if the thread has neither samples nor spans.
  TimeAt ns_at;
  for (const Interval& stretch : when.intervals()) {
    const auto first = calls.end.begin() + thread.first;
    auto call = static_cast<std::uint32_t>(
        std::upper_bound(first, calls.end.begin() + thread.last, stretch.start) - first +
        thread.first);
    // Also takes the first call after `stretch`, because the time before this call may lie in
    // `stretch`.
    for (call = std::max(call, thread.first + 1); call < thread.last; ++call) {
      const std::int64_t from = std::max(calls.end[call - 1], stretch.start);
      if (from >= stretch.end) break;
      const Ns ns = std::min(calls.start[call], stretch.end) - from;
      if (ns <= 0) continue;
      host.ns += ns;
      if (found != threads_.end()) ns_at[found->second.places[call - thread.first - 1]] += ns;
    }
  }
  result.ns += host.ns;
  if (found == threads_.end()) {
    if (host.ns > 0) {
      HostPart part = part_of(no_index, host.global_tid);
      part.share = {host.ns, host.ns, host.ns, 0};
      result.parts.push_back(std::move(part));
      if (stacks == Stacks::list) {
        result.stacks.push_back({host.global_tid});
        result.stacks.back().ns = host.ns;
      }
    }
    result.threads.push_back(host);
    return;
  }
  const Recorded recorded = this->recorded(thread, when, ns_at);
  host.recorded_ns = recorded.ns;
  result.recorded_ns += recorded.ns;
  std::vector<PlaceTime> places;
  TimeAt waited = waited_at(asked.thread, when);
  for (const auto& [place, ns] : ns_at) {
    if (ns > 0) places.push_back({place, places_[place].after, ns, waited[place]});
  }
  std::ranges::sort(places, {}, &PlaceTime::place);

  const std::vector<PlaceSample>& everywhere = found->second.samples;
  const auto time_of = [&samples](const PlaceSample& one) { return samples.time[one.sample]; };
  std::vector<PlaceSample> in_scope;
  std::map<std::uint32_t, std::map<std::int64_t, std::int64_t>> holders;  // by label and thread
  std::map<std::uint32_t, std::int64_t> seen_of;                          // by label
  for (const Interval& stretch : when.intervals()) {
    const auto first = std::ranges::lower_bound(everywhere, stretch.start, {}, time_of);
    for (auto one = first; one != everywhere.end() && time_of(*one) < stretch.end; ++one) {
      in_scope.push_back(*one);
      ++seen_of[one->label];
      if (!samples.holder.empty() && samples.holder[one->sample] != 0) {
        ++holders[one->label][samples.holder[one->sample]];
      }
      const auto call = found->second.calls.begin() + (one - everywhere.begin());
      const bool is_bracketed =
          one != first && one[-1].sample + 1 == one->sample && call[-1] == *call;
      if (!is_bracketed) continue;
      const Ns between = time_of(*one) - time_of(one[-1]);
      const Ns on_cpu = ran_between(samples.cpu_ns, one[-1].sample, one->sample);
      const Ns ready = ran_between(samples.ready_ns, one[-1].sample, one->sample);
      if (on_cpu != HostSamples::not_told && ready != HostSamples::not_told) {
        host.counted_ns += between;
        host.on_cpu_ns += std::min(on_cpu, between);
        host.ready_ns += std::min(ready, between - std::min(on_cpu, between));
      }
    }
  }

  const Division division = divide(places, in_scope, everywhere, samples.interval_ns);
  host.samples = static_cast<std::int64_t>(division.rests_on.size());
  host.waiting = division.waiting;
  host.other = division.other;
  result.samples += host.samples;
  std::map<std::uint32_t, HostShare> shares;  // by label
  for (const Portion& portion : division.portions) portion.add_to(shares[portion.label]);
  for (const Portion& portion : recorded.portions) portion.add_to(shares[portion.label]);
  for (const PlaceSample& sample : division.rests_on) ++shares[sample.label].samples;
  for (const auto& [label, share] : shares) {
    const Ns ns = share.ns;
    if (ns == 0) continue;
    HostPart part = part_of(label, host.global_tid);
    part.share = label == no_index ? HostShare{ns, ns, ns, 0} : with_bounds(share, host);
    for (const auto& [holder, count] : holders[label]) {
      if (2 * count > seen_of[label]) part.holder = holder;
    }
    result.parts.push_back(std::move(part));
  }
  result.threads.push_back(host);
  add_sites(division, recorded, host, lines);
  if (stacks == Stacks::list) add_stacks(division, recorded, host.global_tid, result);
}

HostActivity HostPartition::of(const std::vector<Asked>& threads, const IntervalSet& when,
                               Stacks stacks) const {
  HostActivity result;
  result.interval_ns = trace_.host_samples.interval_ns;
  std::vector<Asked> by_ops = threads;
  std::ranges::stable_sort(by_ops, std::greater(), &Asked::ops);
  ByLine lines;
  for (const Asked& one : by_ops) add(one, when, stacks, result, lines);
  for (const auto& [line, time] : lines) result.sites.push_back({line, time.ns, by_function(time)});
  std::ranges::stable_sort(result.threads, [&result](const HostThread& x, const HostThread& y) {
    return named_ns(result, x) > named_ns(result, y);
  });
  std::ranges::stable_sort(result.parts, std::greater(),
                           [](const HostPart& one) { return one.share.ns; });
  std::ranges::stable_sort(result.sites, std::greater(), &HostSite::ns);
  return result;
}

}  // namespace lapscope::analyzer
