#include "collector/stacks/unwinder.h"

#include <link.h>
#include <sys/auxv.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace lapscope::stacks {
namespace {

constexpr std::size_t word_size = sizeof(std::uintptr_t);
// The number of bytes of a stack that are read first. Most stacks are not longer than that.
constexpr std::size_t first_window = 4096;
constexpr std::size_t later_window = std::tuple_size_v<decltype(WalkRoom::window)>;
// The maximum size of a frame in bytes. If a frame seems to be larger, the stack is taken to be
// broken, and the walk ends.
constexpr std::uintptr_t largest_frame = std::uintptr_t{64} << 20U;
// Stands for an unknown rbp. It is below all stacks, so a step that uses it fails.
constexpr std::uintptr_t lost_rbp = 0;

// Packs a rule into 64 bits: 3 bits for `cfa`, 2 bits for `rbp`, and 29 bits for each offset.
std::uint64_t packed(const UnwindRule& rule) {
  constexpr std::uint64_t bits = (std::uint64_t{1} << 29U) - 1;
  return static_cast<std::uint64_t>(rule.cfa) | static_cast<std::uint64_t>(rule.rbp) << 3U |
         (static_cast<std::uint64_t>(rule.cfa_offset) & bits) << 5U |
         (static_cast<std::uint64_t>(rule.rbp_offset) & bits) << 34U;
}

UnwindRule unpacked(std::uint64_t bits) {
  const auto offset = [bits](unsigned from) {
    const auto high = static_cast<std::int64_t>(bits << (64U - 29U - from));
    return static_cast<std::int32_t>(high >> (64U - 29U));
  };
  return {static_cast<UnwindRule::Cfa>(bits & 7U), static_cast<UnwindRule::Rbp>(bits >> 3U & 3U),
          offset(5), offset(34)};
}

std::uintptr_t plus(std::uintptr_t address, std::int32_t offset) {
  return address + static_cast<std::uintptr_t>(std::intptr_t{offset});
}

// Returns the segment that contains an object's unwind tables; an empty range if no segment
// contains them. Returns only one segment, because there may be holes between segments.
process::AddressRange tables_in(std::span<const ElfW(Phdr)> parts, std::uintptr_t bias) {
  const auto tables = std::find_if(parts.begin(), parts.end(),
                                   [](const auto& part) { return part.p_type == PT_GNU_EH_FRAME; });
  if (tables == parts.end()) return {};
  for (const auto& part : parts) {
    const process::AddressRange range{part.p_vaddr, part.p_vaddr + part.p_filesz};
    const bool is_readable = part.p_type == PT_LOAD && (part.p_flags & PF_R) != 0;
    if (is_readable && range.contains(tables->p_vaddr))
      return {bias + range.begin, bias + range.end};
  }
  return {};
}

// Returns the segment that contains the program's unwind tables. If the program has no PT_PHDR
// header, the addresses of its segments are unknown. The result is then an empty range.
process::AddressRange tables_of_program() {
  const std::uintptr_t headers = ::getauxval(AT_PHDR);
  if (headers == 0) return {};
  const std::span parts(reinterpret_cast<const ElfW(Phdr)*>(headers), ::getauxval(AT_PHNUM));
  for (const auto& part : parts) {
    if (part.p_type == PT_PHDR) return tables_in(parts, headers - part.p_vaddr);
  }
  return {};
}

// Returns the segment that contains the unwind tables of a library that is never unloaded. The
// library's first mapping begins with the ELF header.
process::AddressRange tables_of_library(const LoadedObject& object, const OwnMemory& memory) {
  ElfW(Ehdr) file{};
  std::array<ElfW(Phdr), 32> parts;
  if (!memory.read(object.begin, file) || std::memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 ||
      file.e_phnum > parts.size()) {
    return {};
  }
  const std::size_t size = file.e_phnum * sizeof parts[0];
  if (memory.read(object.begin + file.e_phoff, parts.data(), size) != size) return {};
  const auto* map = reinterpret_cast<const link_map*>(object.link_map);
  return tables_in(std::span(parts).first(file.e_phnum), map->l_addr);
}

}  // namespace

Unwinder::Unwinder(const OwnMemory& memory) noexcept : memory_(memory) {
  const auto library = [&memory](std::uintptr_t address) {
    const auto object = loaded_object(address);
    return object ? Lasting{object->link_map, tables_of_library(*object, memory)} : Lasting{};
  };
  lasting_ = {Lasting{reinterpret_cast<std::uintptr_t>(_r_debug.r_map), tables_of_program()},
              library(reinterpret_cast<std::uintptr_t>(&::process_vm_readv)),
              library(registers_here().ip)};
}

Unwinder::Walk Unwinder::walk(Registers from, process::AddressRange stop, std::span<Frame> frames,
                              WalkRoom& room) noexcept {
  read_ahead(from.sp, first_window, room);
  return walk_to_end(from, stop, frames, room);
}

Unwinder::Walk Unwinder::walk_copy(Registers from, std::span<const std::byte> stack,
                                   process::AddressRange stop, std::span<Frame> frames,
                                   WalkRoom& room) noexcept {
  read_ahead(from.sp, 0, room);
  stack = stack.first(std::min(stack.size(), room.window.size()));
  std::copy(stack.begin(), stack.end(), room.window.begin());
  room.window_begin = from.sp;
  room.window_end = from.sp + stack.size();
  room.is_all = true;
  const Walk walk = walk_to_end(from, stop, frames, room);
  room.is_all = false;
  return walk;
}

Unwinder::Walk Unwinder::walk_to_end(Registers from, process::AddressRange stop,
                                     std::span<Frame> frames, WalkRoom& room) noexcept {
  Walk walk = walk_on(from, stop, frames, room);
  const bool has_end = walk.is_whole || walk.is_stopped || walk.frames == frames.size();
  if (!has_end) {
    while (walk.frames > 1 && frames[walk.frames - 1].object.end == 0) --walk.frames;
  }
  return walk;
}

Unwinder::Walk Unwinder::walk_on(Registers registers, process::AddressRange stop,
                                 std::span<Frame> frames, WalkRoom& room) noexcept {
  Walk walk;
  while (walk.frames < frames.size()) {
    if (stop.contains(registers.ip)) {
      walk.is_stopped = true;
      return walk;
    }
    Frame& frame = frames[walk.frames];
    frame.address = registers.ip;
    // A return address points behind the call, and perhaps behind the last instruction of the
    // function. So the byte before the return address is looked up.
    const std::uintptr_t instruction = walk.frames == 0 ? registers.ip : registers.ip - 1;
    const auto object = object_at(instruction, room);
    frame.object = object.value_or(LoadedObject{});
    ++walk.frames;
    const UnwindRule rule = object ? rule_for(instruction, *object, room) : UnwindRule{};
    if (rule.cfa == UnwindRule::Cfa::outermost) {
      walk.is_whole = true;
      return walk;
    }
    if (rule.cfa == UnwindRule::Cfa::interrupted) return walk;
    const std::uintptr_t before = registers.sp;
    const bool stepped = rule.cfa == UnwindRule::Cfa::unknown
                             ? step_by_frame_pointer(registers, room)
                             : step_by_rule(rule, registers, room);
    if (!stepped || registers.sp <= before || registers.sp - before > largest_frame) return walk;
    if (registers.ip == 0) {  // some runtimes mark the end of a stack so
      walk.is_whole = true;
      return walk;
    }
  }
  return walk;
}

// With one system call, reads `size` bytes of the stack, and the bytes that identify the objects of
// the previous walk. Two walks of a thread mostly meet the same objects. The second walk then needs
// no further system call. An object that a walk meets cannot be unloaded during this walk, because
// the thread runs in the object.
void Unwinder::read_ahead(std::uintptr_t stack, std::size_t size, WalkRoom& room) const noexcept {
  room.window_begin = room.window_end = 0;
  std::array<iovec, std::tuple_size_v<decltype(WalkRoom::objects)> + 1> remote;
  std::size_t count = 0;
  for (std::size_t i = 0; i < room.object_count; ++i) {
    if (!room.objects[i].is_used) continue;
    const LoadedObject& object = room.objects[i].object;
    remote[count] = {reinterpret_cast<void*>(object.begin + content_offset), content_size};
    room.objects[count++] = {object, false};
  }
  static_assert(remote.size() * content_size <= std::tuple_size_v<decltype(WalkRoom::tables)>);
  room.object_count = 0;
  remote[count] = {reinterpret_cast<void*>(stack), size};
  if (count == 0 && size == 0) return;
  const std::size_t of_objects = count * content_size;
  const std::array<iovec, 2> local{{{room.tables.data(), of_objects}, {room.window.data(), size}}};
  const ssize_t read = ::process_vm_readv(OwnMemory::own_thread(), local.data(), local.size(),
                                          remote.data(), count + 1, 0);
  if (read < 0 || static_cast<std::size_t>(read) < of_objects) return;  // an object was unloaded
  room.object_count = count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const std::byte, content_size> bytes(room.tables.data() + i * content_size,
                                                         content_size);
    room.objects[i].object.content = content_in(bytes);
  }
  const std::size_t of_stack = static_cast<std::size_t>(read) - of_objects;
  if (of_stack == 0) return;
  room.window_begin = stack;
  room.window_end = stack + of_stack;
}

std::optional<LoadedObject> Unwinder::object_at(std::uintptr_t address,
                                                WalkRoom& room) const noexcept {
  auto object = loaded_object(address);
  if (!object) return object;
  if (lasting(*object)) return object;
  for (std::size_t i = 0; i < room.object_count; ++i) {
    WalkRoom::Seen& seen = room.objects[i];
    if (!seen.object.is_at_place_of(*object)) continue;
    seen.is_used = true;
    object->content = seen.object.content;  // not link_map, which may be outdated
    return object;
  }
  std::array<std::byte, content_size> bytes{};
  memory_.read(object->begin + content_offset, bytes.data(), bytes.size());
  object->content = content_in(bytes);
  auto* place = room.object_count < room.objects.size()
                    ? &room.objects[room.object_count++]
                    : std::find_if(room.objects.begin(), room.objects.end(),
                                   [](const WalkRoom::Seen& seen) { return !seen.is_used; });
  if (place != room.objects.end()) *place = {*object, true};
  return object;
}

const Unwinder::Lasting* Unwinder::lasting(const LoadedObject& object) const noexcept {
  const auto found = std::find_if(lasting_.begin(), lasting_.end(), [&object](const Lasting& one) {
    return one.link_map == object.link_map;
  });
  return found == lasting_.end() ? nullptr : &*found;
}

UnwindRule Unwinder::rule_for(std::uintptr_t instruction, const LoadedObject& object,
                              WalkRoom& room) noexcept {
  const std::uint64_t key = KnownWords::key_of(instruction, object);
  if (const auto rule = known_.find(key)) return unpacked(*rule);
  const Lasting* stays = lasting(object);
  const UnwindRule found =
      find_rule(instruction, object, stays ? stays->tables : process::AddressRange{}, memory_,
                known_, room.tables);
  known_.add(key, packed(found));
  return found;
}

bool Unwinder::word(std::uintptr_t address, std::uintptr_t& value, WalkRoom& room) const noexcept {
  const bool is_there = address >= room.window_begin && address < room.window_end &&
                        room.window_end - address >= word_size;
  if (!is_there) {
    if (room.is_all) return false;
    const std::size_t size = room.window_end == 0 ? first_window : later_window;
    // Starts 64 bytes below this word, because a frame may have saved rbp a little below it.
    room.window_begin = address - std::min<std::uintptr_t>(address, 64);
    std::size_t count = memory_.read(room.window_begin, room.window.data(), size);
    if (count == 0) {
      room.window_begin = address;
      count = memory_.read(address, room.window.data(), size);
    }
    room.window_end = room.window_begin + count;
    if (room.window_end < address || room.window_end - address < word_size) return false;
  }
  std::memcpy(&value, room.window.data() + (address - room.window_begin), word_size);
  return true;
}

bool Unwinder::step_by_rule(const UnwindRule& rule, Registers& registers,
                            WalkRoom& room) const noexcept {
  std::uintptr_t cfa =
      plus(rule.cfa == UnwindRule::Cfa::from_rsp ? registers.sp : registers.bp, rule.cfa_offset);
  if (rule.cfa == UnwindRule::Cfa::at_rbp && !word(cfa, cfa, room)) return false;
  if (cfa % word_size != 0 || cfa < registers.sp + word_size) return false;
  std::uintptr_t bp = rule.rbp == UnwindRule::Rbp::lost ? lost_rbp : registers.bp;
  if (rule.rbp == UnwindRule::Rbp::at_cfa || rule.rbp == UnwindRule::Rbp::at_rbp) {
    const std::uintptr_t base = rule.rbp == UnwindRule::Rbp::at_cfa ? cfa : registers.bp;
    const std::uintptr_t place = plus(base, rule.rbp_offset);
    // Near the end of a function, rbp may already be popped, although the unwind tables do not show
    // it. In this case, `place` lies below the stack pointer, and rbp already has the value of the
    // caller.
    if (place >= registers.sp && !word(place, bp, room)) return false;
  }
  if (!word(cfa - word_size, registers.ip, room)) return false;
  registers.bp = bp;
  registers.sp = cfa;
  return true;
}

// Steps to the caller of code without unwind tables, such as code of a JIT compiler. Succeeds only
// if the return address lies in a loaded object, or if the saved rbp points to a further frame.
bool Unwinder::step_by_frame_pointer(Registers& registers, WalkRoom& room) const noexcept {
  const std::uintptr_t at = registers.bp;
  if (at % word_size != 0 || at < registers.sp || at - registers.sp > largest_frame) return false;
  std::uintptr_t bp = 0;
  std::uintptr_t ip = 0;
  if (!word(at, bp, room) || !word(at + word_size, ip, room)) return false;
  if (ip < 4096) return false;
  const bool leads_on = bp > at && bp - at <= largest_frame && bp % word_size == 0;
  if (!leads_on && !loaded_object(ip - 1)) return false;
  registers = {ip, at + 2 * word_size, bp};
  return true;
}

}  // namespace lapscope::stacks
