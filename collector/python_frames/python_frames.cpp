#include "collector/python_frames/python_frames.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <type_traits>

#include "collector/python_frames/frame_walk.h"

namespace lapscope::python_frames {
namespace {

constexpr std::size_t slot_count = 64;
// A search visits at most this many thread states. With more threads, it gives up.
constexpr std::size_t most_threads = 128;

// The Python files that call PyTorch's autograd engine. The second one is for releases before 2.3.
constexpr std::string_view backward_files[] = {"torch/autograd/graph.py",
                                               "torch/autograd/__init__.py"};

bool is_backward(std::string_view file) {
  return std::any_of(std::begin(backward_files), std::end(backward_files),
                     [&](std::string_view ending) { return file.ends_with(ending); });
}

std::uint64_t this_thread_id() { return static_cast<std::uint64_t>(::pthread_self()); }

}  // namespace

// The memory of one walk. If possible, a thread always uses the same slot. The slot has the
// addresses that the thread's previous walk read, so that the next walk reads them with one system
// call.
struct PythonFrames::Slot {
  std::atomic<bool> is_taken;
  Snapshot memory;
};

PythonFrames::PythonFrames(const Interpreter& interpreter)
    : interpreter_(interpreter), slots_(slot_count) {
  static_assert(std::is_trivially_destructible_v<PythonFrames>);
  // A forked child does not have the threads that were walking, so their slots are freed there.
  slots_.wipe_on_fork();
}

// Returns the address of the calling thread's PyThreadState. Returns 0 if the thread has none or if
// Python does not run. Calls two functions of the interpreter. These functions only read variables,
// so they can be called even after the interpreter has ended.
std::uintptr_t PythonFrames::state_of_this_thread() const noexcept {
  if (!interpreter_.is_running()) return 0;
  return reinterpret_cast<std::uintptr_t>(interpreter_.this_thread());
}

PythonFrames::Slot* PythonFrames::take_slot(std::uint64_t thread_id) noexcept {
  if (slots_.empty()) return nullptr;
  const std::uint64_t first = mix(0, thread_id);
  for (std::size_t i = 0; i < slot_count; ++i) {
    Slot& slot = slots_[(first + i) % slot_count];
    if (!slot.is_taken.exchange(true, std::memory_order_acquire)) return &slot;
  }
  return nullptr;
}

template <typename Do>
std::size_t PythonFrames::in_slot(const OwnProcess& process, std::uint64_t thread_id,
                                  Do&& walk) noexcept {
  Slot* slot = take_slot(thread_id);
  if (!slot) return 0;
  slot->memory.begin(process);
  Walk steps(*this, slot->memory);
  const std::optional<std::size_t> count = walk(steps);
  if (!count) slot->memory.forget();
  slot->memory.end();
  slot->is_taken.store(false, std::memory_order_release);
  return count.value_or(0);
}

std::size_t PythonFrames::of_this_thread(std::span<PythonFrame> frames) noexcept {
  const std::uintptr_t thread = state_of_this_thread();
  if (thread == 0) return 0;
  const OwnProcess process;  // blocks signals, so that no signal handler forks during the walk
  return in_slot(process, this_thread_id(), [&](Walk& walk) -> std::optional<std::size_t> {
    // If the interpreter has ended before this thread, the thread's state has been freed, and its
    // memory may contain another id.
    if (walk.thread_id_of(thread) != this_thread_id()) return std::nullopt;
    if (!walk.is_only_interpreter(thread)) return std::nullopt;
    return walk.frames_of(thread, frames);
  });
}

// Other threads may run during the search. If the state of a thread looks invalid, the search skips
// the thread. The thread that was found is checked once more at the end.
std::size_t PythonFrames::of_backward_call(std::span<PythonFrame> frames) noexcept {
  const std::uintptr_t own = state_of_this_thread();
  if (own == 0) return 0;
  const OwnProcess process;
  return in_slot(process, this_thread_id(), [&](Walk& walk) -> std::optional<std::size_t> {
    if (walk.thread_id_of(own) != this_thread_id()) return std::nullopt;
    if (!walk.is_only_interpreter(own)) return std::nullopt;
    std::uintptr_t found = 0;
    const auto look_at = [&](std::uintptr_t thread) {
      PythonFrame innermost;
      if (walk.frames_of(thread, {&innermost, 1}).value_or(0) == 0) return true;
      if (!is_backward(text(innermost.file))) return true;
      if (found != 0) return false;
      found = thread;
      return true;
    };
    std::size_t looked_at = 0;
    for (const bool is_forward : {false, true}) {
      std::uintptr_t thread = own;
      for (;;) {
        thread = is_forward ? walk.next_thread(thread) : walk.previous_thread(thread);
        if (thread == 0) break;
        if (looked_at++ == most_threads || !look_at(thread)) return 0;
      }
    }
    if (found == 0) return 0;
    const auto count = walk.frames_of(found, frames);
    if (!count || !walk.is_still_there(found)) return 0;
    return count;
  });
}

// Walks the frames. If frames change during the walk, walks a second time. If frames change again,
// returns the outermost frames that both walks have in common. In a thread that calls many small
// functions, only the inner frames change.
std::size_t PythonFrames::of_thread(const OwnProcess& process, std::uint64_t thread_id,
                                    std::span<PythonFrame> frames, Seen& seen) noexcept {
  std::array<PythonFrame, most_frames> earlier;
  const std::size_t before = walk_of_thread(
      process, thread_id, std::span(earlier).first(std::min(frames.size(), most_frames)), seen);
  if (!seen.is_torn) {
    std::copy_n(earlier.begin(), before, frames.begin());
    return before;
  }
  const std::size_t now = walk_of_thread(process, thread_id, frames, seen);
  if (!seen.is_torn) return now;
  const auto is_same = [&](std::size_t outer) {
    const PythonFrame& a = earlier[before - 1 - outer];
    const PythonFrame& b = frames[now - 1 - outer];
    return a.file == b.file && a.function == b.function;
  };
  std::size_t common = 0;
  while (common < std::min(before, now) && is_same(common)) ++common;
  std::copy(frames.begin() + static_cast<std::ptrdiff_t>(now - common),
            frames.begin() + static_cast<std::ptrdiff_t>(now), frames.begin());
  seen.is_torn = common == 0;
  return common;
}

// Walks once. Sets `seen.is_torn` if frames changed during the walk.
std::size_t PythonFrames::walk_of_thread(const OwnProcess& process, std::uint64_t thread_id,
                                         std::span<PythonFrame> frames, Seen& seen) noexcept {
  seen = {};
  if (!interpreter_.is_running()) return 0;
  // Returns no frames if there is a second interpreter; see Walk::is_only_interpreter().
  void* main = interpreter_.main_interpreter();
  if (!main || main != interpreter_.newest_interpreter()) return 0;
  const auto first = reinterpret_cast<std::uintptr_t>(interpreter_.first_thread(main));
  // The sampled thread walks its own frames in the slot of `thread_id`. So this walk takes another
  // slot.
  return in_slot(process, thread_id + 1, [&](Walk& walk) -> std::optional<std::size_t> {
    std::uintptr_t thread = first;
    for (std::size_t looked_at = 0; thread != 0 && looked_at < most_threads; ++looked_at) {
      if (walk.thread_id_of(thread) == thread_id) {
        seen.collects_garbage = walk.collects_garbage(thread);
        const auto count = walk.frames_of(thread, frames);
        seen.is_torn = !count || !walk.is_still_in_function(thread);
        return count.value_or(0);
      }
      thread = walk.next_thread(thread);
    }
    return 0;
  });
}

std::optional<GarbageCollections> PythonFrames::garbage_collections(
    const OwnProcess& process) noexcept {
  if (!interpreter_.is_running()) return std::nullopt;
  const auto main = reinterpret_cast<std::uintptr_t>(interpreter_.main_interpreter());
  if (main == 0) return std::nullopt;
  return collections_of(main, interpreter_.layout, process);
}

}  // namespace lapscope::python_frames
