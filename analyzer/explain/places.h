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

// The frames of a chain of Trace::stacks, innermost first.
std::vector<StackFrame> frames_of(const Trace& trace, std::uint32_t chain);

// What people call the things in a graph. Calls are indices into Trace::calls.
class GraphNames {
 public:
  explicit GraphNames(const Sources& sources) : sources_(sources) {}

  // A kernel's name, or as "copy h2d"; empty for a host function.
  std::string of_task(std::uint32_t task) const;
  // The call that issued a task; no_index when it is not in the trace.
  std::uint32_t call_of(std::uint32_t task) const;
  // As cudaMemcpyAsync.
  std::string function(std::uint32_t call) const;
  // As "thread 4711"; empty for no call.
  std::string thread(std::uint32_t call) const;
  // The innermost NVTX range around a call, in Trace::ranges; no_index when there is none.
  std::uint32_t range_around(std::uint32_t call) const;
  // Empty for no range.
  std::string range(std::uint32_t range) const;
  // In Trace::stacks; CallStacks::none when the call has no stack, and for no call.
  std::uint32_t chain_of(std::uint32_t call) const;
  // Where in the program a chain was (place_of), or its forward operator; empty when not known.
  std::string line(std::uint32_t chain) const;
  // Where that line was called from, if it is called from several; else empty.
  std::string caller(std::uint32_t chain) const;
  std::vector<StackFrame> stack(std::uint32_t chain) const;
  // The stack of the forward operator of a call of the backward pass; empty for others, and for no
  // chain.
  std::vector<StackFrame> forward_stack(std::uint32_t chain) const;
  // The frame that identifies a place, where that frame has no name.
  std::optional<NamelessCode> nameless(std::uint32_t chain) const;

 private:
  Sources sources_;
};

// Whose call to change where a task waits for another one. A barrier of the default stream has two
// sides: it is the side on the default stream, whichever of them waited. Where a copy to the device
// waits behind a kernel and could be issued elsewhere, it is the copy. Else it is the other task.
std::uint32_t to_change(const Graph& graph, Cause cause, std::uint32_t from, std::uint32_t waiting);

// The places that delay tasks for one cause, as numbers: asking for the place of every task of a
// large graph makes no text for each.
class Places {
 public:
  Places(const Sources& sources, Cause cause) : sources_(sources), names_(sources), cause_(cause) {}

  // The place of a task that delays others.
  std::uint32_t of_task(std::uint32_t task) { return of_holder(task, no_index); }
  // The place of a task that delays a certain one. Its line is the line of the call to change: for
  // an event, the call that made the stream wait; for an edge or a callback in a CUDA graph, the
  // call that put the task into the graph; else the call that issued the task.
  std::uint32_t of_holder(std::uint32_t task, std::uint32_t waiting);
  // In Trace::stacks, of that call; CallStacks::none when it has no stack.
  std::uint32_t chain_of_holder(std::uint32_t task, std::uint32_t waiting);
  // The place of a call; where the host's own work is the cause, the place of the time before the
  // call.
  std::uint32_t of_step(std::uint32_t step);
  // What the host does before it.
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
  // The calls that made a stream wait for an event, by process, stream and call; and the stream
  // that the event was recorded in.
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
