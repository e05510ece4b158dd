#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include "analyzer/graph/column.h"
#include "analyzer/intervals/units.h"
#include "analyzer/machine/machine_parameters.h"
#include "analyzer/model/assumptions.h"
#include "analyzer/model/cause.h"

namespace lapscope::analyzer {

// What delayed a task longest, and how long it then still took to start.
struct Binding {
  Cause cause = Cause::unexplained;  // launch_overhead, whatever the host did before its call
  std::uint32_t from = no_index;     // the task that delayed it, or no_index when the host did
  Ns release = never;                // when that let it go
  Ns next_release = never;           // when everything else had, with the usual latency
  Ns lag = 0;                        // from the release to the start, as far as it is latency

  friend bool operator==(const Binding&, const Binding&) = default;
};

// Time from a release to a start that nothing else explains: the median over the tasks that were
// bound by that cause and run on that engine, in ns.
struct Latency {
  Ns typical = 0;
  const Assumption* assumed = nullptr;  // where the trace has no example
};
struct Latencies {
  std::array<std::array<Latency, all_engines.size()>, cause_count> by_cause{};

  const Latency& of(Cause cause, Engine engine) const {
    return by_cause[static_cast<std::size_t>(cause)][static_cast<std::size_t>(engine)];
  }
};

// What was learned from a run of a program.
struct Parameters : MachineParameters {
  Column<Lengths> lengths;  // by task
  // By task, from the start of the call that issued it until it was on its way.
  Column<Ns> issue_offsets;
  Column<Binding> bindings;  // by task
  Latencies latencies;
  Ns quick_call = assumed::quick_call;  // of the trace, where it has examples
  std::vector<Crowding> crowded;        // of each two shapes the first time
  // Whether kernels ran beside each other of which it is not known what they share.
  bool is_in_doubt = false;
  // A replay may not look at when a task was seen to start (analyzer/replay/blind.h).
  bool is_blind = false;
  // By task: whether a replay leaves out what nothing explains of its delay. Null: of none.
  std::shared_ptr<const std::vector<bool>> prompt_tasks;
  // The names of assumptions that stand in for what the trace has no examples of.
  std::set<std::string_view> stand_ins;
};

}  // namespace lapscope::analyzer
