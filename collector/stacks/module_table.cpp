#include "collector/stacks/module_table.h"

#include <elf.h>
#include <link.h>
#include <sys/auxv.h>

#include <algorithm>
#include <cstring>
#include <span>

namespace lapscope::stacks {
namespace {

constexpr std::uintptr_t page = 4096;

}  // namespace

// The beginning of an ELF file, with room for 32 program headers. Linkers write about a dozen.
struct ModuleTable::FileHeader {
  ElfW(Ehdr) head;
  std::array<ElfW(Phdr), 32> parts;
};

std::uint32_t ModuleTable::number_of(std::uintptr_t address, const LoadedObject& object) noexcept {
  if (object.end == 0 || modules_.size() == 0 || slots_.size() == 0 || paths_.size() == 0) return 0;
  const std::uint64_t hash = mixed(object.begin ^ object.content);
  std::uint32_t own = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    auto& slot = slots_[(hash + i) % slots_.size()];
    std::uint32_t number = slot.load(std::memory_order_acquire);
    if (number == 0) {
      if (own == 0) own = add(address, object);
      if (own == 0) return 0;
      // Another thread has taken the slot. The module from add() may remain unused.
      if (slot.compare_exchange_strong(number, own, std::memory_order_acq_rel)) return own;
    }
    const Module& known = modules_[number - 1];
    if (known.object.is_same(object) && address >= known.begin && address < known.end) {
      return number;
    }
  }
  return 0;
}

std::uint32_t ModuleTable::add(std::uintptr_t address, const LoadedObject& object) noexcept {
  if (count_.load(std::memory_order_relaxed) >= modules_.size()) return 0;
  const std::uint32_t at = count_.fetch_add(1, std::memory_order_relaxed);
  if (at >= modules_.size()) return 0;
  Module& module = modules_[at];
  module.object = object;
  module.begin = object.begin;
  module.end = object.end;
  struct Head {  // beginning of link_map
    std::uintptr_t bias;
    std::uintptr_t name;
  } head{};
  static_assert(offsetof(link_map, l_addr) == 0 && offsetof(link_map, l_name) == 8);
  if (object.link_map != 0 && memory_.read(object.link_map, head)) {
    read_file_parts(address, head.bias, module);
    read_path(head.name, module);
  }
  return at + 1;
}

// Reads the headers of the ELF file, and returns the address of the headers; 0 if they are not
// found. Tries three addresses:
// - `bias`, because `object` may lack the beginning of the file. If the segments of a file are not
//   adjacent, glibc reports only one of them
// - the beginning of the object
// - the program's headers, whose address the Linux kernel reports (AT_PHDR). This is for programs
//   that are not position-independent, because their `bias` is 0
std::uintptr_t ModuleTable::file_header(std::uintptr_t bias, const LoadedObject& object,
                                        FileHeader& file) const noexcept {
  const std::uintptr_t of_program = ::getauxval(AT_PHDR) / page * page;
  for (const std::uintptr_t place : {bias, object.begin, of_program}) {
    if (place == 0) continue;
    // Accepts a shorter read, because the memory after the headers may be unmapped.
    if (memory_.read(place, &file, sizeof file) < sizeof file.head) continue;
    if (std::memcmp(file.head.e_ident, ELFMAG, SELFMAG) == 0) return place;
  }
  return 0;
}

void ModuleTable::read_file_parts(std::uintptr_t address, std::uintptr_t bias,
                                  Module& module) const noexcept {
  FileHeader file{};
  const std::uintptr_t header = file_header(bias, module.object, file);
  if (header == 0) return;
  const std::size_t count = std::min<std::size_t>(file.head.e_phnum, file.parts.size());
  const std::size_t size = count * sizeof file.parts[0];
  const bool is_read = file.head.e_phoff == offsetof(FileHeader, parts);  // as linkers lay it out
  if (!is_read && memory_.read(header + file.head.e_phoff, file.parts.data(), size) != size) return;
  for (const ElfW(Phdr) & part : std::span(file.parts).first(count)) {
    const std::uintptr_t begin = bias + part.p_vaddr;
    if (part.p_type == PT_LOAD && address >= begin && address - begin < part.p_memsz) {
      const std::uintptr_t into_page = begin % page;
      module.begin = begin - into_page;
      module.end = begin + part.p_memsz;
      module.file_offset = part.p_offset - into_page;
    }
    if (part.p_type == PT_NOTE && module.build_id_size == 0) {
      read_build_id(begin, part.p_memsz, module);
    }
  }
}

void ModuleTable::read_build_id(std::uintptr_t notes, std::size_t size,
                                Module& module) const noexcept {
  constexpr std::string_view owner("GNU", 4);
  const auto padded = [](std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; };
  std::array<char, 512> bytes;
  const std::size_t count = memory_.read(notes, bytes.data(), std::min(size, bytes.size()));
  for (std::string_view rest(bytes.data(), count); rest.size() > sizeof(ElfW(Nhdr));) {
    ElfW(Nhdr) note{};
    std::memcpy(&note, rest.data(), sizeof note);
    rest.remove_prefix(sizeof note);
    const std::size_t name = padded(note.n_namesz);
    const std::size_t length = name + padded(note.n_descsz);
    if (length > rest.size()) return;
    if (note.n_type == NT_GNU_BUILD_ID && rest.substr(0, note.n_namesz) == owner &&
        note.n_descsz <= module.build_id.size()) {
      std::memcpy(module.build_id.data(), rest.data() + name, note.n_descsz);
      module.build_id_size = static_cast<std::uint8_t>(note.n_descsz);
      return;
    }
    rest.remove_prefix(length);
  }
}

void ModuleTable::read_path(std::uintptr_t text, Module& module) noexcept {
  constexpr std::size_t longest = 4096;
  std::size_t size = 0;
  for (std::array<char, 128> piece{}; size < longest; size += piece.size()) {
    const std::size_t count = memory_.read(text + size, piece.data(), piece.size());
    const auto* end = static_cast<const char*>(std::memchr(piece.data(), '\0', count));
    if (end) {
      size += static_cast<std::size_t>(end - piece.data());
      break;
    }
    if (count < piece.size()) return;
  }
  std::size_t at = paths_used_.load(std::memory_order_relaxed);
  do {
    if (size > paths_.size() - at) return;
  } while (!paths_used_.compare_exchange_weak(at, at + size, std::memory_order_relaxed));
  module.path_at = static_cast<std::uint32_t>(at);
  module.path_size = static_cast<std::uint32_t>(memory_.read(text, paths_.data() + at, size));
}

}  // namespace lapscope::stacks
