#include "collector/symbols/elf_symbols.h"

#include <elf.h>

#include <algorithm>
#include <string_view>

#include "collector/symbols/elf_reading.h"

namespace lapscope::symbols {
namespace {

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
