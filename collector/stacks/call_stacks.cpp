#include "collector/stacks/call_stacks.h"

#include <algorithm>

#include "collector/process/clock.h"
#include "collector/process/signals_blocked.h"
#include "collector/process/thread_number.h"

namespace lapscope::stacks {
namespace {

// Layout of an element of pending_, which describes a captured stack. From the highest bit: the
// correlation id, whether the stack is whole, the duration of its capture, and the number of the
// stack's chain.
constexpr unsigned correlation_shift = 32;
constexpr unsigned whole_shift = 31;
constexpr unsigned time_shift = 17;
constexpr std::uint64_t most_time = (std::uint64_t{1} << (whole_shift - time_shift)) - 1;
constexpr std::uint64_t most_chain = (std::uint64_t{1} << time_shift) - 1;
static_assert(ChainStore::most_chains <= most_chain);
constexpr std::int64_t time_unit = 32;  // ns

std::uint64_t units_of(std::int64_t ns) noexcept {
  return std::min(most_time, static_cast<std::uint64_t>(std::max<std::int64_t>(0, ns) / time_unit));
}

Frame frame_of(const python_frames::PythonFrame& frame) noexcept {
  return {std::uint64_t{frame.file} << 32U | frame.function, Frame::python, frame.line};
}

// The maximum number of native frames in a stack that also has Python frames. The limit leaves room
// for the Python frames.
constexpr std::size_t most_native = 36;

}  // namespace

bool CallStacks::are_supported() noexcept {
#if defined(__x86_64__)
  return loaded_object(reinterpret_cast<std::uintptr_t>(&CallStacks::are_supported)).has_value();
#else
  return false;
#endif
}

void CallStacks::skip_frames_of(std::uintptr_t address) noexcept {
  const auto object = loaded_object(address);
  if (!object || left_out_count_ == left_out_.size()) return;
  left_out_[left_out_count_++] = {object->begin, object->end};
}

bool CallStacks::is_left_out(std::uintptr_t address) const noexcept {
  return std::any_of(
      left_out_.begin(), left_out_.begin() + static_cast<std::ptrdiff_t>(left_out_count_),
      [address](const process::AddressRange& range) { return range.contains(address); });
}

void CallStacks::set_python(python_frames::PythonFrames& python,
                            process::AddressRange autograd_loop) noexcept {
  autograd_loop_ = autograd_loop;
  python_.store(&python, std::memory_order_release);
}

std::string_view CallStacks::python_file(const Frame& frame) const {
  const auto* python = python_.load(std::memory_order_acquire);
  return python ? python->text(static_cast<std::uint32_t>(frame.address >> 32U))
                : std::string_view();
}

std::string_view CallStacks::python_function(const Frame& frame) const {
  const auto* python = python_.load(std::memory_order_acquire);
  return python ? python->text(static_cast<std::uint32_t>(frame.address)) : std::string_view();
}

void CallStacks::capture(std::uint32_t correlation) noexcept {
  const std::int64_t begin = process::read_clock(CLOCK_MONOTONIC);
  const Kept kept = walk();
  const std::int64_t took = process::read_clock(CLOCK_MONOTONIC) - begin;
  capture_ns_.fetch_add(took, std::memory_order_relaxed);
  if (kept.chain == 0) return;
  const std::uint64_t pending = std::uint64_t{correlation} << correlation_shift |
                                std::uint64_t{kept.is_whole} << whole_shift |
                                units_of(took) << time_shift | kept.chain;
  pending_[correlation % pending_.size()].store(pending, std::memory_order_release);
  captured_.fetch_add(1, std::memory_order_relaxed);
}

CallStacks::Kept CallStacks::walk() noexcept {
  // Blocks signals. Otherwise, a signal handler could end this function by siglongjmp(), and the
  // walker would never be released.
  const process::SignalsBlocked blocked(process::SignalsBlocked::Which::all_but_faults);
  Walker* walker = take_walker();
  if (!walker) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return {};
  }
  const auto* python = python_.load(std::memory_order_acquire);
  const process::AddressRange stop =
      python ? process::AddressRange{python->interpreter().begin, python->interpreter().end}
             : process::AddressRange{};
  const Unwinder::Walk walk = unwinder_.walk(registers_here(), stop, walker->walked, walker->room);
  const Kept kept = keep(walk, *walker);
  walker->in_use.store(false, std::memory_order_release);
  return kept;
}

CallStacks::Walker* CallStacks::take_walker() noexcept {
  const std::size_t own = process::thread_number();
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    Walker& walker = walkers_[(own + i) % walkers_.size()];
    if (!walker.in_use.exchange(true, std::memory_order_acquire)) return &walker;
  }
  return nullptr;
}

CallStacks::Kept CallStacks::keep(const Unwinder::Walk& walk, Walker& walker) noexcept {
  std::size_t first = 0;
  while (first < walk.frames && is_left_out(walker.walked[first].address)) ++first;
  std::size_t count = std::min(walk.frames - first, most_frames);
  bool is_whole = walk.is_whole && count == walk.frames - first;
  if (count == 0 || pending_.size() == 0) {
    not_unwound_.fetch_add(1, std::memory_order_relaxed);
    return {};
  }
  std::size_t in_autograd = count;  // index of the frame in PyTorch's autograd loop
  for (std::size_t i = 0; i < count; ++i) {
    const Unwinder::Frame& walked = walker.walked[first + i];
    walker.frames[i] = {walked.address, modules_.number_of(walked.address - 1, walked.object), 0};
    if (autograd_loop_.contains(walked.address)) in_autograd = i;
  }
  if (walk.is_stopped || in_autograd < count) {
    const bool of_backward_call = !walk.is_stopped;
    const std::size_t native = of_backward_call ? in_autograd + 1 : count;
    const std::size_t python = add_python(native, of_backward_call, walker);
    is_whole = python > 0 && native <= most_native;
    if (python > 0) count = std::min(native, most_native) + python;
    if (python == 0) without_python_.fetch_add(1, std::memory_order_relaxed);
  }
  const std::uint32_t chain = chains_.add(std::span(walker.frames).first(count));
  if (chain == 0) {
    lost_.fetch_add(1, std::memory_order_relaxed);
  }
  return {chain, is_whole};
}

// Adds Python frames after the native frames. Returns the number of Python frames.
std::size_t CallStacks::add_python(std::size_t native, bool of_backward_call,
                                   Walker& walker) noexcept {
  auto* python = python_.load(std::memory_order_acquire);
  if (!python) return 0;
  const std::size_t at = std::min(native, most_native);
  const std::span room = std::span(walker.python).first(most_frames - at);
  const std::size_t count =
      of_backward_call ? python->of_backward_call(room) : python->of_this_thread(room);
  for (std::size_t i = 0; i < count; ++i) walker.frames[at + i] = frame_of(walker.python[i]);
  return count;
}

CallStacks::SeenThread CallStacks::look_at(
    const python_frames::OwnProcess& process, std::uint64_t thread,
    const std::function<std::optional<StackCopy>()>& copy_stack) noexcept {
  auto* python = python_.load(std::memory_order_acquire);
  SeenThread seen;
  Walker* walker = take_walker();
  // Reads the Python frames first, because they change while the thread runs. The copy of the
  // thread's native stack does not change.
  std::size_t of_python =
      walker && python ? python->of_thread(process, thread, walker->python, seen.python) : 0;
  const std::optional<StackCopy> copy = copy_stack();
  if (!walker) return seen;
  std::size_t native = 0;
  if (copy && !seen.python.is_torn && !chains_.is_half_full()) {
    native = add_native(*copy, *walker);
  }
  if (of_python > 0) native = std::min(native, most_native);
  of_python = std::min(of_python, most_frames - native);
  for (std::size_t i = 0; i < of_python; ++i) {
    walker->frames[native + i] = frame_of(walker->python[i]);
  }
  const std::size_t count = native + of_python;
  if (count > 0) seen.chain = chains_.add(std::span(walker->frames).first(count));
  seen.has_native = native > 0 && seen.chain != 0;
  walker->in_use.store(false, std::memory_order_release);
  return seen;
}

// Puts the native frames at the front of walker.frames, up to the first frame of the interpreter.
// Returns the number of native frames.
std::size_t CallStacks::add_native(const StackCopy& copy, Walker& walker) noexcept {
  const auto* python = python_.load(std::memory_order_acquire);
  const process::AddressRange stop = python ? python->interpreter() : process::AddressRange{};
  const Unwinder::Walk walk =
      unwinder_.walk_copy(copy.registers, copy.stack, stop, walker.walked, walker.room);
  std::size_t first = 0;
  while (first < walk.frames && is_left_out(walker.walked[first].address)) ++first;
  const std::size_t count = std::min(walk.frames - first, most_frames);
  for (std::size_t i = 0; i < count; ++i) {
    const Unwinder::Frame& walked = walker.walked[first + i];
    // A return address points behind its call instruction. The innermost address is different: it
    // points to the current instruction. Adding 1 makes it point behind the first byte of that
    // instruction. So the byte before a stored address always belongs to the right instruction.
    const std::uintptr_t behind = walked.address + (first + i == 0 ? 1 : 0);
    walker.frames[i] = {behind, modules_.number_of(behind - 1, walked.object), 0};
  }
  return count;
}

std::optional<python_frames::GarbageCollections> CallStacks::garbage_collections(
    const python_frames::OwnProcess& process) noexcept {
  auto* python = python_.load(std::memory_order_acquire);
  return python ? python->garbage_collections(process) : std::nullopt;
}

bool CallStacks::is_of_interpreter(std::uintptr_t address) const noexcept {
  const auto* python = python_.load(std::memory_order_acquire);
  return python && python->variables().contains(address);
}

CallStacks::Stack CallStacks::take(std::uint32_t correlation) noexcept {
  if (pending_.size() == 0) return {};
  auto& slot = pending_[correlation % pending_.size()];
  std::uint64_t pending = slot.load(std::memory_order_acquire);
  if (pending >> correlation_shift != correlation || correlation == 0) return {};
  slot.compare_exchange_strong(pending, 0, std::memory_order_relaxed);
  return {static_cast<std::uint32_t>(pending & most_chain), (pending >> whole_shift & 1U) != 0,
          static_cast<std::int64_t>(pending >> time_shift & most_time) * time_unit};
}

CallStacks::Counts CallStacks::counts() const noexcept {
  return {captured_.load(std::memory_order_relaxed), not_unwound_.load(std::memory_order_relaxed),
          lost_.load(std::memory_order_relaxed), without_python_.load(std::memory_order_relaxed)};
}

}  // namespace lapscope::stacks
