#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "collector/python_frames/garbage_collections.h"
#include "collector/python_frames/interpreter.h"
#include "collector/python_frames/shared_tables.h"

namespace lapscope::python_frames {

class Walk;

// Reads the Python frames of a thread, which may be outside of the interpreter and need not hold
// its lock. A walk only reads memory, with a system call (snapshot.h). It takes no lock, makes no
// Python object, changes no reference count, allocates nothing and waits for no thread. If
// something looks invalid, there are no frames.
//
// There is one object for the whole process. It is never destroyed, because threads may walk until
// the process ends. All members may be called in every thread, in signal handlers, in forked
// children, and while the interpreter or the process ends. There are no frames before the
// interpreter has started, or after it has run the functions of `atexit`.
class PythonFrames {
 public:
  explicit PythonFrames(const Interpreter& interpreter);
  PythonFrames(const PythonFrames&) = delete;
  PythonFrames& operator=(const PythonFrames&) = delete;

  // Fills in the frames of the calling thread, innermost first, and returns their number.
  std::size_t of_this_thread(std::span<PythonFrame> frames) noexcept;

  // Fills in the frames of the thread that is in PyTorch's `backward()`, and returns their number.
  // Used for launches of an autograd thread (find_autograd_loop). Returns 0 if two threads are in
  // `backward()`. In this case, it is unknown for which of the two the autograd thread works.
  std::size_t of_backward_call(std::span<PythonFrame> frames) noexcept;

  struct Seen {
    bool is_torn = false;           // whether there are no frames, as all changed during the walk
    bool collects_garbage = false;  // whether it did just before its frames were read
  };
  // Fills in the frames of another thread and returns their number. `thread_id` is its
  // pthread_self(). The thread may run during the walk. Frames that change during the walk are left
  // out, and so are their callees. The lines are those that the frames executed during the walk.
  std::size_t of_thread(const OwnProcess& process, std::uint64_t thread_id,
                        std::span<PythonFrame> frames, Seen& seen) noexcept;

  // Returns the garbage collections of the main interpreter so far. Returns nothing if no
  // interpreter runs or if the data cannot be read.
  std::optional<GarbageCollections> garbage_collections(const OwnProcess& process) noexcept;

  // Returns the name of a file or function. `number` is PythonFrame::file or PythonFrame::function.
  // The name is UTF-8, and empty if unknown.
  std::string_view text(std::uint32_t number) const noexcept { return texts_.text(number); }

  // The address range of the interpreter's code, at which a walk through native frames ends.
  const process::AddressRange& interpreter() const { return interpreter_.code; }

  // The interpreter's own variables, including its lock.
  const process::AddressRange& variables() const { return interpreter_.variables; }

 private:
  std::size_t walk_of_thread(const OwnProcess& process, std::uint64_t thread_id,
                             std::span<PythonFrame> frames, Seen& seen) noexcept;
  friend class Walk;
  struct Slot;

  std::uintptr_t state_of_this_thread() const noexcept;
  Slot* take_slot(std::uint64_t thread_id) noexcept;
  template <typename Do>
  std::size_t in_slot(const OwnProcess& process, std::uint64_t thread_id, Do&& walk) noexcept;

  const Interpreter interpreter_;
  TextTable texts_;
  FrameTable known_;
  process::LastingArray<Slot> slots_;
};

}  // namespace lapscope::python_frames
