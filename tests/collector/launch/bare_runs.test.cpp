#include "collector/launch/bare_runs.h"

#include <signal.h>

#include "collector/trace/trace_writer.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::launch {
namespace {

using test::ScopedVariable;
using test::TemporaryFolder;

// A folder with files in place of the collector's libraries.
struct WorkplaceOfBareRuns {
  WorkplaceOfBareRuns() {
    test::write_file(folder / "collector.so", "");
    test::write_file(folder / "liblapscope_range_timer.so", "");
  }
  TemporaryFolder folder;
  ScopedVariable collector{"LAPSCOPE_COLLECTOR", (folder / "collector.so").c_str()};
  ScopedVariable cuda{"CUDA_INJECTION64_PATH", nullptr};
  ScopedVariable nvtx{"NVTX_INJECTION64_PATH", nullptr};
};

//   run 1   ........TERM, saves, exits with 1
//   run 2                                      does not begin
TEST_CASE("no run follows one that was asked to end, whatever its exit status", "[launch]") {
  const WorkplaceOfBareRuns place;
  const TemporaryFolder& folder = place.folder;
  const std::string ready = (folder / "ready").string();
  test::Child child([&] {
    RecordOptions options;
    options.output = folder / "t.sqlite";
    options.command = {"/bin/sh", "-c",
                       "trap 'exit 1' TERM; [ -e " + ready + " ] && exit 0; touch " + ready +
                           "; while :; do sleep 0.01; done"};
    const ComparedRecording compared = record_and_compare(options, 3);
    return compared.runs.size() == 1 && compared.runs[0].exit_status == 1 ? 0 : 1;
  });
  REQUIRE(test::eventually([&] { return std::filesystem::exists(ready); }));
  child.signal(SIGTERM);
  CHECK(child.wait().exit_status == 0);
}

// link.sqlite -> real.sqlite: each recorded run removes or renames real.sqlite
TEST_CASE("every run writes behind a symbolic link", "[launch]") {
  const WorkplaceOfBareRuns place;
  trace::TraceWriter(place.folder / "real.sqlite").finish();
  std::filesystem::create_symlink("real.sqlite", place.folder / "link.sqlite");
  RecordOptions options;
  options.output = place.folder / "link.sqlite";
  options.command = {"/bin/sh", "-c", "exit 0"};
  const ComparedRecording compared = record_and_compare(options, 2);
  CHECK_FALSE(compared.recording.refusal);
  CHECK(compared.runs.size() == 4);
  CHECK(std::filesystem::is_symlink(options.output));
}

}  // namespace
}  // namespace lapscope::launch
