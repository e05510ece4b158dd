#include "analyzer/gate/gated_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analyzer/model/name_pattern.h"

namespace lapscope::analyzer {
namespace {

bool is_wanted(const Gate& gate, const ScopeSummary& scope) {
  switch (scope.kind) {
    case ScopeKind::device:
    case ScopeKind::window:
      return judges_whole(gate);
    case ScopeKind::profiler:
      return gate.profiler_brackets;
    case ScopeKind::steady:
      return gate.steady;
    case ScopeKind::nvtx:
      break;
  }
  return std::any_of(gate.ranges.begin(), gate.ranges.end(), [&scope](const std::string& pattern) {
    return fits_pattern(scope.name, pattern);
  });
}

}  // namespace

std::string name_of(const GatedWork& subject) {
  switch (subject.kind) {
    case ScopeKind::device:
    case ScopeKind::window:
      return fmt::format("device {}", subject.device);
    case ScopeKind::nvtx:
      return fmt::format("device {}, range '{}'", subject.device, subject.range);
    case ScopeKind::profiler:
    case ScopeKind::steady:
      break;
  }
  return fmt::format("device {}, {}", subject.device, subject.range);
}

std::vector<GatedWork> gated_work_of(const Gate& gate, Runs runs) {
  std::map<std::tuple<std::int64_t, ScopeKind, std::string>, GatedWork> found;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const DeviceSummary& device : runs[run].devices) {
      if (gate.device && *gate.device != device.id) continue;
      for (const ScopeSummary& scope : device.scopes) {
        if (!is_wanted(gate, scope)) continue;
        GatedWork& subject = found[{device.id, scope.kind, scope.name}];
        subject.device = device.id;
        subject.kind = scope.kind;
        subject.range = scope.name;
        if (subject.gpu.empty()) subject.gpu = device.name;
        subject.scopes.resize(runs.size());
        subject.scopes[run] = &scope;
      }
    }
  }
  std::vector<GatedWork> all;
  for (auto& [key, subject] : found) all.push_back(std::move(subject));
  return all;
}

std::vector<std::string> missing_work(const Gate& gate, std::span<const GatedWork> found) {
  const std::string device = gate.device ? fmt::format("device {}", *gate.device) : "";
  if (judges_whole(gate)) {
    if (!found.empty()) return {};
    return {device.empty() ? "any device" : device};
  }
  std::vector<std::string> missing;
  const auto check = [&](const std::string& name, auto&& fits) {
    if (std::any_of(found.begin(), found.end(), fits)) return;
    missing.push_back(device.empty() ? name : device + ", " + name);
  };
  for (const std::string& pattern : gate.ranges) {
    check(fmt::format("range '{}'", pattern), [&pattern](const GatedWork& subject) {
      return subject.kind == ScopeKind::nvtx && fits_pattern(subject.range, pattern);
    });
  }
  if (gate.profiler_brackets) {
    check("cudaProfilerStart/Stop",
          [](const GatedWork& subject) { return subject.kind == ScopeKind::profiler; });
  }
  if (gate.steady) {
    check("the steady state",
          [](const GatedWork& subject) { return subject.kind == ScopeKind::steady; });
  }
  return missing;
}

const DeviceSummary* counterpart(const RunSummary& run, std::int64_t device, bool is_only_one) {
  if (const DeviceSummary* same = find_device(run, device)) return same;
  return is_only_one && run.devices.size() == 1 ? &run.devices[0] : nullptr;
}

}  // namespace lapscope::analyzer
