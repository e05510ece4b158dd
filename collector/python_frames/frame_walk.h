#pragma once

#include <array>
#include <optional>

#include "collector/python_frames/code_objects.h"
#include "collector/python_frames/python_frames.h"
#include "collector/python_frames/snapshot.h"

namespace lapscope::python_frames {

// Walks the Python frames of a thread, whose PyThreadState is at the address `thread`.
class Walk {
 public:
  Walk(PythonFrames& owner, Snapshot& memory)
      : interpreter_(owner.interpreter_),
        layout_(owner.interpreter_.layout),
        memory_(memory),
        code_(owner.interpreter_, owner.texts_, owner.known_, memory) {}

  // Fills in the frames, innermost first, and returns their number. Returns nullopt if something
  // cannot be read or is invalid.
  std::optional<std::size_t> frames_of(std::uintptr_t thread, std::span<PythonFrame> frames);

  // Returns the thread id from a thread state; 0 if the state cannot be read.
  std::uint64_t thread_id_of(std::uintptr_t thread);
  bool is_only_interpreter(std::uintptr_t thread);
  // Return the previous or next thread state in the interpreter's list; 0 if there is none.
  std::uintptr_t previous_thread(std::uintptr_t thread);
  std::uintptr_t next_thread(std::uintptr_t thread);

  // Returns whether the thread is still at the instruction at which the latest frames_of() found
  // it.
  bool is_still_there(std::uintptr_t thread);
  // Returns whether the thread is still in the innermost function that the latest frames_of()
  // found.
  bool is_still_in_function(std::uintptr_t thread);

  // Returns whether the thread collects garbage: its interpreter does, and the thread holds the
  // interpreter's lock. A free-threaded build has no such lock. In such a build, the thread must be
  // the only one that runs Python, because a collection stops all other threads.
  bool collects_garbage(std::uintptr_t thread);

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
  std::uintptr_t loop_ = 0;  // the thread's _PyCFrame; 0 if the thread state points to the frame
  std::uintptr_t innermost_ = 0;
  std::uintptr_t innermost_code_ = 0;
};

}  // namespace lapscope::python_frames
