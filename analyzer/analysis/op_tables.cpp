#include "analyzer/analysis/op_tables.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analyzer/model/assumptions.h"
#include "analyzer/model/trace.h"
#include "analyzer/scope/sweep.h"

namespace lapscope::analyzer {
namespace {

constexpr std::size_t listed_groups = 20;

// A copy with a higher rate than fits into std::int64_t has wrong times, and gets no rate.
constexpr auto most_bytes_per_s = static_cast<double>(std::numeric_limits<std::int64_t>::max());

bool is_copy(OpKind kind) { return kind == OpKind::memcpy || kind == OpKind::peer_copy; }

// Totals of some ops of one name. `sum_ns` has only the parts of ops inside the window, but `bytes`
// has the bytes of whole ops. Rates are therefore computed from the durations of whole ops.
struct Totals {
  std::int64_t ops = 0;
  Ns sum_ns = 0;
  Bytes bytes = 0;
  double whole_ns = 0;
  double best = 0;               // bytes/s; 0 if no copy is large
  std::uint32_t example = 0;     // one of the ops
  std::vector<Ns> each_ns = {};  // empty if durations are not kept

  void add(const Ops& all, std::uint32_t op, const Scope& scope, bool keeps_each) {
    ++ops;
    const std::int64_t inside = std::max<Ns>(0, scope.clipped(all, op).length());
    sum_ns += inside;
    if (keeps_each) each_ns.push_back(inside);
    bytes += all.bytes[op];
    const auto ns = static_cast<double>(all.interval(op).length());
    whole_ns += ns;
    if (is_copy(all.kind[op]) && all.bytes[op] >= assumed::large_copy && ns > 0) {
      const double rate = static_cast<double>(all.bytes[op]) / ns * 1e9;
      if (rate < most_bytes_per_s) best = std::max(best, rate);
    }
    example = op;
  }
  void add(const Totals& other) {
    ops += other.ops;
    sum_ns += other.sum_ns;
    bytes += other.bytes;
    whole_ns += other.whole_ns;
    best = std::max(best, other.best);
    example = other.example;
    each_ns.insert(each_ns.end(), other.each_ns.begin(), other.each_ns.end());
  }
};

std::vector<Totals> totals_of(const Trace& trace, const Ops& ops, const Scope& scope,
                              bool keeps_each) {
  constexpr std::size_t kinds = 4;
  const std::size_t names = trace.names.size() + 1;  // the last one is for kernels without a name
  std::vector<Totals> totals(names + kinds * all_engines.size());
  for (std::size_t i = 0; i < scope.ops.size(); ++i) {
    const std::uint32_t op = scope.ops[i];
    const std::size_t slot = ops.kind[op] == OpKind::kernel
                                 ? std::min<std::size_t>(ops.name[op], names - 1)
                                 : names +
                                       static_cast<std::size_t>(ops.kind[op]) * all_engines.size() +
                                       static_cast<std::size_t>(ops.engine[op]);
    totals[slot].add(ops, op, scope, keeps_each);
  }
  return totals;
}

std::optional<std::int64_t> link_of(OpKind kind, Engine engine, const LinkRates& links) {
  if (kind == OpKind::peer_copy) return links.peer;
  const bool to_or_from_host = engine == Engine::h2d || engine == Engine::d2h;
  return kind == OpKind::memcpy && to_or_from_host ? links.host : std::nullopt;
}

void add_rates(OpGroup& group, const Totals& totals, OpKind kind, const LinkRates& links) {
  const double achieved =
      totals.whole_ns > 0 ? static_cast<double>(totals.bytes) / totals.whole_ns * 1e9 : 0;
  if (achieved > 0 && achieved < most_bytes_per_s) {
    group.bytes_per_s = static_cast<std::int64_t>(achieved);
  }
  if (totals.best > 0) group.best_bytes_per_s = static_cast<std::int64_t>(totals.best);
  if (!is_copy(kind)) return;
  // If a copy was faster than the link, the bandwidth that CUPTI reported at CUDA's initialisation
  // is wrong. In this case, the bandwidth is left out.
  const auto link = link_of(kind, group.engine, links);
  if (link && std::max(achieved, totals.best) <= static_cast<double>(*link)) {
    group.link_bytes_per_s = link;
  }
}

using TotalsByName = std::map<std::pair<Engine, std::string>, Totals>;

// Adds up the totals of equal names, because several ids may have the same text.
TotalsByName totals_by_name(const Trace& trace, const Device& device, const Scope& scope,
                            bool keeps_each) {
  TotalsByName by_name;
  for (const Totals& totals : totals_of(trace, device.ops, scope, keeps_each)) {
    if (totals.ops == 0) continue;
    by_name[{device.ops.engine[totals.example], name_of_op(trace, device, totals.example)}].add(
        totals);
  }
  return by_name;
}

OpGroup group_of(const TotalsByName::value_type& named, const Device& device) {
  const Totals& totals = named.second;
  OpGroup group;
  std::tie(group.engine, group.name) = named.first;
  group.ops = totals.ops;
  group.sum_ns = totals.sum_ns;
  group.bytes = totals.bytes;
  add_rates(group, totals, device.ops.kind[totals.example], device.links);
  return group;
}

}  // namespace

std::vector<TimedGroup> timed_groups_of(const Trace& trace, const Device& device,
                                        const Scope& scope) {
  std::vector<TimedGroup> groups;
  for (const auto& named : totals_by_name(trace, device, scope, true)) {
    const Totals& totals = named.second;
    const bool is_kernel = device.ops.kind[totals.example] == OpKind::kernel;
    groups.push_back({group_of(named, device), is_kernel, totals.each_ns});
  }
  return groups;
}

std::vector<OpGroup> groups_of(const Trace& trace, const Subject& subject, const Scope& scope) {
  std::vector<OpGroup> groups;
  for (const auto& named : totals_by_name(trace, subject.device, scope, false)) {
    groups.push_back(group_of(named, subject.device));
    groups.back().engine = subject.engine(named.second.example);
  }
  std::ranges::stable_sort(groups, std::greater(), &OpGroup::sum_ns);
  if (groups.size() > listed_groups) groups.resize(listed_groups);
  return groups;
}

namespace {

// Measures how long kernels run beside other ops. `shared_ns_` is a clock that advances only while
// two or more ops are active. The time by which the clock advances between a kernel's start and end
// is the kernel's shared time.
class KernelObserver {
 public:
  explicit KernelObserver(const Device& device) : device_(device) {}

  void begin(std::uint32_t op, Interval clipped) {
    ++active_;
    if (device_.ops.kind[op] != OpKind::kernel) return;
    Totals& totals = by_name_[device_.ops.name[op]];
    ++totals.ops;
    totals.sum_ns += clipped.length();
    totals.example = op;
    totals.shared_ns -= shared_ns_;
  }
  void end(std::uint32_t op) {
    --active_;
    if (device_.ops.kind[op] != OpKind::kernel) return;
    by_name_[device_.ops.name[op]].shared_ns += shared_ns_;
  }
  void stretch(Interval interval) {
    if (active_ >= 2) shared_ns_ += interval.length();
  }

  struct Totals {
    std::int64_t ops = 0;
    Ns sum_ns = 0;
    Ns shared_ns = 0;
    std::uint32_t example = 0;  // one of the ops
  };
  const std::unordered_map<std::uint32_t, Totals>& by_name() const { return by_name_; }

 private:
  const Device& device_;
  Ns active_ = 0;
  Ns shared_ns_ = 0;
  std::unordered_map<std::uint32_t, Totals> by_name_;
};

}  // namespace

std::vector<KernelResult> kernels_of(const Trace& trace, const Device& device, const Scope& scope) {
  KernelObserver observer(device);
  sweep(device.ops, scope, observer);
  // Different ids may stand for the same text.
  std::map<std::string, KernelResult> by_text;
  for (const auto& [name, totals] : observer.by_name()) {
    std::string text = name_of_op(trace, device, totals.example);
    KernelResult& kernel = by_text[text];
    kernel.name = std::move(text);
    kernel.ops += totals.ops;
    kernel.sum_ns += totals.sum_ns;
    kernel.shared_ns += totals.shared_ns;
  }
  std::vector<KernelResult> kernels;
  for (auto& [text, kernel] : by_text) kernels.push_back(std::move(kernel));
  std::ranges::stable_sort(kernels, std::greater(), &KernelResult::sum_ns);
  return kernels;
}

}  // namespace lapscope::analyzer
