#pragma once

#include <atomic>
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

// The frames of Python that led to where a thread is now, for a thread that has called out of the
// interpreter and may have released its lock. A walk reads memory alone, through the kernel
// (snapshot.h): it takes no lock, makes no frame object, touches no count of references, allocates
// nothing, and waits for no other thread. What does not look as it must gives no frames.
//
// One object is for the whole process, and stays until its end: nothing of it is destroyed or given
// back, as threads may walk even then. All members may be called in every thread, in a signal
// handler as well, in a forked child, and while the interpreter or the process ends. There are no
// frames before the interpreter has started, and none from when it begins to end (after the
// functions of `atexit`).
class PythonFrames {
 public:
  explicit PythonFrames(const Interpreter& interpreter);
  PythonFrames(const PythonFrames&) = delete;
  PythonFrames& operator=(const PythonFrames&) = delete;

  // Fills in the frames of the calling thread, innermost first, and returns how many these are.
  std::size_t of_this_thread(std::span<PythonFrame> frames) noexcept;

  // The frames of the one thread that is in PyTorch's `backward()` at present, for a launch of an
  // autograd thread (find_autograd_loop). None if two threads are in it: it is not known which one
  // the autograd thread works for.
  std::size_t of_backward_call(std::span<PythonFrame> frames) noexcept;

  // What is seen of another thread beside its frames.
  struct Seen {
    bool is_torn = false;           // no frames: all of them changed meanwhile
    bool collects_garbage = false;  // before its frames were read
  };
  // The frames of another thread, by its pthread_self(). It may run meanwhile: lines are those of a
  // moment, and of frames that change there are only the outer ones that stay.
  std::size_t of_thread(std::uint64_t thread_id, std::span<PythonFrame> frames,
                        Seen& seen) noexcept;

  // The collections of the first interpreter, up to now. Nothing if none runs or they cannot be
  // read.
  std::optional<GarbageCollections> garbage_collections() noexcept;

  // The text of a frame's file or function: UTF-8, empty if it is not known.
  std::string_view text(std::uint32_t number) const noexcept { return texts_.text(number); }

  // The addresses at which a walk through native frames ends.
  const process::AddressRange& interpreter() const { return interpreter_.code; }

  // Where the interpreter has its own variables, the lock of the interpreter among them.
  const process::AddressRange& variables() const { return interpreter_.variables; }

  struct Counts {
    std::uint64_t walks = 0;       // with frames
    std::uint64_t cut = 0;         // of `walks`, with fewer frames than there were
    std::uint64_t unreadable = 0;  // no frames: what was read made no sense, or
                                   // there is more than one interpreter
    std::uint64_t no_room = 0;     // no frames, because too many threads walked at once
  };
  Counts counts() const noexcept;

 private:
  std::size_t walk_of_thread(std::uint64_t thread_id, std::span<PythonFrame> frames,
                             Seen& seen) noexcept;
  friend class Walk;
  struct Slot;

  std::uintptr_t state_of_this_thread() const noexcept;
  Slot* take_slot() noexcept;
  template <typename Do>
  std::size_t in_slot(Do&& walk) noexcept;

  const Interpreter interpreter_;
  TextTable texts_;
  FrameTable known_;
  process::LastingArray<Slot> slots_;
  std::atomic<std::uint64_t> walks_{0}, cut_{0}, unreadable_{0}, no_room_{0};
};

}  // namespace lapscope::python_frames
