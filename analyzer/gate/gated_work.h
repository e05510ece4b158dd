#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/gate/gate.h"
#include "analyzer/summary/summary.h"

namespace lapscope::analyzer {

using Runs = std::span<const RunSummary>;

// An interval of work that a gate evaluates, in all repeats.
struct GatedWork {
  std::int64_t device = 0;
  std::string gpu;  // the model, in the first repeat that has it
  ScopeKind kind = ScopeKind::device;
  std::string range;        // its name; empty for a whole device
  bool is_default = false;  // the default scope of each run, of the kind that the first has
  // One for each run; null where the run has no such work.
  std::vector<const ScopeSummary*> scopes;
};

// "device 0", "device 0, range 'train_step'"
std::string name_of(const GatedWork& subject);

// The scope of a device that this work is, or is to be compared with; null when there is none.
const ScopeSummary* scope_of(const GatedWork& work, const DeviceSummary& device);

// Whether two are the same scope, be it of different devices. Default scopes always are: of what
// kind they are is another question (are_alike).
bool is_same_scope(const GatedWork& a, const GatedWork& b);

// What the gate asks for and any of the runs has, by device and name. Refers to the runs.
std::vector<GatedWork> gated_work_of(const Gate& gate, Runs runs);

// What was asked for, for a gate that found none of it: "device 3", "range 'nope'".
std::vector<std::string> missing_work(const Gate& gate, std::span<const GatedWork> found);

// The device of a run that is to be compared with this one: the device of the same number, or the
// only one where both runs have one only.
const DeviceSummary* counterpart(const RunSummary& run, std::int64_t device, bool is_only_one);

}  // namespace lapscope::analyzer
