#include "collector/symbols/elf_file.h"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

namespace lapscope::symbols {
namespace {

// Reads `count` objects at `offset` of a file. Returns false if the file is too short.
template <class T>
bool read_at(std::ifstream& file, std::uint64_t offset, T* into, std::size_t count = 1) {
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(into), static_cast<std::streamsize>(count * sizeof(T)));
  return file.good();
}

// Returns whether this is the header of a 64-bit little-endian ELF file.
bool is_readable_elf(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == ELFDATA2LSB;
}

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

// Includes the terminating zero, because longer names of sections also begin with .debug_line.
constexpr std::string_view lines_section(".debug_line", sizeof ".debug_line");

// The maximum length of a symbol in bytes. C++ names are long, but a longer text is no name.
constexpr std::size_t longest_symbol = 1 << 16;

// Returns a part of a file; empty if the file does not contain the whole part.
template <class Text>
Text part_of(std::ifstream& file, std::uint64_t file_size, std::uint64_t offset,
             std::uint64_t size) {
  if (offset > file_size || size > file_size - offset) return {};
  using Value = typename Text::value_type;
  Text part(size / sizeof(Value), Value{});
  return read_at(file, offset, part.data(), part.size()) ? part : Text();
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

ElfSymbols::ElfSymbols(const std::filesystem::path& path) {
  read(path);
  std::stable_sort(functions_.begin(), functions_.end(),
                   [](const Function& a, const Function& b) { return a.begin < b.begin; });
}

void ElfSymbols::read(const std::filesystem::path& path) {
  std::error_code error;
  const std::uint64_t file_size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (error || !read_at(file, 0, &header) || !is_readable_elf(header) ||
      header.e_shentsize != sizeof(Elf64_Shdr)) {
    return;
  }
  const auto sections = part_of<std::vector<Elf64_Shdr>>(file, file_size, header.e_shoff,
                                                         header.e_shnum * sizeof(Elf64_Shdr));
  const auto texts_at = [&](std::size_t index) {
    if (index >= sections.size() || sections[index].sh_type != SHT_STRTAB) return std::string();
    return part_of<std::string>(file, file_size, sections[index].sh_offset,
                                sections[index].sh_size);
  };
  const std::string names = texts_at(header.e_shstrndx);
  has_lines_ = std::any_of(sections.begin(), sections.end(), [&](const Elf64_Shdr& section) {
    return section.sh_name < names.size() &&
           std::string_view(names).substr(section.sh_name).starts_with(lines_section);
  });
  // Reads only one table of each type. A valid file has no more. A damaged file may list many
  // tables, which together could be many times larger than the file.
  for (const auto type : {Elf64_Word{SHT_DYNSYM}, Elf64_Word{SHT_SYMTAB}}) {
    const auto table =
        std::find_if(sections.begin(), sections.end(), [type](const Elf64_Shdr& section) {
          return section.sh_type == type && section.sh_entsize == sizeof(Elf64_Sym);
        });
    if (table == sections.end()) continue;
    const std::string texts = texts_at(table->sh_link);
    for (const auto& symbol :
         part_of<std::vector<Elf64_Sym>>(file, file_size, table->sh_offset, table->sh_size)) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
          symbol.st_size == 0 || symbol.st_name >= texts.size()) {
        continue;
      }
      functions_.push_back({symbol.st_value, symbol.st_size, texts_.size() + symbol.st_name});
    }
    texts_ += texts;
    texts_ += '\0';
  }
}

std::string ElfSymbols::at(std::uint64_t address) const {
  const auto after = std::upper_bound(
      functions_.begin(), functions_.end(), address,
      [](std::uint64_t wanted, const Function& one) { return wanted < one.begin; });
  if (after == functions_.begin()) return "";
  // In a stripped file, only exported functions have names. Code behind the end of an exported
  // function may belong to a function without a name.
  const Function& found = *std::prev(after);
  if (address - found.begin >= found.size) return "";
  const auto text = std::string_view(texts_).substr(found.symbol, longest_symbol + 1);
  const std::size_t end = text.find('\0');
  return end == text.npos ? "" : std::string(text.substr(0, end));
}

}  // namespace lapscope::symbols
