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

// What was found for the code of a file when its addresses were to get names: the codes of
// LAPSCOPE_MODULES.symbols.
enum class CodeNames : std::uint8_t {
  not_told,
  lines,
  functions,     // without lines
  unread_lines,  // for want of libdw
  none,          // it has none
  missing,       // the file was not there
  changed,       // another one was there
};

// A file that code was mapped from.
struct CodeFile {
  std::string build_id;  // in hexadecimal digits; may be empty
  CodeNames names = CodeNames::not_told;
};

// A frame of a call stack. Texts are in Trace::names; 0 is none.
struct Frame {
  std::uint32_t function = 0;
  std::uint32_t module = 0;
  std::uint32_t file = 0;
  std::uint32_t line = 0;  // from 1; 0 when not known
  bool is_inlined = false;
};

// The call stacks of a trace, and which calls have which.
//
// Of launches and asynchronous copies only a sample has stacks. The others take the stack of calls
// like them (same thread, function, op and stream; where these come from several lines, also with
// the same calls before and after), if all of those were made at one line: the stack of the call
// nearest in time, for they may differ in who called.
class CallStacks {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  struct Taken {
    std::uint32_t call = 0;   // in Trace::calls
    std::uint32_t chain = 0;  // index
  };
  struct Capture {
    std::uint32_t call = 0;  // in Trace::calls
    Ns ns = 0;
  };
  // A node of a CUDA graph, and the call that made it, or made the one that it is a copy of.
  struct NodeMaker {
    std::uint64_t node = 0;
    std::uint32_t call = 0;  // in Trace::calls

    friend auto operator<=>(const NodeMaker&, const NodeMaker&) = default;
  };

  bool empty() const { return begin_.size() == 1; }
  // A chain, innermost frame first; returns its index.
  std::uint32_t add_chain(std::span<const Frame> frames);
  std::span<const Frame> chain(std::uint32_t index) const;
  std::size_t chain_count() const { return begin_.size() - 1; }

  // Says which calls have stacks, finds whose code the frames are in, and gives stacks to calls
  // that were left out of the sample. The trace has its calls and ops by then.
  void settle(const Trace& trace, const std::vector<Taken>& taken);

  // What recording the stacks of calls took; by call, each once at most.
  void set_captures(std::vector<Capture> captures) { captures_ = std::move(captures); }
  // What recording the stack of a call took: 0 where it has no stack of its own, or nothing is
  // known.
  Ns capture_ns(std::uint32_t call) const;

  void set_makers(std::vector<NodeMaker> makers);
  // Marks a call as part of the backward pass of what was called with another chain. Call this
  // after settle().
  void set_forward(std::uint32_t call, std::uint32_t forward);

  // The same chains for a trace that has some of the calls: `calls` has those calls by their index
  // there.
  CallStacks selected(std::span<const std::uint32_t> calls) const;

  // The chain of a call; none when it has none.
  std::uint32_t of_call(std::uint32_t call) const;
  // The chain of the call that put a node into its graph; none when that is not known.
  std::uint32_t of_node(std::uint64_t node) const;
  // The innermost frame of a chain that is the program's own, or, where none is, of a library;
  // none when there is neither.
  std::uint32_t own_frame(std::uint32_t chain) const { return own_frame_[chain]; }
  // For a call of the backward pass, the chain of the forward operator that it belongs to; none for
  // others. Its line is shown instead of the line of backward().
  std::uint32_t forward(std::uint32_t chain) const {
    return chain < first_backward_ ? none : backward_[chain - first_backward_].forward;
  }
  // The chain that has the line.
  std::uint32_t line_chain(std::uint32_t chain) const {
    return forward(chain) == none ? chain : forward(chain);
  }
  CodeOwner owner(std::uint32_t chain, std::uint32_t frame) const {
    return owners_[begin_[chain] + frame];
  }
  // Where that frame is: equal numbers are the same line, or function where lines are not known,
  // and the same caller(). none when there is no such frame.
  std::uint32_t place(std::uint32_t chain) const { return places_[chain]; }
  // The frame that called that line, if it is called from several and each call at it has a stack
  // of its own with a caller: the next frame of the same owner at another line. none otherwise.
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
  // By chain, equal numbers are the same line: its own and its caller's, until places have numbers.
  std::vector<std::uint32_t> lines_;
  std::vector<std::uint32_t> caller_lines_;
  std::vector<std::uint32_t> places_;  // by chain
  std::uint32_t place_count_ = 0;
  std::vector<std::uint32_t> of_calls_;  // by call; empty where no call has a stack
  std::vector<Capture> captures_;
  std::vector<NodeMaker> makers_;  // by node; of each once

  // Chains of the backward pass are copies, behind all others.
  struct Backward {
    std::uint32_t own = none;  // the chain that it is a copy of; none of calls without a stack
    std::uint32_t forward = none;
  };
  std::uint32_t first_backward_ = none;
  std::vector<Backward> backward_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> backward_index_;
};

// Where a frame is, in as few words as possible: "src/pipeline.cu:120" where its line is known, its
// function otherwise, or its module. Empty when nothing is known.
std::string place_of(const Trace& trace, const Frame& frame);

}  // namespace lapscope::analyzer
