#pragma once

#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "analyzer/graph/polling.h"
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
  HostWaits(const Trace& trace, const Graph& graph, std::vector<Poll> polls);

  // Empty when the call is what its kind says and waited for nothing. The walk has passed what was
  // issued before the call, and what the call itself issued. Steps come in the order of the walk.
  std::optional<HostWait> of(const Walk& walk, std::uint32_t step);

 private:
  std::optional<HostWait> of_query(const Walk& walk, std::uint32_t step) const;
  std::optional<HostWait> asked_for(const Walk& walk, std::uint32_t step);
  std::optional<HostWait> of_copy(std::uint32_t step) const;
  std::optional<HostWait> hidden(const Walk& walk, std::uint32_t step);
  std::optional<HostWait> of_launch(std::uint32_t step) const;
  bool ended_within(std::uint32_t step, std::uint32_t task) const;
  bool ended_after(std::uint32_t step, std::uint32_t task) const;
  bool is_pageable(std::uint32_t task) const;

  // What a call has to wait for when it waits for all of a context.
  struct Context {
    std::vector<std::uint32_t> tasks;
    bool runs_on = false;  // after the call
    bool ended = false;    // something of it, while the call lasted
  };
  Context context_at(const Walk& walk, std::uint32_t step, std::uint32_t context);

  const Trace& trace_;
  const Graph& graph_;
  std::vector<Poll> polls_;  // by first step
  bool launches_block_ = false;
  std::vector<std::uint32_t> before_;  // by task: the one before it in its stream, or no_index
  // Up to when all of a context had ended when such a call of a thread returned: by the thread's
  // first step, what the call stands for, the context. A later call of the thread for the same
  // reason comes after that one, whatever is changed, and need not name what that one waited for.
  std::map<std::tuple<std::uint32_t, Cause, std::uint32_t>, std::uint64_t> done_;
};

}  // namespace lapscope::analyzer
