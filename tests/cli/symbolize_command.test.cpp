#include <filesystem>

#include "collector/symbols/elf_file.h"
#include "collector/symbols/module_symbols.h"
#include "collector/trace/trace_writer.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/symbols/support/program_run.h"

namespace lapscope::cli {
namespace {

using test::Containing;
using test::run_lapscope;

// Writes a trace with a call stack, whose program file is missing.
void write_stacks(const std::filesystem::path& path) {
  test::write_trace(path, [](trace::TraceWriter& writer) {
    writer.insert(test::kernel(1000, 2000));
    schema::ModuleRow module;
    module.id = 1;
    module.path = "/nowhere/app";
    module.start = 0x400000;
    module.end = 0x500000;
    module.fileOffset = 0x1000;
    writer.insert(module);
    schema::CallchainRow frame;
    frame.id = 1;
    frame.symbol = writer.intern("[unknown]");
    frame.module = writer.intern("/nowhere/app");
    frame.originalIP = 0x400123;
    frame.moduleId = 1;
    writer.insert(frame);
  });
}

TEST_CASE("symbolize tells what it found, and how a nameless frame is told then") {
  const test::TemporaryFolder folder;
  const std::string trace = (folder / "t.sqlite").string();
  write_stacks(trace);
  const auto result = run_lapscope({"symbolize", trace});
  CHECK(result.status == 0);
  CHECK(result.out == "0 of 1 addresses have names, 0 have lines; 1 file is not there.\n");
  schema::Database database(trace, schema::Database::Mode::read_only);
  CHECK(database.query_text("SELECT value FROM CUDA_CALLCHAINS JOIN StringIds ON StringIds.id ="
                            " symbol") == "app+0x1123");
}

TEST_CASE("symbolize says what cannot be named") {
  const auto no_stacks =
      run_lapscope({"symbolize", LAPSCOPE_TEST_TRACES "/oddities/missing.sqlite"});
  CHECK(no_stacks.status == 4);
  const test::TemporaryFolder folder;
  const std::string trace = (folder / "t.sqlite").string();
  std::filesystem::copy_file(LAPSCOPE_TEST_TRACES "/sync-device-broken.sqlite", trace);
  const auto without = run_lapscope({"symbolize", trace});
  CHECK(without.status == 3);
  CHECK_THAT(without.err, Containing("has no call stacks"));
  CHECK(run_lapscope({"symbolize"}).status == 2);
}

const std::filesystem::path programs = LAPSCOPE_CHAIN_PROGRAMS;

std::string build_id_of(const std::filesystem::path& path) {
  return symbols::ElfFile::open(path)->build_id();
}

TEST_CASE("symbolize says of a file of another build which one is wanted") {
  const test::TemporaryFolder folder;
  const std::string trace = folder / "t.sqlite";
  test::write_chain(test::run_program({programs / "stripped/chain_fast"}), trace);
  const std::string right = programs / "chain_fast";
  const std::string other = programs / "chain_dwarf4";
  const std::string nameless = programs / "chain_without_id";

  const auto both = run_lapscope({"symbolize", trace, "--symbols", other, "--symbols", right});
  CHECK(both.status == 3);
  CHECK_THAT(both.err,
             Containing("lapscope: '" + other + "' does not fit the trace: it has build id " +
                        build_id_of(other) + ", and 'chain_fast' of the trace has " + "build id " +
                        build_id_of(right) + ".\n"));
  // A file with the right build id has the names of the frames.
  schema::Database database(trace, schema::Database::Mode::read_only);
  CHECK(database.query_int64("SELECT count(*) FROM CUDA_CALLCHAINS JOIN StringIds ON StringIds.id ="
                             " symbol WHERE value = 'main'") == 1);

  CHECK(run_lapscope({"symbolize", trace, "--symbols", right}).status == 0);
  const auto without = run_lapscope({"symbolize", trace, "--symbols", nameless});
  CHECK(without.status == 3);
  CHECK_THAT(without.err, Containing("does not fit the trace: it has no build id"));
  for (const std::string& none : {(folder / "missing").string(), trace}) {
    const auto unread = run_lapscope({"symbolize", trace, "--symbols", none});
    CHECK(unread.status == 4);
    CHECK(unread.out.empty());
    CHECK_THAT(unread.err, Containing("'" + none + "' does not exist, or is not a 64-bit program"));
  }
}

TEST_CASE("symbolize reads debug sections that the compiler packed") {
  if (!symbols::ModuleSymbols::reads_lines) test::skip_because("lapscope was built without libdw");
  const std::string program = programs / "chain_compressed";
  if (!std::filesystem::exists(program)) test::skip_because("the compiler has no -gz=zlib");
  const test::TemporaryFolder folder;
  const std::string trace = folder / "t.sqlite";
  const test::ProgramRun run = test::run_program({program});
  test::write_chain(run, trace);
  CHECK(run_lapscope({"symbolize", trace}).status == 0);
  schema::Database database(trace, schema::Database::Mode::read_only);
  CHECK(database.query_int64("SELECT sourceLine FROM CUDA_CALLCHAINS JOIN StringIds ON StringIds.id"
                             " = symbol WHERE value = 'main'") == run.lines[0]);
}

}  // namespace
}  // namespace lapscope::cli
