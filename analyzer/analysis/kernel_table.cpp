#include "analyzer/analysis/kernel_table.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "analyzer/analysis/describe_gaps.h"
#include "analyzer/model/trace.h"
#include "analyzer/scope/sweep.h"

namespace lapscope::analyzer {
namespace {

// An op runs beside others for as long as the clock that ticks only while two ops or more are
// active moves on between its start and its end.
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
    running_.emplace_back(op, shared_ns_);
  }
  void end(std::uint32_t op) {
    --active_;
    if (device_.ops.kind[op] != OpKind::kernel) return;
    const auto found = std::find_if(running_.begin(), running_.end(),
                                    [op](const auto& entry) { return entry.first == op; });
    by_name_[device_.ops.name[op]].shared_ns += shared_ns_ - found->second;
    running_.erase(found);
  }
  void stretch(Interval interval) {
    if (active_ >= 2) shared_ns_ += interval.length();
  }

  struct Totals {
    std::int64_t ops = 0;
    std::int64_t sum_ns = 0;
    std::int64_t shared_ns = 0;
    std::uint32_t example = 0;  // one of the ops
  };
  const std::unordered_map<std::uint32_t, Totals>& by_name() const { return by_name_; }

 private:
  const Device& device_;
  std::int64_t active_ = 0;
  std::int64_t shared_ns_ = 0;
  std::vector<std::pair<std::uint32_t, std::int64_t>> running_;  // op, clock at its start
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
  std::stable_sort(
      kernels.begin(), kernels.end(),
      [](const KernelResult& a, const KernelResult& b) { return a.sum_ns > b.sum_ns; });
  return kernels;
}

}  // namespace lapscope::analyzer
