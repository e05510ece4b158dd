#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "analyzer/model/stacks.h"

namespace lapscope::analyzer {

// What a program does at a place in its code.
struct Doing {
  enum class Kind : std::uint8_t {
    nothing,        // not known
    op,             // `name` is the name of a kernel, or "copy h2d"
    host_function,  // a host function in a stream
    call,           // `name` is the function, such as cudaMemcpyAsync
    lock,           // a thread waits for a lock before its call of `name`
    host_code,      // the host's work between calls
  };
  // Distinguishes ops or calls that have the same name.
  enum class Detail : std::uint8_t {
    none,
    legacy_stream,    // an op of the legacy default stream
    pageable_memory,  // a copy from or to pageable memory
    pool,             // a call that takes memory from a pool, or gives it back
  };

  Kind kind = Kind::nothing;
  std::string name = {};
  Detail detail = Detail::none;

  friend auto operator<=>(const Doing&, const Doing&) = default;
};

// A place in a program: the activity there, the innermost NVTX range around it, and the line of the
// call. All iterations of a loop are at the same place.
struct CodePlace {
  Doing what;
  std::string range;  // text of the range with digits as *; empty if there is none
  // The line, such as src/pipeline.cu:120, or the function if lines are not known. Empty if there
  // are no call stacks. For host code between two calls, the line of the second call.
  std::string line;
  std::string caller = {};  // the caller of `line`, if `line` has several callers
  // Whether the call belongs to the backward pass. If so, `line` is the line of the forward
  // operator.
  bool is_backward = false;

  friend auto operator<=>(const CodePlace&, const CodePlace&) = default;
};

struct StackFrame {
  std::string function;   // empty when not known
  std::string module;     // the binary that it is in, or "[python]"; may be empty
  std::string file;       // the source file; empty when not known
  std::int64_t line = 0;  // 0 when not known
  bool is_inlined = false;
  CodeOwner owner = CodeOwner::program;
};

// Code without a known function name. How a user can get the name depends on the code's binary.
struct NamelessCode {
  std::string file;  // without folders
  CodeFile code;
  CodeOwner owner = CodeOwner::program;
};

}  // namespace lapscope::analyzer
