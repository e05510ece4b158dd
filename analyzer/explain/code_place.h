#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "analyzer/model/stacks.h"

namespace lapscope::analyzer {

// What is done at a place of a program. Reports have its words.
struct Doing {
  enum class Kind : std::uint8_t {
    nothing,        // not known
    op,             // `name` is a kernel's, or "copy h2d"
    host_function,  //
    call,           // `name` is the function's, as cudaMemcpyAsync
    lock,           // a thread waits for one before the call named `name`
    host_code,      // between calls
  };
  // What distinguishes it from others of its name.
  enum class Detail : std::uint8_t {
    none,
    legacy_stream,    // an op of the legacy default stream
    pageable_memory,  // a copy of such
    pool,             // a call that takes memory from a pool, or gives it back
  };

  Kind kind = Kind::nothing;
  std::string name = {};
  Detail detail = Detail::none;

  friend auto operator<=>(const Doing&, const Doing&) = default;
};

// A place in a program as far as a trace knows it: what is done there, the innermost NVTX range
// around it, and the line of the call. The instances of a loop are one place.
struct CodePlace {
  Doing what;
  std::string range;  // digits as *; empty when in none
  // As src/pipeline.cu:120; a function where lines are not known; empty without call stacks. For
  // what the host does between calls, this is the line of the call behind it.
  std::string line;
  std::string caller = {};   // the line that calls that one, if there are several
  bool is_backward = false;  // the line belongs to the forward operator

  friend auto operator<=>(const CodePlace&, const CodePlace&) = default;
};

// A frame of a call stack.
struct StackFrame {
  std::string function;   // empty when not known
  std::string module;     // the file that it is in; "[python]"; may be empty
  std::string file;       // of the source; empty when not known
  std::int64_t line = 0;  // 0 when not known
  bool is_inlined = false;
  CodeOwner owner = CodeOwner::program;
};

// Code that has no name, and the file that it belongs to: what would give it a name depends on the
// file.
struct NamelessCode {
  std::string file;  // without folders
  CodeFile code;
  CodeOwner owner = CodeOwner::program;
};

}  // namespace lapscope::analyzer
