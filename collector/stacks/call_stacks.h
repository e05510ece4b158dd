#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "collector/python_frames/python_frames.h"
#include "collector/stacks/chain_store.h"
#include "collector/stacks/module_table.h"
#include "collector/stacks/own_memory.h"
#include "collector/stacks/sampler.h"
#include "collector/stacks/unwinder.h"

namespace lapscope::stacks {

// Passes the stacks of calls from the calling threads to the thread that writes the trace. A stack
// has native frames up to the first frame of a Python interpreter, and Python frames from there on.
//
// capture() and sample() may be called in any thread, at the entry of any call. They take no lock,
// allocate nothing, and lose a stack instead of waiting. The object lives as long as the process.
// Do not use it in forked children.
class CallStacks {
 public:
  static constexpr std::size_t most_frames = 64;

  // Returns whether stacks can be captured, which needs x86-64 and glibc 2.35 or later.
  static bool are_supported() noexcept;

  // Makes captures leave out the innermost frames that are in the library at `address`. Call this
  // function before the first capture.
  void skip_frames_of(std::uintptr_t address) noexcept;

  // Sets the reader of Python frames. `autograd_loop` is the address range of the function in which
  // PyTorch's autograd threads run; empty if it was not found. Call it at most once, at any time.
  void set_python(python_frames::PythonFrames& python,
                  process::AddressRange autograd_loop) noexcept;

  void capture(std::uint32_t correlation) noexcept;
  // Like capture(), but captures only the calls that Sampler::takes() chooses.
  void sample(std::uint32_t correlation, std::uint64_t sort, bool is_scarce = false) noexcept {
    if (sampler_.takes(sort, is_scarce)) capture(correlation);
  }
  // Makes sample() forget all earlier calls (Sampler::reset()).
  void reset_samples() noexcept { sampler_.reset(); }
  // Returns how long all captures have taken together, in ns.
  std::int64_t capture_ns() const noexcept { return capture_ns_.load(std::memory_order_relaxed); }

  // The registers that another thread had a moment ago, and a copy of the thread's stack. The copy
  // begins at the stack pointer.
  struct StackCopy {
    Registers registers;
    std::span<const std::byte> stack;
  };
  struct SeenThread {
    std::uint32_t chain = 0;  // 0: none
    bool has_native = false;
    python_frames::PythonFrames::Seen python;
  };
  // Returns the stack of the thread whose pthread_self() is `thread`. The stack has Python frames.
  // It also has native frames if `copy` returns a copy of the thread's stack. `copy` is called
  // after the Python frames were read. If more than half of the room for chains is used, the copy
  // is ignored: native stacks of running threads are mostly new chains, and the other half is kept
  // for the stacks of calls.
  SeenThread look_at(const python_frames::OwnProcess& process, std::uint64_t thread,
                     const std::function<std::optional<StackCopy>()>& copy) noexcept;
  std::optional<python_frames::GarbageCollections> garbage_collections(
      const python_frames::OwnProcess& process) noexcept;
  // Returns whether the address lies in the interpreter's own variables, such as its lock.
  bool is_of_interpreter(std::uintptr_t address) const noexcept;

  // Only one thread may use the members below.

  struct Stack {
    std::uint32_t chain = 0;  // number in chains(); 0: none
    bool is_whole = false;    // reaches the first function of its thread
    std::int64_t ns = 0;      // how long its capture took, in steps of 32 ns, 0.5 ms at most
  };
  // Removes and returns the stack of a call. If it has none, `chain` is 0.
  Stack take(std::uint32_t correlation) noexcept;

  struct Counts {
    std::int64_t captured = 0;  // stacks that take() may return
    std::int64_t not_unwound = 0;
    std::int64_t lost = 0;
    std::int64_t without_python = 0;  // captured without their Python frames
  };
  Counts counts() const noexcept;

  const ChainStore& chains() const { return chains_; }
  const ModuleTable& modules() const { return modules_; }
  // Return the names of the file and the function of a Python frame.
  std::string_view python_file(const Frame& frame) const;
  std::string_view python_function(const Frame& frame) const;

 private:
  // Number of walkers. A thread that finds no free walker loses its stack.
  static constexpr std::size_t walkers = 32;
  // Number of slots for calls whose records have not come yet. Correlation ids increase by 1 per
  // call, so after this many calls a slot is reused. The stack of the earlier call is then lost.
  static constexpr std::size_t pending_calls = std::size_t{1} << 20U;

  struct Walker {
    std::atomic<bool> in_use;
    WalkRoom room;
    std::array<Unwinder::Frame, most_frames + 16> walked;
    std::array<python_frames::PythonFrame, most_frames> python;
    std::array<Frame, most_frames> frames;
  };

  Walker* take_walker() noexcept;
  bool is_left_out(std::uintptr_t address) const noexcept;
  struct Kept {
    std::uint32_t chain = 0;  // 0: none
    bool is_whole = false;
  };
  Kept walk() noexcept;
  Kept keep(const Unwinder::Walk& walk, Walker& walker) noexcept;
  std::size_t add_native(const StackCopy& copy, Walker& walker) noexcept;
  std::size_t add_python(std::size_t native, bool of_backward_call, Walker& walker) noexcept;

  const OwnMemory memory_;
  Unwinder unwinder_{memory_};
  ModuleTable modules_{memory_};
  ChainStore chains_;
  Sampler sampler_;
  LastingArray<Walker> walkers_{walkers, Taken::at_once};
  LastingArray<std::atomic<std::uint64_t>> pending_{pending_calls};
  std::array<process::AddressRange, 4> left_out_{};
  std::size_t left_out_count_ = 0;
  std::atomic<python_frames::PythonFrames*> python_{nullptr};
  process::AddressRange autograd_loop_;  // written before python_
  std::atomic<std::int64_t> capture_ns_{0};
  std::atomic<std::int64_t> captured_{0};
  std::atomic<std::int64_t> not_unwound_{0};
  std::atomic<std::int64_t> lost_{0};
  std::atomic<std::int64_t> without_python_{0};
};

}  // namespace lapscope::stacks
