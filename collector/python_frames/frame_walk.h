#pragma once

#include <array>
#include <optional>

#include "collector/python_frames/code_objects.h"
#include "collector/python_frames/python_frames.h"
#include "collector/python_frames/snapshot.h"

namespace lapscope::python_frames {

// One walk through the frames of a thread, which is given as its PyThreadState.
class Walk {
 public:
  Walk(PythonFrames& owner, Snapshot& memory)
      : interpreter_(owner.interpreter_),
        layout_(owner.interpreter_.layout),
        memory_(memory),
        code_(owner.interpreter_, owner.texts_, owner.known_, memory) {}

  // nullopt where something cannot be read or is not what it must be.
  std::optional<std::size_t> frames_of(std::uintptr_t thread, std::span<PythonFrame> frames);
  bool is_cut() const { return is_cut_; }

  // The id that a thread state contains, 0 if it is not a thread state.
  std::uint64_t thread_id_of(std::uintptr_t thread);
  bool is_only_interpreter(std::uintptr_t thread);
  // The neighbours of a thread state in the list of its interpreter.
  std::uintptr_t previous_thread(std::uintptr_t thread);
  std::uintptr_t next_thread(std::uintptr_t thread);

  // Whether the thread of the last frames_of() is still where it was then.
  bool is_still_there(std::uintptr_t thread);
  // Likewise, but it may have gone on within the innermost function.
  bool is_still_in_function(std::uintptr_t thread);

  // Whether it collects garbage: its interpreter does, and it holds the interpreter's lock. Where
  // there is none, the others have to stand still for that: so it runs Python, and no other does.
  bool collects_garbage(std::uintptr_t thread);
  std::optional<GarbageCollections> collections_of(std::uintptr_t interpreter) {
    return python_frames::collections_of(interpreter, layout_, memory_);
  }

 private:
  bool collect(std::uintptr_t thread, std::size_t most);
  bool is_in_frame(std::uintptr_t thread, bool at_instruction);
  bool has_lock(std::uintptr_t thread);

  const Interpreter& interpreter_;
  const Layout& layout_;
  Snapshot& memory_;
  CodeObjects code_;
  std::array<RunningCode, most_frames> seen_;
  std::size_t count_ = 0;
  bool is_cut_ = false;
  std::uintptr_t loop_ = 0;  // that the innermost frame runs in; 0: threads lead to frames
  std::uintptr_t innermost_ = 0;
  std::uintptr_t innermost_code_ = 0;
};

}  // namespace lapscope::python_frames
