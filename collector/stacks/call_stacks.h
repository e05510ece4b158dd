#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "collector/python_frames/python_frames.h"
#include "collector/stacks/chain_store.h"
#include "collector/stacks/module_table.h"
#include "collector/stacks/own_memory.h"
#include "collector/stacks/sampler.h"
#include "collector/stacks/unwinder.h"

namespace lapscope::stacks {

// The stacks of calls, from the threads that call to the one that writes: the native frames, and
// from the first frame of a Python interpreter on the Python frames. capture() and sample() may be
// called in any thread, at the entry of any call: they take no lock, allocate nothing, and lose a
// stack rather than wait. As long-lived as the process; not to be used in its children.
class CallStacks {
 public:
  static constexpr std::size_t most_frames = 64;

  // Whether this processor's and this C library's stacks can be walked: x86-64, glibc 2.35. Where
  // not, nothing is to be captured.
  static bool are_supported() noexcept;

  // Skips what a stack begins with and is not needed: frames of the object that this address is in.
  // To be called before the first capture.
  void skip_frames_of(std::uintptr_t address) noexcept;

  // Who reads frames of Python, and where PyTorch's autograd threads run (of no length: nowhere).
  // Once at most, at any time.
  void set_python(python_frames::PythonFrames& python,
                  process::AddressRange autograd_loop) noexcept;

  // The stack of the call that has this correlation id.
  void capture(std::uint32_t correlation) noexcept;
  // The same, of the first calls of a sort and of one in so many.
  void sample(std::uint32_t correlation, std::uint64_t sort) noexcept {
    if (sampler_.takes(sort)) capture(correlation);
  }

  // Where another thread was a moment ago, and its stack from the stack pointer on.
  struct Running {
    Registers registers;
    std::span<const std::byte> stack;
  };
  struct SeenThread {
    std::uint32_t chain = 0;  // 0: none
    bool has_native = false;
    python_frames::PythonFrames::Seen python;
  };
  // The stack of another thread, by its pthread_self(): its frames of Python, and native frames in
  // front of them where `running` is known. Stacks of threads that run are mostly new; once half of
  // the room is taken, there are no native frames of them, so that calls have stacks on.
  SeenThread look_at(std::uint64_t thread, const Running* running) noexcept;
  // The collections of the first interpreter, as PythonFrames reports them.
  std::optional<python_frames::GarbageCollections> garbage_collections() noexcept;
  // Whether this is an address among Python's own variables, its lock included.
  bool is_of_interpreter(std::uintptr_t address) const noexcept;

  // The rest is for one thread.

  struct Stack {
    std::uint32_t chain = 0;  // number of `chains()`
    bool is_whole = false;    // to the first function of its thread
    std::int64_t ns = 0;      // what its capture took: to 32 ns, and half a millisecond at most
  };
  // The stack of a call; chain 0 if it has none. Can be taken once.
  Stack take(std::uint32_t correlation) noexcept;

  struct Counts {
    std::int64_t captured = 0;  // that take() may give
    std::int64_t not_unwound = 0;
    std::int64_t lost = 0;
    std::int64_t without_python = 0;  // captured without the frames of Python that they have
  };
  Counts counts() const noexcept;

  const ChainStore& chains() const { return chains_; }
  const ModuleTable& modules() const { return modules_; }
  // The file and the function of a Python frame.
  std::string_view python_file(const Frame& frame) const;
  std::string_view python_function(const Frame& frame) const;

 private:
  // Room for a walk; more threads than this at one time lose theirs.
  static constexpr std::size_t walkers = 32;
  // Calls whose record is still to come. Correlation ids are in order, so that two meet in a slot
  // when so many calls later; then the first is lost.
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
  std::size_t add_native(const Running& running, Walker& walker) noexcept;
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
  std::atomic<std::int64_t> captured_{0};
  std::atomic<std::int64_t> not_unwound_{0};
  std::atomic<std::int64_t> lost_{0};
  std::atomic<std::int64_t> without_python_{0};
};

}  // namespace lapscope::stacks
