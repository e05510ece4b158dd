#include "analyzer/host_time/host_time.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "analyzer/model/assumptions.h"

namespace lapscope::analyzer {
namespace {

double square(Ns ns) { return static_cast<double>(ns) * static_cast<double>(ns); }

// Sums up the parts that have the same key. The parts must be added thread by thread.
class Together {
 public:
  void add(const HostPart& part) {
    of_thread_.ns += part.share.ns;
    of_thread_.recorded_ns += part.share.recorded_ns;
    of_thread_.waiting_ns += part.share.waiting_ns;
    of_thread_.samples += part.share.samples;
    if (part.share.ns <= most_) return;
    most_ = part.share.ns;
    largest_ = part;
  }
  // Adds the sums of `thread`, with their bounds, to the total. Must be called after the thread's
  // last part.
  void end_thread(const HostThread& thread) {
    const Ns ns = of_thread_.ns;
    const bool is_known = largest_.kind != HostKind::unknown || of_thread_.samples > 0;
    const HostShare one = is_known ? with_bounds(of_thread_, thread) : HostShare{ns, ns, ns, 0};
    share_.ns += ns;
    share_.recorded_ns += of_thread_.recorded_ns;
    share_.samples += one.samples;
    below_ += square(one.ns - one.least_ns);
    above_ += square(one.most_ns - one.ns);
    of_thread_ = {};
  }
  HostFunction function() const {
    HostFunction all{largest_.kind,  largest_.function, largest_.file, largest_.line,
                     largest_.state, largest_.holder,   share_};
    all.caller = largest_.caller;
    all.share.least_ns = share_.ns - std::llround(std::sqrt(below_));
    all.share.most_ns = share_.ns + std::llround(std::sqrt(above_));
    return all;
  }

 private:
  HostShare of_thread_;  // of the current thread
  std::int64_t most_ = -1;
  HostPart largest_;
  HostShare share_;
  double below_ = 0;
  double above_ = 0;
};

// Returns the sums of the parts with equal keys, longest time first. If `only` is set, sums up only
// the parts of the thread with this global tid.
template <class KeyOf>
std::vector<HostFunction> together(const HostActivity& time, std::optional<std::int64_t> only,
                                   KeyOf&& key_of) {
  using Key = decltype(key_of(HostPart{}));
  std::map<Key, Together> all;
  for (const HostThread& thread : time.threads) {
    if (only && thread.global_tid != *only) continue;
    std::map<Key, Together*> of_thread;
    for (const HostPart& part : time.parts) {
      if (part.thread != thread.global_tid) continue;
      Together& one = all[key_of(part)];
      one.add(part);
      of_thread[key_of(part)] = &one;
    }
    for (auto& [key, one] : of_thread) one->end_thread(thread);
  }
  std::vector<HostFunction> functions;
  for (const auto& [key, one] : all) functions.push_back(one.function());
  std::stable_sort(
      functions.begin(), functions.end(),
      [](const HostFunction& a, const HostFunction& b) { return a.share.ns > b.share.ns; });
  return functions;
}

}  // namespace

HostShare share_of(Ns ns, std::int64_t samples, const SampledTime& time) {
  if (time.ns <= 0 || time.independent_samples <= 0) return {ns, 0, ns, samples};
  const double z = assumed::deviations_shown;
  const auto all = static_cast<double>(time.ns);
  const double p = std::min(1.0, static_cast<double>(ns) / all);
  const double n = time.independent_samples;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {ns, std::clamp<std::int64_t>(std::llround((middle - half) * all), 0, ns),
          std::max(ns, std::min<std::int64_t>(std::llround((middle + half) * all), time.ns)),
          samples};
}

HostShare with_bounds(HostShare share, const HostThread& thread) {
  double below = 0;
  double above = 0;
  const auto add = [&](Ns ns, const SampledTime& time) {
    if (ns == 0) return;
    const HostShare seen = share_of(ns, 0, time);
    below += square(ns - seen.least_ns);
    above += square(seen.most_ns - ns);
  };
  add(share.waiting_ns, thread.waiting);
  add(share.ns - share.recorded_ns - share.waiting_ns, thread.other);
  share.least_ns = share.ns - std::llround(std::sqrt(below));
  share.most_ns = share.ns + std::llround(std::sqrt(above));
  return share;
}

std::vector<HostFunction> by_function(const HostActivity& time, std::optional<std::int64_t> only) {
  return together(time, only, [](const HostPart& part) {
    // Time off the processor is listed separately.
    const bool is_off = part.state == ThreadState::off_processor;
    return std::tuple(part.kind, part.function, part.file, part.caller, is_off);
  });
}

std::vector<HostFunction> by_kind(const HostActivity& time, std::optional<std::int64_t> only) {
  std::vector<HostFunction> kinds =
      together(time, only, [](const HostPart& part) { return part.kind; });
  for (HostFunction& kind : kinds) {
    kind = {kind.kind, "", "", 0, ThreadState::unknown, 0, kind.share};
  }
  return kinds;
}

Ns named_ns(const HostActivity& time, const HostThread& thread) {
  Ns ns = 0;
  for (const HostPart& part : time.parts) {
    if (part.thread == thread.global_tid && !part.function.empty()) ns += part.share.ns;
  }
  return ns;
}

const HostThread* main_thread(const HostActivity& time) {
  if (time.threads.empty()) return nullptr;
  const HostThread& first = time.threads.front();
  return time.threads.size() == 1 || named_ns(time, first) > 0 ? &first : nullptr;
}

}  // namespace lapscope::analyzer
