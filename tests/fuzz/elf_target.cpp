#include "collector/symbols/elf_file.h"
#include "tests/fuzz/input.h"

namespace lapscope::fuzz {

// Looks up addresses near the begin of the file, where small files have their code. Also looks up
// addresses that are powers of two.
void elf_symbols(Bytes input) {
  const std::string path = file_of(input);
  if (const auto file = symbols::ElfFile::open(path)) {
    for (std::uint64_t offset = 0; offset < 0x4000; offset += 0x100) file->address_of(offset);
  }
  const symbols::ElfSymbols symbols(path);
  for (std::uint64_t address = 0; address < 0x4000; address += 0x20) symbols.at(address);
  for (unsigned bit = 14; bit < 64; ++bit) symbols.at(std::uint64_t{1} << bit);
}

}  // namespace lapscope::fuzz
