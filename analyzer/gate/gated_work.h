#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/gate/gate.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

using Runs = std::span<const RunSummary>;

// Work that a gate evaluates on one device, with its scope in each run.
struct GatedWork {
  std::int64_t device = 0;
  std::string gpu;  // the model of the device in the first run that has the device
  ScopeKind kind = ScopeKind::device;
  std::string range;        // the name of the NVTX range; empty for a whole device
  bool is_default = false;  // whether the scope is the runs' default scope
  // The scope of this work in each run. Null for a run that does not have the work.
  std::vector<const ScopeSummary*> scopes;
};

// Returns the name of the work, such as "device 0" or "device 0, range 'train_step'".
std::string name_of(const GatedWork& subject);

// Returns the name of the scope without the device: equal for the same scope (is_same_scope()) on
// all devices.
std::string scope_name_of(const GatedWork& subject);

// Returns the scope of a device that corresponds to this work; null if there is none.
const ScopeSummary* scope_of(const GatedWork& work, const DeviceSummary& device);

// Whether two works have the same scope, perhaps on different devices. Two default scopes are
// always treated as the same scope. are_alike() checks whether their kinds are alike.
bool is_same_scope(const GatedWork& a, const GatedWork& b);

// Returns the work that the gate names and that at least one run has. Default scopes come first.
// The other scopes are sorted by device, kind and name. The result refers to `runs`.
std::vector<GatedWork> gated_work_of(const Gate& gate, Runs runs);

// Returns the names of work that the gate names but no run has, such as "range 'nope'" and "device
// 3".
std::vector<std::string> missing_work(const Gate& gate, std::span<const GatedWork> found);

// Returns the device of `run` that is compared with a device of another run. `device` is the number
// of the other run's device. Returns the device with the same number. If there is none, and each
// run has only one device, returns the only device of `run`. Otherwise, returns null.
// `is_only_one`: the other run has only one device.
const DeviceSummary* counterpart(const RunSummary& run, std::int64_t device, bool is_only_one);

}  // namespace lapscope::analyzer
