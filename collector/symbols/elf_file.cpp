#include "collector/symbols/elf_file.h"

#include <elf.h>

#include <cstring>

#include "collector/symbols/elf_reading.h"

namespace lapscope::symbols {
namespace {

// Limits for program headers and notes. Files that can be mapped are within these limits.
constexpr std::size_t most_segments = 4096;
constexpr std::uint64_t most_note_bytes = 1 << 20;

std::string in_hexadecimal(const unsigned char* bytes, std::size_t count) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 0xF];
  }
  return text;
}

constexpr std::size_t aligned(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

// Returns the build id in hexadecimal digits; empty if no note contains one.
std::string build_id_in(const std::vector<unsigned char>& notes) {
  std::size_t at = 0;
  Elf64_Nhdr note;
  while (at + sizeof note <= notes.size()) {
    std::memcpy(&note, notes.data() + at, sizeof note);
    const std::size_t name = at + sizeof note;
    const std::size_t content = name + aligned(note.n_namesz);
    if (content > notes.size() || note.n_descsz > notes.size() - content) break;
    const bool is_gnu = note.n_namesz == sizeof ELF_NOTE_GNU &&
                        std::memcmp(notes.data() + name, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0;
    if (is_gnu && note.n_type == NT_GNU_BUILD_ID) {
      return in_hexadecimal(notes.data() + content, note.n_descsz);
    }
    at = content + aligned(note.n_descsz);
  }
  return "";
}

}  // namespace

std::optional<ElfFile> ElfFile::open(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  // Refuses files that the Linux kernel generates (as in /proc). They have size 0, and reading them
  // may never end.
  if (std::filesystem::file_size(path, error) < sizeof(Elf64_Ehdr)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!read_at(file, 0, &header)) return std::nullopt;
  if (!is_readable_elf(header) || header.e_phentsize != sizeof(Elf64_Phdr) ||
      header.e_phnum > most_segments) {
    return std::nullopt;
  }
  std::vector<Elf64_Phdr> segments(header.e_phnum);
  if (!read_at(file, header.e_phoff, segments.data(), segments.size())) return std::nullopt;
  ElfFile result;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0) {
      result.executable_.push_back({segment.p_offset, segment.p_filesz, segment.p_vaddr});
    }
    if (segment.p_type != PT_NOTE || segment.p_filesz > most_note_bytes) continue;
    std::vector<unsigned char> notes(segment.p_filesz);
    if (!result.build_id_.empty() || notes.empty()) continue;
    if (read_at(file, segment.p_offset, notes.data(), notes.size())) {
      result.build_id_ = build_id_in(notes);
    }
  }
  return result;
}

std::optional<std::uint64_t> ElfFile::address_of(std::uint64_t file_offset) const {
  for (const Segment& segment : executable_) {
    if (file_offset < segment.offset || file_offset - segment.offset >= segment.size) continue;
    return file_offset - segment.offset + segment.address;
  }
  return std::nullopt;
}

}  // namespace lapscope::symbols
