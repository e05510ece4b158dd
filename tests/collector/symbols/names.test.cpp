#include <elf.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>

#include "collector/symbols/elf_file.h"
#include "collector/symbols/module_symbols.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

// Names in the linker's symbol table. A build without libdw reads no other names.
namespace lapscope::symbols {
namespace {

namespace fs = std::filesystem;

const fs::path programs = LAPSCOPE_CHAIN_PROGRAMS;

// Returns the names for every fourth byte of a file's first megabyte.
std::vector<std::string> names_in(const fs::path& file) {
  const ModuleSymbols symbols(file);
  std::vector<std::string> names;
  for (std::uint64_t address = 0; address < (1U << 20U); address += 4) {
    for (const SourceFrame& frame : symbols.at(address)) {
      CHECK(frame.line == 0);
      if (names.empty() || names.back() != frame.function) names.push_back(frame.function);
    }
  }
  return names;
}

// Returns the peak memory of this process.
std::int64_t peak_kilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

bool has(const std::vector<std::string>& names, const std::string& begin) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name.starts_with(begin); });
}

TEST_CASE("functions have the names of the symbol table, as C++ writes them") {
  CHECK_FALSE(ModuleSymbols::reads_lines);
  for (const char* name : {"chain_debug", "chain_without_lines"}) {
    INFO(name);
    const auto names = names_in(programs / name);
    CHECK(has(names, "void tiles::process_tile<float>(float, tiles::Tile const&)"));
    CHECK(has(names, "main"));
  }
}

TEST_CASE("of a stripped library there are the functions that it exports, and no others") {
  const auto names = names_in(programs / "libchain.so");
  CHECK(has(names, "run"));
  CHECK(names_in(programs / "stripped/chain_fast").empty());
}

TEST_CASE("that a file has lines is known, though nobody reads them here") {
  CHECK(ModuleSymbols(programs / "chain_debug").has_unread_lines());
  CHECK_FALSE(ModuleSymbols(programs / "chain_without_lines").has_unread_lines());
}

// An ELF file with one function, main, at 0x1000. Tests change the members before they write the
// file.
struct Made {
  Elf64_Ehdr header{};
  Elf64_Sym symbol{};
  std::string texts{"\0main\0", 6};
  std::string names{"\0.debug_line\0", 13};
  std::vector<Elf64_Shdr> sections{4};  // none, names, texts, symbols

  Made() {
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shstrndx = 1;
    symbol = {1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), 0, 1, 0x1000, 0x100};
    place();
  }
  // Computes the offsets of the parts: first header, then symbol, texts, names, sections.
  void place() {
    std::uint64_t at = sizeof header;
    const auto say = [&at](Elf64_Shdr& section, unsigned type, std::uint64_t size) {
      section.sh_type = type;
      section.sh_offset = at;
      section.sh_size = size;
      at += size;
    };
    say(sections[3], SHT_SYMTAB, sizeof symbol);
    sections[3].sh_link = 2;
    sections[3].sh_entsize = sizeof symbol;
    say(sections[2], SHT_STRTAB, texts.size());
    say(sections[1], SHT_STRTAB, names.size());
    header.e_shoff = at;
    header.e_shnum = static_cast<Elf64_Half>(sections.size());
  }
  std::string text() const {
    const auto bytes = [](const auto& object, std::size_t count = 1) {
      return std::string(reinterpret_cast<const char*>(&object), count * sizeof object);
    };
    return bytes(header) + bytes(symbol) + texts + names + bytes(sections[0], sections.size());
  }
};

std::string name_in(const Made& made) {
  const test::TemporaryFolder folder;
  test::write_file(folder / "made", made.text());
  return ElfSymbols(folder / "made").at(0x1010);
}

TEST_CASE("only ELF files of 64 bits in this order of bytes are read") {
  CHECK(name_in(Made()) == "main");
  for (const auto& [at, value] : {std::pair{EI_MAG0, 'M'},
                                  {EI_CLASS, char{ELFCLASS32}},
                                  {EI_DATA, char{ELFDATA2MSB}},
                                  {EI_DATA, '\0'}}) {
    INFO(at);
    Made made;
    made.header.e_ident[at] = static_cast<unsigned char>(value);
    CHECK(name_in(made).empty());
  }
}

TEST_CASE("sections that are not all in the file are not read") {
  const auto changed = [](auto change) {
    Made made;
    change(made);
    return name_in(made);
  };
  constexpr std::uint64_t far = std::uint64_t{1} << 62U;
  CHECK(changed([](Made& made) { made.header.e_shoff = far; }).empty());
  CHECK(changed([](Made& made) { made.header.e_shoff = ~std::uint64_t{0}; }).empty());
  CHECK(changed([](Made& made) { made.header.e_shnum = 0xFFFF; }).empty());
  CHECK(changed([](Made& made) { made.header.e_shentsize = 1; }).empty());
  for (const std::size_t section : {2U, 3U}) {
    INFO(section);
    CHECK(changed([&](Made& made) { made.sections[section].sh_offset = far; }).empty());
    CHECK(changed([&](Made& made) { made.sections[section].sh_size = far; }).empty());
    CHECK(changed([&](Made& made) { made.sections[section].sh_size = 0; }).empty());
    CHECK(changed([&](Made& made) { made.sections[section].sh_type = SHT_NOBITS; }).empty());
  }
  CHECK(changed([](Made& made) { made.sections[3].sh_entsize = 8; }).empty());
  CHECK(changed([](Made& made) { made.sections[3].sh_link = 4; }).empty());
  CHECK(changed([](Made& made) { made.symbol.st_name = 6; }).empty());
  // Names of sections are needed only for lines.
  CHECK(changed([](Made& made) { made.header.e_shstrndx = 0xFFFF; }) == "main");
  CHECK(changed([](Made& made) { made.sections[1].sh_size = far; }) == "main");
}

TEST_CASE("whether there are lines is told by the whole name of a section") {
  const test::TemporaryFolder folder;
  Made made;
  made.sections[0].sh_name = 1;
  test::write_file(folder / "lines", made.text());
  CHECK(ElfSymbols(folder / "lines").has_lines());
  made.names.back() = 's';
  test::write_file(folder / "other", made.text());
  CHECK_FALSE(ElfSymbols(folder / "other").has_lines());
}

TEST_CASE("a table of texts without zeros has names that end with it, and none that is endless") {
  Made made;
  made.texts = "xmain";
  made.place();
  CHECK(name_in(made) == "main");
  made.texts.append(1 << 16, 'n');
  made.place();
  CHECK(name_in(made).empty());
}

TEST_CASE("a file is not read more often than it is long") {
  Made made;
  // All sections are the same symbol table with the same texts.
  made.texts.append(1 << 20, 'n');
  made.sections.resize(0xF000);
  made.place();
  std::fill(made.sections.begin() + 4, made.sections.end(), made.sections[3]);
  const test::TemporaryFolder folder;
  test::write_file(folder / "made", made.text());
  const std::int64_t before = peak_kilobytes();
  CHECK(ElfSymbols(folder / "made").at(0x1010) == "main");
  CHECK(peak_kilobytes() - before < 64 * 1024);
}

TEST_CASE("what is no ELF file has no names, and a damaged one has those that can be read") {
  const test::TemporaryFolder folder;
  CHECK(ElfSymbols(folder / "missing").at(4096).empty());
  test::write_file(folder / "text", "no program");
  CHECK(ElfSymbols(folder / "text").at(4096).empty());
  const std::string whole = test::read_file(programs / "chain_without_lines");
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = whole;
    if (round % 3 == 0) damaged.resize(random() % whole.size());
    // Most changes hit a header. The section headers are at the end of the file.
    for (int i = 0; i < 8 && !damaged.empty(); ++i) {
      const std::size_t back = random() % std::min<std::size_t>(damaged.size(), 4096);
      damaged[i % 2 == 0 ? random() % std::min<std::size_t>(damaged.size(), 64)
                         : damaged.size() - 1 - back] = static_cast<char>(random());
    }
    test::write_file(folder / "damaged", damaged);
    const ElfSymbols symbols(folder / "damaged");
    for (std::uint64_t address = 0; address < 0x5000; address += 64) symbols.at(address);
  }
}

}  // namespace
}  // namespace lapscope::symbols
