#include "collector/launch/bare_runs.h"

#include <signal.h>

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::launch {
namespace {

using test::ScopedVariable;
using test::TemporaryFolder;

//   run 1   ........TERM, saves, exits with 1
//   run 2                                      does not begin
TEST_CASE("no run follows one that was asked to end, whatever its exit status", "[launch]") {
  const TemporaryFolder folder;
  test::write_file(folder / "collector.so", "");
  test::write_file(folder / "liblapscope_range_timer.so", "");
  const ScopedVariable collector("LAPSCOPE_COLLECTOR", (folder / "collector.so").c_str());
  const ScopedVariable cuda("CUDA_INJECTION64_PATH", nullptr);
  const ScopedVariable nvtx("NVTX_INJECTION64_PATH", nullptr);
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

}  // namespace
}  // namespace lapscope::launch
