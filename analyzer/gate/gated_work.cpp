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
      return false;  // judges_default() decides about default scopes
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

std::string scope_name_of(const GatedWork& subject) {
  if (subject.is_default) return "default";
  return subject.kind == ScopeKind::nvtx ? fmt::format("range '{}'", subject.range) : subject.range;
}

const ScopeSummary* scope_of(const GatedWork& work, const DeviceSummary& device) {
  return work.is_default ? judged_of(device) : find_scope(device, work.kind, work.range);
}

bool is_same_scope(const GatedWork& a, const GatedWork& b) {
  if (a.is_default || b.is_default) return a.is_default && b.is_default;
  return a.kind == b.kind && a.range == b.range;
}

std::vector<GatedWork> gated_work_of(const Gate& gate, Runs runs) {
  // Default scopes come first. The default scopes of all runs count as the same work, even if their
  // kinds differ.
  using Key = std::tuple<bool, std::int64_t, ScopeKind, std::string>;
  std::map<Key, GatedWork> found;
  const auto add = [&](const Key& key, std::size_t run, const DeviceSummary& device,
                       const ScopeSummary& scope) {
    const auto [place, is_new] = found.try_emplace(key);
    GatedWork& subject = place->second;
    if (is_new) {
      subject.device = device.id;
      subject.kind = scope.kind;
      subject.range = scope.name;
      subject.scopes.resize(runs.size());
    }
    if (subject.gpu.empty()) subject.gpu = device.name;
    subject.scopes[run] = &scope;
  };
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const DeviceSummary& device : runs[run].devices) {
      if (gate.device && *gate.device != device.id) continue;
      const ScopeSummary* judged = judges_default(gate) ? judged_of(device) : nullptr;
      if (judged) add({false, device.id, ScopeKind::device, ""}, run, device, *judged);
      for (const ScopeSummary& scope : device.scopes) {
        if (!is_wanted(gate, scope)) continue;
        add({true, device.id, scope.kind, scope.name}, run, device, scope);
      }
    }
  }
  std::vector<GatedWork> all;
  for (auto& [key, subject] : found) {
    subject.is_default = !std::get<0>(key);
    all.push_back(std::move(subject));
  }
  return all;
}

std::vector<std::string> missing_work(const Gate& gate, std::span<const GatedWork> found) {
  const std::string device = gate.device ? fmt::format("device {}", *gate.device) : "";
  std::vector<std::string> missing;
  const bool is_of_devices = judges_whole(gate) || judges_default(gate);
  const auto is_of_device = [](const GatedWork& subject) {
    return subject.is_default || subject.kind == ScopeKind::device;
  };
  if (is_of_devices && std::none_of(found.begin(), found.end(), is_of_device)) {
    missing.push_back(device.empty() ? "any device" : device);
  }
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
  return missing;
}

const DeviceSummary* counterpart(const RunSummary& run, std::int64_t device, bool is_only_one) {
  if (const DeviceSummary* same = find_device(run, device)) return same;
  return is_only_one && run.devices.size() == 1 ? &run.devices[0] : nullptr;
}

}  // namespace lapscope::analyzer
