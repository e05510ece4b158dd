#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/intervals/units.h"
#include "analyzer/model/code_owner.h"

namespace lapscope::analyzer {

struct Trace;

// The result of symbolizing the code addresses of a file. The values are the codes of
// LAPSCOPE_MODULES.symbols.
enum class CodeNames : std::uint8_t {
  not_told,
  lines,
  functions,     // functions without lines
  unread_lines,  // functions; the lines were not read without libdw
  none,          // the file has no symbols
  missing,       // the file was not there
  changed,       // the file has another build id
};

// A file that code was mapped from.
struct CodeFile {
  std::string build_id;  // in hexadecimal digits; may be empty
  CodeNames names = CodeNames::not_told;
};

// A frame of a call stack. Texts are indices in Trace::names; 0: none.
struct Frame {
  std::uint32_t function = 0;
  std::uint32_t module = 0;
  std::uint32_t file = 0;
  std::uint32_t line = 0;  // from 1; 0 when not known
  bool is_inlined = false;
};

// The call stacks of a trace, and the stack of each call. A chain is the list of frames of a stack.
//
// For launches and asynchronous copies, only a sample of the stacks is recorded. A call without a
// stack gets the stack of a similar call. Calls are similar if they have the same thread and
// function, and if their ops have the same name and stream. The stack is chosen as follows:
// - All similar calls with a stack are candidates.
// - If the candidates were made at several lines, some candidates are dropped. A candidate remains
//   if the calls just before and after the candidate are similar to the calls just before and after
//   the call without a stack.
// - If all candidates were made at one line, the call gets the stack of the candidate that is
//   nearest in time. The line may have several callers, and the nearest candidate probably has the
//   same caller.
// - Otherwise the call gets no stack.
class CallStacks {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  struct Taken {
    std::uint32_t call = 0;   // in Trace::calls
    std::uint32_t chain = 0;  // index of the chain
  };
  struct Capture {
    std::uint32_t call = 0;  // in Trace::calls
    Ns ns = 0;
  };
  // A node of a CUDA graph, and the call that made it. For a node of an executable graph, `call` is
  // the call that made the original node.
  struct NodeMaker {
    std::uint64_t node = 0;
    std::uint32_t call = 0;  // in Trace::calls

    friend auto operator<=>(const NodeMaker&, const NodeMaker&) = default;
  };

  bool empty() const { return begin_.size() == 1; }
  // Adds a chain, innermost frame first. Returns its index.
  std::uint32_t add_chain(std::span<const Frame> frames);
  std::span<const Frame> chain(std::uint32_t index) const;
  std::size_t chain_count() const { return begin_.size() - 1; }

  // Sets which calls have stacks, and gives stacks to calls outside the sample. Finds the owner of
  // each frame. `trace` must already have its calls and ops.
  void settle(const Trace& trace, const std::vector<Taken>& taken);

  // Sets the results of capture_ns(). `captures` is sorted by call and has each call at most once.
  void set_captures(std::vector<Capture> captures) { captures_ = std::move(captures); }
  // Returns the time, in ns, for recording the stack of a call. 0 if no stack was recorded, or if
  // the time is not known.
  Ns capture_ns(std::uint32_t call) const;

  void set_makers(std::vector<NodeMaker> makers);
  // Marks a call as part of the backward pass. `forward`: the chain of the forward operator. Call
  // settle() first.
  void set_forward(std::uint32_t call, std::uint32_t forward);

  // Returns the stacks of the calls in `calls`. In the result, the call with the index calls[k] has
  // the index k.
  CallStacks selected(std::span<const std::uint32_t> calls) const;

  // Returns the chain of a call; `none` if the call has no chain.
  std::uint32_t of_call(std::uint32_t call) const;
  // Returns the chain of the call that added a node to its graph; none if not known.
  std::uint32_t of_node(std::uint64_t node) const;
  // Returns the innermost frame in the program's own code, or else in a library, or else `none`.
  std::uint32_t own_frame(std::uint32_t chain) const { return own_frame_[chain]; }
  // Returns the chain of the forward operator for a chain of the backward pass, else `none`.
  // Reports show the line of this operator, not that of backward().
  std::uint32_t forward(std::uint32_t chain) const {
    return chain < first_backward_ ? none : backward_[chain - first_backward_].forward;
  }
  // Returns the chain whose line reports show: the chain of the forward operator (forward()), or
  // `chain` itself if there is no forward operator.
  std::uint32_t line_chain(std::uint32_t chain) const {
    return forward(chain) == none ? chain : forward(chain);
  }
  CodeOwner owner(std::uint32_t chain, std::uint32_t frame) const {
    return owners_[begin_[chain] + frame];
  }
  // Returns a number for the place of own_frame(), or `none`. Chains with the same number have the
  // same caller(), and the same line (or function, if lines are not known).
  std::uint32_t place(std::uint32_t chain) const { return places_[chain]; }
  // Returns the frame that called the line of own_frame(): the nearest outer frame with the same
  // owner and another line. `none` if the line has only one caller, or if the recorded stacks do
  // not show the callers of all calls at the line.
  std::uint32_t caller(std::uint32_t chain) const { return callers_[chain]; }

 private:
  void find_owners(const Trace& trace);
  void number_lines(const Trace& trace);
  std::vector<bool> give_to_others(const Trace& trace);
  void number_places(const std::vector<bool>& is_given);

  std::vector<Frame> frames_;
  std::vector<std::uint32_t> begin_{0};
  std::vector<CodeOwner> owners_;         // by frame
  std::vector<std::uint32_t> own_frame_;  // by chain
  std::vector<std::uint32_t> callers_;    // by chain: frames
  // By chain: a number for its line, and one for its caller's line. number_places() empties both.
  std::vector<std::uint32_t> lines_;
  std::vector<std::uint32_t> caller_lines_;
  std::vector<std::uint32_t> places_;  // by chain
  std::uint32_t place_count_ = 0;
  std::vector<std::uint32_t> of_calls_;  // by call; empty where no call has a stack
  std::vector<Capture> captures_;
  std::vector<NodeMaker> makers_;  // by node, each node once

  // A chain of the backward pass is a copy of another chain. All copies have higher indices than
  // all other chains.
  struct Backward {
    std::uint32_t own = none;  // the chain that it copies; none: a call without a stack
    std::uint32_t forward = none;
  };
  std::uint32_t first_backward_ = none;
  std::vector<Backward> backward_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> backward_index_;
};

// Returns the place of a frame as a short text: the line ("src/pipeline.cu:120"), else the
// function, else the module. Returns an empty text if none is known.
std::string place_of(const Trace& trace, const Frame& frame);

}  // namespace lapscope::analyzer
