#include <algorithm>
#include <filesystem>
#include <random>
#include <string>

#include "collector/symbols/elf_symbols.h"
#include "collector/symbols/module_symbols.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

// The linker's symbols, which are all that a build without libdw has.
namespace lapscope::symbols {
namespace {

namespace fs = std::filesystem;

const fs::path programs = LAPSCOPE_CHAIN_PROGRAMS;

// As many names as there are at each fourth byte of a file's first megabyte.
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
    // Mostly in the headers: those of sections are at the end.
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
