#pragma once

#include <optional>
#include <vector>

#include "analyzer/graph/walk.h"

namespace lapscope::analyzer {

// What being in a call stands for, and the tasks whose ends it waited for, if any.
struct HostWait {
  Cause cause = Cause::host_sync;
  std::vector<std::uint32_t> tasks;
};

// What a host call waited for. Few waits have a record: those of cudaFree, of copies, of code being
// loaded are inferred from what ended while the call lasted.
class HostWaits {
 public:
  HostWaits(const Trace& trace, const Graph& graph);

  // Empty when the call is what its kind says and waited for nothing. The walk has passed what was
  // issued before the call, and what the call itself issued.
  std::optional<HostWait> of(const Walk& walk, std::uint32_t step) const;

 private:
  std::optional<HostWait> asked_for(const Walk& walk, std::uint32_t step,
                                    const Synchronization* sync) const;
  std::optional<HostWait> of_copy(std::uint32_t step) const;
  std::optional<HostWait> hidden(const Walk& walk, std::uint32_t step) const;
  std::optional<HostWait> of_launch(std::uint32_t step) const;
  const Synchronization* sync_of(std::uint32_t step) const;
  bool ended_within(std::uint32_t step, std::uint32_t task) const;
  bool ended_after(std::uint32_t step, std::uint32_t task) const;
  std::vector<std::uint32_t> last_of_process(const Walk& walk, std::uint32_t step) const;
  bool is_pageable(std::uint32_t task) const;

  const Trace& trace_;
  const Graph& graph_;
  bool launches_block_ = false;
};

}  // namespace lapscope::analyzer
