#include "collector/python_frames/frame_walk.h"

#include <algorithm>

namespace lapscope::python_frames {
namespace {

// Frames of calls from C are not counted among the others.
constexpr std::size_t most_visited = 192;
// So much in front of a frame is likely to hold the frames that called it: frames lie in a row.
constexpr std::uint32_t frames_nearby = 2048;

}  // namespace

std::uint64_t Walk::thread_id_of(std::uintptr_t thread) {
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  return state ? value_in<std::uint64_t>(state, layout_.thread.thread_id) : 0;
}

// Another interpreter in this process has states of its own for the same threads, and which of them
// a thread is in cannot be told without its lock.
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
  is_cut_ = false;
  innermost_ = 0;
  most = std::min(most, most_frames);
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  if (!state) return false;
  c_frame_ = value_in<std::uintptr_t>(state, layout_.thread.c_frame);
  const std::byte* c_frame = memory_.at(c_frame_ + layout_.current_frame, sizeof(std::uintptr_t));
  if (!c_frame) return false;
  auto address = innermost_ = value_in<std::uintptr_t>(c_frame, 0);
  for (std::size_t visited = 0; address != 0; ++visited) {
    if (count_ == most || visited == most_visited) {
      is_cut_ = true;
      break;
    }
    const std::byte* frame = memory_.at(address, layout_.frame.size, most > 1 ? frames_nearby : 0);
    if (!frame) return false;
    const RunningCode seen{value_in<std::uintptr_t>(frame, layout_.frame.code),
                           value_in<std::uintptr_t>(frame, layout_.frame.instruction),
                           value_in<std::uint8_t>(frame, layout_.frame.owner)};
    if (seen.owner > layout_.frame.last_owner) return false;
    if (address == innermost_) innermost_code_ = seen.code;
    if (seen.owner != owned_by_c_stack) seen_[count_++] = seen;
    const auto caller = value_in<std::uintptr_t>(frame, layout_.frame.previous);
    if (caller == address) return false;
    address = caller;
  }
  return true;
}

bool Walk::collects_garbage(std::uintptr_t thread) {
  const auto& at = layout_.collector;
  const std::byte* state = memory_.at(thread, layout_.thread.size);
  if (!state) return false;
  const auto collector =
      value_in<std::uintptr_t>(state, layout_.thread.interpreter) + at.generations;
  const std::byte* gc = memory_.at(collector, at.end - at.generations);
  if (!gc || value_in<std::uintptr_t>(gc, at.youngest - at.generations) != collector ||
      value_in<std::int32_t>(gc, at.collecting - at.generations) != 1) {
    return false;
  }
  if (at.holder == 0) return (value_in<std::uint32_t>(state, at.status) & at.holds) != 0;
  const process::AddressRange& variables = interpreter_.variables;
  const Place holder{variables.begin + at.holder, sizeof thread};
  std::array<std::byte, sizeof thread> now;
  return variables.contains(holder.address) && memory_.copy({&holder, 1}, now) == 1 &&
         value_in<std::uintptr_t>(now.data(), 0) == thread;
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
  if (count_ == 0) return false;
  const Place places[] = {
      {thread + layout_.thread.c_frame, sizeof(std::uintptr_t)},
      {c_frame_ + layout_.current_frame, sizeof(std::uintptr_t)},
      {innermost_ + layout_.frame.code, sizeof(std::uintptr_t)},
      {innermost_ + layout_.frame.instruction, sizeof(std::uintptr_t)},
  };
  std::array<std::byte, 4 * sizeof(std::uintptr_t)> now;
  if (memory_.copy(places, now) != std::size(places)) return false;
  const std::uintptr_t then[] = {c_frame_, innermost_, seen_[0].code, seen_[0].instruction};
  return std::memcmp(now.data(), then, sizeof then) == 0;
}

bool Walk::is_still_in_function(std::uintptr_t thread) {
  if (count_ == 0) return true;  // in no function
  const Place places[] = {
      {thread + layout_.thread.c_frame, sizeof(std::uintptr_t)},
      {c_frame_ + layout_.current_frame, sizeof(std::uintptr_t)},
      {innermost_ + layout_.frame.code, sizeof(std::uintptr_t)},
  };
  std::array<std::byte, 3 * sizeof(std::uintptr_t)> now;
  if (memory_.copy(places, now) != std::size(places)) return false;
  const std::uintptr_t then[] = {c_frame_, innermost_, innermost_code_};
  return std::memcmp(now.data(), then, sizeof then) == 0;
}

}  // namespace lapscope::python_frames
