#include "collector/symbols/symbolize.h"

#include <sstream>

#include "collector/symbols/module_symbols.h"
#include "collector/trace/trace_writer.h"
#include "tests/catch.h"
#include "tests/collector/support/rows.h"
#include "tests/collector/support/temporary_folder.h"
#include "tests/collector/symbols/support/program_run.h"

namespace lapscope::symbols {
namespace {

namespace fs = std::filesystem;
using test::ProgramRun;
using test::run_program;
using test::write_chain;
using Lines = std::vector<std::string>;

const fs::path programs = LAPSCOPE_CHAIN_PROGRAMS;
const fs::path source = LAPSCOPE_CHAIN_SOURCE;

struct Shown {
  Lines frames;  // such as "tiles::step chain.cpp:40 inlined"; ends at main or run
  std::vector<std::optional<std::int64_t>> addresses;
};

Shown shown(const fs::path& path) {
  schema::Database database(path, schema::Database::Mode::read_only);
  schema::Statement rows(database,
                         "SELECT s.value, f.value, sourceLine, isInlined, originalIP, stackDepth"
                         " FROM CUDA_CALLCHAINS LEFT JOIN StringIds s ON s.id = symbol"
                         " LEFT JOIN StringIds f ON f.id = sourceFile ORDER BY stackDepth");
  Shown result;
  bool is_below_main = false;
  while (rows.step()) {
    CHECK(rows.int64(5) == static_cast<std::int64_t>(result.addresses.size()));
    result.addresses.push_back(rows.integer(4));
    if (is_below_main) continue;
    const std::string function(rows.text(0));
    std::string text = function;
    if (!rows.is_null(1)) text += " " + fs::path(rows.text(1)).filename().string();
    if (!rows.is_null(2)) text += ":" + std::to_string(rows.int64(2));
    if (rows.integer(3) == 1) text += " inlined";
    result.frames.push_back(text);
    is_below_main = function == "main" || function == "run";
  }
  return result;
}

// Returns the lines of a stack without its first frame, capture().
Lines expected(const ProgramRun& run, bool has_lines, bool has_inlined) {
  const auto line = [&](std::size_t nth) {
    return has_lines ? " chain.cpp:" + std::to_string(run.lines[nth]) : "";
  };
  Lines lines;
  if (has_inlined) lines.push_back("tiles::step" + line(2) + " inlined");
  lines.push_back(
      "void tiles::process_tile<float>(float, tiles::Tile const&)" +
      (has_inlined || !has_lines ? line(1) : " chain.cpp:" + std::to_string(run.lines[2])));
  lines.push_back("main" + line(0));
  return lines;
}

Lines without_first(Lines lines) {
  lines.erase(lines.begin());
  return lines;
}

// Returns the state of the symbols that the trace stores for the program's file, or "".
std::string found_for(const fs::path& trace) {
  schema::Database database(trace, schema::Database::Mode::read_only);
  return database.query_text("SELECT symbols FROM LAPSCOPE_MODULES WHERE id = 1").value_or("");
}

Options here() {
  Options options;
  options.working_directory = source.parent_path().parent_path();
  return options;
}

void skip_without_lines() {
  if (!ModuleSymbols::reads_lines) test::skip_because("lapscope was built without libdw");
}

TEST_CASE("return addresses get functions, lines and the functions that are inlined there") {
  skip_without_lines();
  for (const char* name :
       {"chain_debug", "chain_fast", "chain_dwarf4", "chain_static", "chain_fixed"}) {
    INFO(name);
    const test::TemporaryFolder folder;
    const fs::path trace = folder / "t.sqlite";
    const ProgramRun run = run_program({programs / name});
    write_chain(run, trace);
    const Result result = symbolize(trace, here());
    CHECK(result.problem.empty());
    CHECK(result.addresses == static_cast<std::int64_t>(run.frames.size()));
    CHECK(result.with_lines >= 3);
    CHECK(result.changed_files == 0);
    const Shown now = shown(trace);
    CHECK(without_first(now.frames) == expected(run, true, true));
    // Only frames of functions that are not inlined have an address.
    CHECK(now.addresses.at(0) == run.frames[0].address);
    CHECK(!now.addresses.at(1));
    CHECK(now.addresses.at(2) == run.frames[1].address);
  }
}

TEST_CASE("debug sections that the compiler packed are read as others are") {
  skip_without_lines();
  if (!fs::exists(programs / "chain_compressed"))
    test::skip_because("the compiler has no -gz=zlib");
  const test::TemporaryFolder folder;
  const ProgramRun run = run_program({programs / "chain_compressed"});
  write_chain(run, folder / "t.sqlite");
  symbolize(folder / "t.sqlite", here());
  CHECK(without_first(shown(folder / "t.sqlite").frames) == expected(run, true, true));
}

TEST_CASE("a library that was loaded meanwhile is resolved as the program is") {
  skip_without_lines();
  const test::TemporaryFolder folder;
  const fs::path trace = folder / "t.sqlite";
  const ProgramRun run = run_program({programs / "chain_loader", programs / "libchain.so"});
  write_chain(run, trace);
  symbolize(trace, here());
  Lines lines = expected(run, true, true);
  lines.back().replace(0, 4, "run");
  CHECK(without_first(shown(trace).frames) == lines);
}

TEST_CASE("without lines there are the functions that the linker knows") {
  skip_without_lines();
  const test::TemporaryFolder folder;
  const fs::path trace = folder / "t.sqlite";
  const ProgramRun run = run_program({programs / "chain_without_lines"});
  write_chain(run, trace);
  symbolize(trace, here());
  CHECK(without_first(shown(trace).frames) == expected(run, false, false));
}

TEST_CASE("a stripped program has modules and offsets, and names once there is a file with them") {
  skip_without_lines();
  const test::TemporaryFolder folder;
  const fs::path trace = folder / "t.sqlite";
  const ProgramRun run = run_program({programs / "stripped/chain_fast"});
  write_chain(run, trace);
  const Result stripped = symbolize(trace, here());
  CHECK(stripped.problem.empty());
  std::ostringstream offset;
  offset << "chain_fast+0x" << std::hex
         << run.frames[1].address - run.frames[1].start + run.frames[1].offset;
  // Addresses of code in this program are offsets in its file.
  CHECK(shown(trace).frames.at(1) == offset.str());

  Options options = here();
  options.symbol_files = {programs / "chain_debug", programs / "chain_fast"};
  const Result named = symbolize(trace, options);
  CHECK(named.named > stripped.named);
  CHECK(without_first(shown(trace).frames) == expected(run, true, true));
  // A second time, nothing changes, even without the symbol files.
  symbolize(trace, options);
  CHECK(without_first(shown(trace).frames) == expected(run, true, true));
  symbolize(trace, here());
  CHECK(without_first(shown(trace).frames) == expected(run, true, true));
}

TEST_CASE("the trace says why code has no names or lines") {
  skip_without_lines();
  const test::TemporaryFolder folder;
  const fs::path trace = folder / "t.sqlite";
  for (const auto& [name, found] : {std::pair{"chain_fast", "lines"},
                                    {"chain_without_lines", "functions"},
                                    {"stripped/chain_fast", "none"}}) {
    INFO(name);
    write_chain(run_program({programs / name}), trace);
    symbolize(trace, here());
    CHECK(found_for(trace) == found);
    fs::remove(trace);
  }
  const fs::path program = folder / "app";
  fs::copy_file(programs / "chain_fast", program);
  write_chain(run_program({program}), trace);
  fs::remove(program);
  symbolize(trace, here());
  CHECK(found_for(trace) == "missing");
  fs::copy_file(programs / "chain_dwarf4", program);
  symbolize(trace, here());
  CHECK(found_for(trace) == "changed");
  fs::remove(program);
  fs::copy_file(programs / "chain_fast", program);
  symbolize(trace, here());
  CHECK(found_for(trace) == "lines");
  // Names stay if the file disappears.
  fs::remove(program);
  symbolize(trace, here());
  CHECK(found_for(trace) == "lines");
}

TEST_CASE("debug files beside a program are found by the name that it has of them") {
  skip_without_lines();
  const test::TemporaryFolder folder;
  const fs::path trace = folder / "t.sqlite";
  const ProgramRun run = run_program({programs / "split/chain_fast"});
  write_chain(run, trace);
  symbolize(trace, here());
  CHECK(without_first(shown(trace).frames) == expected(run, true, true));
}

TEST_CASE("a file that was built anew since the run, or is gone, gives no names") {
  const test::TemporaryFolder folder;
  const fs::path trace = folder / "t.sqlite";
  const fs::path program = folder / "app";
  fs::copy_file(programs / "chain_fast", program);
  const ProgramRun run = run_program({program});
  write_chain(run, trace);
  fs::remove(program);
  fs::copy_file(programs / "chain_dwarf4", program);
  const Result changed = symbolize(trace, here());
  CHECK(changed.changed_files == 1);
  CHECK(shown(trace).frames.at(1).starts_with("app+0x"));
  fs::remove(program);
  const Result missing = symbolize(trace, here());
  CHECK(missing.missing_files == 1);
  CHECK(shown(trace).frames.at(1).starts_with("app+0x"));
}

TEST_CASE("a file without a build id is taken as it is, and counted") {
  skip_without_lines();
  const test::TemporaryFolder folder;
  const fs::path trace = folder / "t.sqlite";
  const ProgramRun run = run_program({programs / "chain_without_id"});
  write_chain(run, trace);
  CHECK(symbolize(trace, here()).unchecked_files == 1);
  CHECK(without_first(shown(trace).frames) == expected(run, true, true));
}

TEST_CASE("paths below the working directory are stored relative to it") {
  const test::TemporaryFolder folder;
  const fs::path trace = folder / "t.sqlite";
  fs::create_directory(folder / "bin");
  fs::copy_file(programs / "chain_fast", folder / "bin/app");
  write_chain(run_program({folder / "bin/app"}), trace);
  Options options;
  options.working_directory = folder.path();
  // The first pass stores a relative path, by which the second pass must find the file.
  for (int times = 0; times < 2; ++times) {
    CHECK(symbolize(trace, options).changed_files == 0);
    schema::Database database(trace, schema::Database::Mode::read_only);
    CHECK(database.query_text("SELECT path FROM LAPSCOPE_MODULES WHERE id = 1") == "bin/app");
    CHECK(database.query_text("SELECT value FROM CUDA_CALLCHAINS JOIN StringIds ON"
                              " StringIds.id = module WHERE stackDepth = 0") == "bin/app");
    CHECK(database.query_int64("SELECT count(*) FROM StringIds WHERE value LIKE '" +
                               folder.path().string() + "%'") == 0);
  }
  if (!ModuleSymbols::reads_lines) return;
  write_chain(run_program({programs / "chain_fast"}), folder / "u.sqlite");
  symbolize(folder / "u.sqlite", here());
  schema::Database database(folder / "u.sqlite", schema::Database::Mode::read_only);
  CHECK(database.query_text("SELECT value FROM CUDA_CALLCHAINS JOIN StringIds ON"
                            " StringIds.id = sourceFile WHERE stackDepth = 0") ==
        "programs/chain.cpp");
}

TEST_CASE("a trace without call stacks is left as it is") {
  const test::TemporaryFolder folder;
  const fs::path trace = folder / "t.sqlite";
  trace::TraceWriter(trace).finish();
  const std::string before = test::read_file(trace);
  const Result result = symbolize(trace, here());
  CHECK(result.addresses == 0);
  CHECK(result.problem.empty());
  CHECK(test::read_file(trace) == before);
}

TEST_CASE("what is no trace is a sentence that names it") {
  const test::TemporaryFolder folder;
  test::write_file(folder / "t.sqlite", "This is no database, and long enough to be seen as none.");
  for (const Result& result :
       {symbolize(folder / "t.sqlite", here()),
        symbolize_apart(folder / "t.sqlite", here(), std::chrono::seconds(20))}) {
    CHECK_THAT(result.problem, Catch::Matchers::Contains("t.sqlite"));
  }
}

TEST_CASE("a process of its own does the same") {
  const test::TemporaryFolder folder;
  const ProgramRun run = run_program({programs / "chain_fast"});
  write_chain(run, folder / "a.sqlite");
  write_chain(run, folder / "b.sqlite");
  const Result here_done = symbolize(folder / "a.sqlite", here());
  const Result apart = symbolize_apart(folder / "b.sqlite", here(), std::chrono::seconds(20));
  CHECK(apart.problem.empty());
  CHECK(apart.addresses == here_done.addresses);
  CHECK(apart.named == here_done.named);
  CHECK(shown(folder / "b.sqlite").frames == shown(folder / "a.sqlite").frames);
}

}  // namespace
}  // namespace lapscope::symbols
