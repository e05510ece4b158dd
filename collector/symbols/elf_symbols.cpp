#include "collector/symbols/elf_symbols.h"

#include <elf.h>

#include <algorithm>

#include "collector/symbols/elf_reading.h"

namespace lapscope::symbols {
namespace {

// The text at an offset of a table of texts; empty where that is outside.
std::string text_in(const std::vector<char>& texts, std::size_t offset) {
  if (offset >= texts.size()) return "";
  const auto begin = texts.begin() + static_cast<std::ptrdiff_t>(offset);
  return {begin, std::find(begin, texts.end(), '\0')};
}

template <class T>
std::vector<T> content_of(std::ifstream& file, std::uint64_t file_size, const Elf64_Shdr& section) {
  if (section.sh_type == SHT_NOBITS || section.sh_offset > file_size ||
      section.sh_size > file_size - section.sh_offset) {
    return {};
  }
  std::vector<T> content(section.sh_size / sizeof(T));
  if (!read_at(file, section.sh_offset, content.data(), content.size())) return {};
  return content;
}

}  // namespace

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
  if (error || !read_at(file, 0, &header) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr)) {
    return;
  }
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!read_at(file, header.e_shoff, sections.data(), sections.size())) return;
  const auto texts_at = [&](std::size_t index) {
    return index < sections.size() ? content_of<char>(file, file_size, sections[index])
                                   : std::vector<char>();
  };
  const std::vector<char> names = texts_at(header.e_shstrndx);
  for (const Elf64_Shdr& section : sections) {
    has_lines_ = has_lines_ || text_in(names, section.sh_name) == ".debug_line";
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    const std::vector<char> texts = texts_at(section.sh_link);
    for (const Elf64_Sym& symbol : content_of<Elf64_Sym>(file, file_size, section)) {
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) continue;
      functions_.push_back({symbol.st_value, symbol.st_size, text_in(texts, symbol.st_name)});
    }
  }
}

std::string ElfSymbols::at(std::uint64_t address) const {
  auto found = std::upper_bound(
      functions_.begin(), functions_.end(), address,
      [](std::uint64_t wanted, const Function& one) { return wanted < one.begin; });
  // Of a stripped file only exported functions have names: what lies behind one is not in it.
  while (found != functions_.begin()) {
    --found;
    if (address - found->begin < found->size) return found->symbol;
    if (found->size > 0) break;
  }
  return "";
}

}  // namespace lapscope::symbols
