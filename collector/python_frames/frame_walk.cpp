#include "collector/python_frames/frame_walk.h"

#include <algorithm>

namespace lapscope::python_frames {
namespace {

// The maximum number of frames that a walk visits. A walk also visits the frames of calls from C,
// but does not return these frames.
constexpr std::size_t most_visited = 192;
// The number of bytes before a frame that are read together with the frame. Frames lie one after
// the other in memory, so these bytes probably contain the frames of the callers.
constexpr std::uint32_t frames_nearby = 2048;

}  // namespace

std::uint64_t Walk::thread_id_of(std::uintptr_t thread) {
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  return state ? value_in<std::uint64_t>(state, layout_.thread.thread_id) : 0;
}

// Returns whether there is only one interpreter. In this case, this thread state belongs to the
// newest interpreter. If there were two interpreters, each would have its own states for the same
// threads. lapscope could not tell which interpreter a thread is in, because it takes no lock of an
// interpreter.
bool Walk::is_only_interpreter(std::uintptr_t thread) {
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  return state &&
         value_in<void*>(state, layout_.thread.interpreter) == interpreter_.newest_interpreter();
}

std::uintptr_t Walk::previous_thread(std::uintptr_t thread) {
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  return state ? value_in<std::uintptr_t>(state, layout_.thread.previous) : 0;
}

std::uintptr_t Walk::next_thread(std::uintptr_t thread) {
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  return state ? value_in<std::uintptr_t>(state, layout_.thread.next) : 0;
}

bool Walk::collect(std::uintptr_t thread, std::size_t most) {
  count_ = 0;
  innermost_ = 0;
  most = std::min(most, most_frames);
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  if (!state) return false;
  auto address = value_in<std::uintptr_t>(state, layout_.thread.frame);
  loop_ = 0;
  if (layout_.frame_in_loop) {
    loop_ = address;
    const std::byte* frame = memory_.at(loop_ + *layout_.frame_in_loop, sizeof address);
    if (!frame) return false;
    address = value_in<std::uintptr_t>(frame, 0);
  }
  innermost_ = address;
  for (std::size_t visited = 0; address != 0 && count_ < most && visited < most_visited;
       ++visited) {
    const std::byte* frame = memory_.at(address, layout_.frame.size, most > 1 ? frames_nearby : 0);
    if (!frame) return false;
    const auto code = value_in<std::uintptr_t>(frame, layout_.frame.code);
    RunningCode seen{code & ~std::uintptr_t{layout_.frame.tags},
                     value_in<std::uintptr_t>(frame, layout_.frame.instruction),
                     layout_.frame.owner != 0 ? value_in<std::uint8_t>(frame, layout_.frame.owner)
                                              : std::uint8_t{0}};
    if (!layout_.code.has_instructions) {
      seen.instruction = static_cast<std::uintptr_t>(
          std::int64_t{value_in<std::int32_t>(frame, layout_.frame.instruction)});
    }
    if (layout_.frame.copy != 0) seen.copy = value_in<std::int32_t>(frame, layout_.frame.copy);
    if (seen.owner > layout_.frame.last_owner) return false;
    if (address == innermost_) innermost_code_ = code;
    if (seen.owner < owned_by_c) seen_[count_++] = seen;
    const auto caller = value_in<std::uintptr_t>(frame, layout_.frame.previous);
    if (caller == address) return false;
    address = caller;
  }
  return true;
}

bool Walk::has_lock(std::uintptr_t thread) {
  const auto& at = layout_.collector;
  if (at.holder == 0) {
    const std::byte* state = memory_.at(thread, layout_.thread.size);
    return state && (value_in<std::uint32_t>(state, at.thread_status) & holds_lock);
  }
  const process::AddressRange& variables = interpreter_.variables;
  const Place holder{variables.begin + at.holder, sizeof thread};
  std::array<std::byte, sizeof thread> now;
  return variables.contains(holder.address) && memory_.copy({&holder, 1}, now) == 1 &&
         value_in<std::uintptr_t>(now.data(), 0) == thread;
}

bool Walk::collects_garbage(std::uintptr_t thread) {
  const auto& at = layout_.collector;
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  if (!state) return false;
  const auto interpreter = value_in<std::uintptr_t>(state, layout_.thread.interpreter);
  if (at.youngest != 0) {
    const std::byte* youngest = memory_.at(interpreter + at.youngest, sizeof interpreter);
    if (!youngest || value_in<std::uintptr_t>(youngest, 0) != interpreter + at.generations) {
      return false;
    }
  }
  const std::byte* collecting = memory_.at(interpreter + at.collecting, sizeof(std::int32_t));
  if (!collecting || value_in<std::int32_t>(collecting, 0) != 1 || !has_lock(thread)) return false;
  if (!layout_.is_free_threaded) return true;
  std::size_t looked_at = 0;
  for (const bool is_forward : {false, true}) {
    for (std::uintptr_t other = thread;;) {
      other = is_forward ? next_thread(other) : previous_thread(other);
      if (other == 0) break;
      if (looked_at++ == most_visited || has_lock(other)) return false;
    }
  }
  return true;
}

std::optional<std::size_t> Walk::frames_of(std::uintptr_t thread, std::span<PythonFrame> frames) {
  if (!collect(thread, frames.size())) return std::nullopt;
  code_.fetch(std::span(seen_).first(count_));
  std::size_t count = 0;
  for (const RunningCode& seen : std::span(seen_).first(count_)) {
    const auto outcome = code_.resolve(seen, frames[count]);
    if (outcome == CodeObjects::Outcome::nonsense) return std::nullopt;
    if (outcome == CodeObjects::Outcome::frame) ++count;
  }
  return count;
}

bool Walk::is_still_there(std::uintptr_t thread) {
  return count_ != 0 && is_in_frame(thread, true);
}

bool Walk::is_still_in_function(std::uintptr_t thread) {
  // If the thread was in no Python function, it cannot have left one.
  return count_ == 0 || is_in_frame(thread, false);
}

// Returns whether the innermost frame and its code are unchanged since collect(). If
// `at_instruction` is true, the instruction must be unchanged, too. Reads all of them with one
// system call.
bool Walk::is_in_frame(std::uintptr_t thread, bool at_instruction) {
  constexpr std::size_t most = 4;
  std::array<Place, most> places;
  std::array<std::uintptr_t, most> then;
  std::size_t count = 0;
  const auto expect = [&](std::uintptr_t address, std::uintptr_t value) {
    places[count] = {address, sizeof value};
    then[count++] = value;
  };
  expect(thread + layout_.thread.frame, layout_.frame_in_loop ? loop_ : innermost_);
  if (layout_.frame_in_loop) expect(loop_ + *layout_.frame_in_loop, innermost_);
  expect(innermost_ + layout_.frame.code, innermost_code_);
  if (at_instruction) expect(innermost_ + layout_.frame.instruction, seen_[0].instruction);
  std::array<std::byte, most * sizeof(std::uintptr_t)> now;
  return memory_.copy({places.data(), count}, now) == count &&
         std::memcmp(now.data(), then.data(), count * sizeof(std::uintptr_t)) == 0;
}

}  // namespace lapscope::python_frames
