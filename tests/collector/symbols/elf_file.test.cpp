#include "collector/symbols/elf_file.h"

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::symbols {
namespace {

namespace fs = std::filesystem;

const fs::path elf_programs = LAPSCOPE_CHAIN_PROGRAMS;

TEST_CASE("the build id is the one that the file has") {
  const auto file = ElfFile::open(elf_programs / "chain_fast");
  REQUIRE(file);
  CHECK(file->build_id().size() == 40);
  const auto stripped = ElfFile::open(elf_programs / "stripped/chain_fast");
  REQUIRE(stripped);
  CHECK(stripped->build_id() == file->build_id());
  CHECK(ElfFile::open(elf_programs / "chain_debug")->build_id() != file->build_id());
  CHECK(ElfFile::open(elf_programs / "chain_without_id")->build_id().empty());
}

TEST_CASE("only bytes that are executed have an address") {
  const auto file = ElfFile::open(elf_programs / "chain_fixed");
  REQUIRE(file);
  CHECK(!file->address_of(std::uint64_t{1} << 60));
  CHECK(!file->address_of(0));
}

TEST_CASE("what is no such file is none") {
  const test::TemporaryFolder folder;
  test::write_file(folder / "text", std::string(200, 'x'));
  test::write_file(folder / "short",
                   "\x7f"
                   "ELF");
  std::string broken = test::read_file(elf_programs / "chain_fast");
  broken.resize(70);
  test::write_file(folder / "cut", broken);
  for (const char* name : {"text", "short", "cut", "missing", "."}) {
    CHECK(!ElfFile::open(folder / name));
  }
}

}  // namespace
}  // namespace lapscope::symbols
