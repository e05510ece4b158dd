#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/explain/code_place.h"
#include "analyzer/explain/walk_back.h"
#include "analyzer/intervals/units.h"
#include "analyzer/model/cause.h"

namespace lapscope::analyzer {

// Returns the frames of a chain in Trace::stacks, innermost first.
std::vector<StackFrame> frames_of(const Trace& trace, std::uint32_t chain);

// Returns the names of tasks and calls of a graph, as reports show them. Calls are indices in
// Trace::calls.
class GraphNames {
 public:
  explicit GraphNames(const Sources& sources) : sources_(sources) {}

  // The name of a kernel, or a text such as "copy h2d"; empty for a host function.
  std::string of_task(std::uint32_t task) const;
  // The call that issued a task; no_index when that call is not in the trace.
  std::uint32_t call_of(std::uint32_t task) const;
  // The function of a call, such as cudaMemcpyAsync.
  std::string function(std::uint32_t call) const;
  // The thread of a call, such as "thread 4711"; empty if `call` is no_index.
  std::string thread(std::uint32_t call) const;
  // The innermost NVTX range around a call, in Trace::ranges; no_index when there is none.
  std::uint32_t range_around(std::uint32_t call) const;
  // The name of a range; empty if `range` is no_index.
  std::string range(std::uint32_t range) const;
  // The call stack of a call, as a chain in Trace::stacks. CallStacks::none if the call has no call
  // stack, or if `call` is no_index.
  std::uint32_t chain_of(std::uint32_t call) const;
  // The source line of a chain, or else its function (place_of). If the chain has a forward
  // operator, the line of this operator. Empty if not known.
  std::string line(std::uint32_t chain) const;
  // The caller of the place that line() returns. Empty unless this place has several callers.
  std::string caller(std::uint32_t chain) const;
  std::vector<StackFrame> stack(std::uint32_t chain) const;
  // The stack of the forward operator. Empty if the chain is not from the backward pass.
  std::vector<StackFrame> forward_stack(std::uint32_t chain) const;
  // If line() shows a function whose name is not known: the code of this function. Otherwise empty.
  std::optional<NamelessCode> nameless(std::uint32_t chain) const;

 private:
  Sources sources_;
};

// Returns the task whose call has to change so that `waiting` does not wait for `from`:
// - For a barrier of the default stream, the task in the default stream: `from` or `waiting`.
// - For a host-to-device copy that waits for a kernel in its stream, the copy, because the copy
//   could be issued in another stream.
// - In all other cases, `from`.
std::uint32_t to_change(const Graph& graph, Cause cause, std::uint32_t from, std::uint32_t waiting);

// Numbers the places at which `cause` delays tasks. Makes the texts of each place only once.
class Places {
 public:
  Places(const Sources& sources, Cause cause) : sources_(sources), names_(sources), cause_(cause) {}

  // The functions below return the number of a place.
  std::uint32_t of_task(std::uint32_t task) { return of_holder(task, no_index); }
  // The place at which `task` delays the task `waiting`. Its line is the line of the call that has
  // to change:
  // - for an event, the call that made the stream wait for the event;
  // - for an edge or a callback in a CUDA graph, the call that put the task into the graph;
  // - in all other cases, the call that issued the task.
  std::uint32_t of_holder(std::uint32_t task, std::uint32_t waiting);
  // The chain, in Trace::stacks, of the call that has to change. CallStacks::none without a stack.
  std::uint32_t chain_of_holder(std::uint32_t task, std::uint32_t waiting);
  // The place of a call. If the cause is a lock or host work outside CUDA, the place of the host's
  // work before the call.
  std::uint32_t of_step(std::uint32_t step);
  // The place of the host's work before a call.
  std::uint32_t of_gap(std::uint32_t step);

  const CodePlace& operator[](std::uint32_t place) const { return places_[place]; }

 private:
  template <class Describe>
  std::uint32_t numbered(std::uint64_t what, std::uint32_t call, std::uint32_t chain,
                         Describe&& describe);
  std::uint32_t call_that_waits(std::uint32_t task, std::uint32_t waiting);
  void find_stream_waits();

  Sources sources_;
  GraphNames names_;
  Cause cause_;
  std::vector<CodePlace> places_;
  struct Key {
    std::uint64_t what = 0;
    std::uint32_t range_name = 0;
    std::uint32_t line = 0;  // CallStacks::place

    friend bool operator==(const Key&, const Key&) = default;
  };
  struct HashOfKey {
    std::size_t operator()(const Key& key) const;
  };
  std::map<CodePlace, std::uint32_t> by_value_;
  // A call that made the stream `stream` wait for an event. The event was recorded in the stream
  // `recorded_in`. `stream_waits_` is sorted by process, stream and time.
  struct StreamWait {
    std::uint32_t pid = 0;
    std::uint32_t stream = 0;
    std::uint32_t call = 0;
    std::uint32_t recorded_in = 0;
    Ns time = 0;
  };
  std::vector<StreamWait> stream_waits_;
  bool knows_stream_waits_ = false;
  std::unordered_map<Key, std::uint32_t, HashOfKey> by_key_;
};

}  // namespace lapscope::analyzer
