#include <filesystem>

#include "collector/trace/trace_writer.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"

namespace lapscope::cli {
namespace {

using test::Containing;
using test::run_lapscope;

// A wait for the device in a file that is not there.
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

}  // namespace
}  // namespace lapscope::cli
