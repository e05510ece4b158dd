#include "analyzer/analysis/group_sample.h"

#include <algorithm>
#include <cmath>

#include "analyzer/excerpt/stretches.h"
#include "analyzer/findings/error_band.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/limits.h"

namespace lapscope::analyzer {
namespace {

std::size_t ops_in(const Ops& ops, Interval time) {
  const auto first = std::ranges::lower_bound(ops.start, time.start);
  const auto last = std::lower_bound(first, ops.start.end(), time.end);
  return static_cast<std::size_t>(last - first);
}

// Returns the number of ops in a group's graph, or half the number of calls, whichever is larger.
std::size_t size_of(const Trace& trace, ScopeGroup group) {
  const Interval issued = graph_interval(trace, group);
  Interval time = issued;
  for (const ResolvedScope& one : group) time.end = std::max(time.end, one.scope.window.end);
  std::size_t ops = 0;
  for (const Device& device : trace.devices) ops += ops_in(device.ops, time);
  const Calls& calls = trace.calls;
  std::size_t made = 0;
  for (const Calls::Thread& thread : calls.threads) {
    const auto first = calls.start.begin() + thread.first;
    const auto last = calls.start.begin() + thread.last;
    const auto from = std::lower_bound(first, last, issued.start);
    made += static_cast<std::size_t>(std::lower_bound(from, last, issued.end) - from);
  }
  return std::max(ops, made / 2);
}

const ResolvedScope& leading(ScopeGroup group) {
  return *std::ranges::max_element(
      group, [](const auto& a, const auto& b) { return a.scope.ops.size() < b.scope.ops.size(); });
}

// Returns the ops of a scope as indices in the excerpt. `scope` has them as indices in the whole
// trace. `in_whole` maps an op of the excerpt to the whole trace.
std::vector<std::uint32_t> ops_of(const OpSet& scope, const std::vector<std::uint32_t>& in_whole) {
  const auto contains = [&scope](std::uint32_t op) {
    std::size_t first = 0;
    std::size_t last = scope.size();
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      if (scope[middle] < op) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first < scope.size() && scope[first] == op;
  };
  std::vector<std::uint32_t> chosen;
  for (std::uint32_t op = 0; op < in_whole.size(); ++op) {
    if (contains(in_whole[op])) chosen.push_back(op);
  }
  return chosen;
}

class Scale {
 public:
  Scale(double times, double counts) : times_(times), counts_(counts) {}

  Ns time(Ns ns) const { return std::llround(static_cast<double>(ns) * times_); }
  std::int64_t count(std::int64_t n) const {
    return std::llround(static_cast<double>(n) * counts_);
  }

 private:
  double times_;
  double counts_;
};

// Scales numbers so that they add up to a total. The rounding error is added to the largest number.
template <class Numbers, class Get>
void share_out(std::int64_t total, Numbers& numbers, Get&& get) {
  std::int64_t sum = 0;
  for (auto& one : numbers) sum += get(one);
  if (sum == 0) return;
  const double factor = static_cast<double>(total) / static_cast<double>(sum);
  std::int64_t left = total;
  for (auto& one : numbers) {
    get(one) = std::llround(static_cast<double>(get(one)) * factor);
    left -= get(one);
  }
  get(*std::ranges::max_element(numbers, [&get](auto& a, auto& b) { return get(a) < get(b); })) +=
      left;
}

void scale_finding(const Scale& scale, FindingResult& finding) {
  finding.saving_ns = scale.time(finding.saving_ns);
  finding.most_saving_ns = scale.time(finding.most_saving_ns);
  finding.waited_ns = scale.time(finding.waited_ns);
  finding.occurrences = scale.count(finding.occurrences);
  finding.predicted.wall_ns = scale.time(finding.predicted.wall_ns);
  finding.predicted.least_wall_ns = scale.time(finding.predicted.least_wall_ns);
  for (CallSite& site : finding.sites) {
    site.occurrences = scale.count(site.occurrences);
    site.waited_ns = scale.time(site.waited_ns);
    if (site.saving_ns) site.saving_ns = scale.time(*site.saving_ns);
  }
  if (!finding.host_work) return;
  finding.host_work->all_saving_ns = scale.time(finding.host_work->all_saving_ns);
  for (auto* list : {&finding.host_work->kinds, &finding.host_work->functions}) {
    for (HostFunction& one : *list) {
      if (one.saving_ns) one.saving_ns = scale.time(*one.saving_ns);
    }
  }
}

// Shifts the times in `evidence` from the excerpt's clock to the clock of the whole trace.
void put_back(const Excerpt& excerpt, Evidence& evidence) {
  const Excerpt::Part& part = excerpt.part_of_op(evidence.op_interval.start);
  const auto back = [&part](Interval& interval) {
    interval.start += part.earlier;
    interval.end += part.earlier;
  };
  // The holder, which delayed the op, is in the same part of the excerpt as the op, or in the part
  // before it.
  if (evidence.holder.length() > 0) {
    const bool is_before = evidence.holder.start < std::min(part.first_call, part.first_op);
    const Ns earlier =
        is_before && &part != excerpt.parts.data() ? std::prev(&part)->earlier : part.earlier;
    evidence.holder.start += earlier;
    evidence.holder.end += earlier;
  }
  back(evidence.op_interval);
  back(evidence.waiting);
}

double difference(double sampled, double whole) { return whole == 0 ? 0 : sampled / whole - 1; }

}  // namespace

std::unique_ptr<GroupSample> GroupSample::of(const Context& whole, ScopeGroup group) {
  const std::size_t wanted = whole.options.sample_ops;
  if (wanted == 0) return nullptr;
  const std::size_t size = size_of(whole.trace, group);
  if (size <= 2 * wanted) return nullptr;
  const ResolvedScope& lead = leading(group);
  const Share share = static_cast<double>(wanted) / static_cast<double>(size);
  const auto ops = static_cast<std::size_t>(share * static_cast<double>(lead.scope.ops.size()));
  if (ops < limits::sample_intervals * assumed::enough_examples) return nullptr;
  std::unique_ptr<GroupSample> sample(new GroupSample(
      whole, group,
      spread_stretches(whole.trace, lead.device, lead.scope.ops, ops, limits::sample_intervals)));
  return sample->group().empty() ? nullptr : std::move(sample);
}

GroupSample::GroupSample(const Context& whole, ScopeGroup group,
                         const std::vector<Interval>& stretches)
    : whole_(whole), excerpt_(excerpt_of(whole.trace, stretches)) {
  std::vector<ResolvedScope> scopes;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const ResolvedScope& one = group[i];
    const Ops& ops = excerpt_.trace.devices[one.device].ops;
    auto scope = of_ops(ops, ops_of(one.scope.ops, excerpt_.ops[one.device]));
    if (!scope) continue;
    if (scope->ops.size() < ops.size()) {
      scope->device_busy = std::make_shared<IntervalSet>(busy_of(ops));
    }
    ResolvedScope sampled{one.kind, one.name, one.device, std::move(*scope)};
    sampled.instances = one.instances;
    scopes.push_back(std::move(sampled));
    in_group_.push_back(i);
  }
  context_.emplace(excerpt_.trace, whole, std::move(scopes));
}

std::vector<Explained> GroupSample::stands_for(const std::vector<const ScopeResult*>& measured,
                                               std::vector<Explained> found) const {
  std::vector<Explained> results(measured.size());
  for (std::size_t i = 0; i < measured.size(); ++i) results[i].gaps = measured[i]->gaps;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::size_t i = in_group_[k];
    scale(*measured[i], context_->scopes[k], found[k]);
    results[i] = std::move(found[k]);
  }
  return results;
}

void GroupSample::scale(const ScopeResult& measured, const ResolvedScope& sampled,
                        Explained& one) const {
  const Ns wall = sampled.scope.window.length();
  const Ns whole_wall = measured.window.length();
  const auto ops = static_cast<std::int64_t>(sampled.scope.ops.size());
  const Scale scale(portion(whole_wall, wall), portion(measured.ops, ops));
  if (one.causes) {
    CausesResult& causes = *one.causes;
    causes.sample = {static_cast<std::int64_t>(excerpt_.parts.size()), ops, measured.ops,
                     portion(one.gaps.total_ns, wall) - portion(measured.gaps.total_ns, whole_wall),
                     difference(portion(wall, ops), portion(whole_wall, measured.ops))};
    Ns corrected_wall = whole_wall;
    if (auto& correction = causes.correction) {
      correction->recorded_ns = whole_wall;
      correction->corrected_ns = corrected_wall = scale.time(correction->corrected_ns);
    }
    share_out(
        corrected_wall, causes.blame, [](auto& row) -> auto& { return row.ns; });
    causes.critical_path.clear();
    causes.replay.wall_ns = scale.time(causes.replay.wall_ns);
    causes.replay.blind_wall_ns = scale.time(causes.replay.blind_wall_ns);
    for (auto* list : {&causes.findings, &causes.questions}) {
      for (FindingResult& finding : *list) {
        scale_finding(scale, finding);
        for (Evidence& evidence : finding.evidence) put_back(excerpt_, evidence);
      }
    }
    judge_validity(excerpt_.trace.devices[sampled.device].name, causes);
  }
  // The gaps were measured in the whole scope. Only their causes come from the sample.
  GapsResult gaps = measured.gaps;
  gaps.by_cause = one.gaps.by_cause;
  if (gaps.by_cause) {
    share_out(
        gaps.total_ns, *gaps.by_cause, [](auto& ns) -> auto& { return ns; });
  }
  gaps.ends = std::move(one.gaps.ends);
  for (GapEnd& end : gaps.ends) end.at += excerpt_.part_of_op(end.at).earlier;
  one.gaps = std::move(gaps);
}

}  // namespace lapscope::analyzer
