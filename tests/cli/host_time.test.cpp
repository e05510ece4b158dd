#include <fstream>

#include "collector/schema/global_id.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/support/json.h"

namespace lapscope::cli {
namespace {

using nlohmann::json;
using test::Containing;
using test::run_lapscope;

constexpr std::int64_t us = 1'000;

// A loop that launches a kernel every 10 ms. Samples between launches show a function that loads
// data.
class LoadingProgram {
 public:
  LoadingProgram() : path((folder_ / "t.sqlite").string()), kinds((folder_ / "k.toml").string()) {
    test::write_trace(path, [](trace::TraceWriter& writer) {
      const std::int64_t thread = schema::global_tid(7, 1);
      schema::CallchainRow frame;
      frame.id = 5;
      frame.symbol = writer.intern("load");
      frame.module = writer.intern("[python]");
      frame.sourceFile = writer.intern("data.py");
      frame.sourceLine = 27;
      writer.insert(frame);
      for (std::int64_t i = 0; i < 20; ++i) {
        const std::int64_t start = i * 10'000 * us;
        schema::ApiCallRow call;
        call.start = start;
        call.end = start + 10 * us;
        call.globalTid = thread;
        call.correlationId = i + 1;
        call.nameId = writer.intern("cudaLaunchKernel_v7000");
        writer.insert(call);
        schema::KernelRow kernel = test::kernel(start + 20 * us, start + 500 * us);
        kernel.globalPid = schema::global_pid(7);
        kernel.correlationId = i + 1;
        kernel.shortName = kernel.demangledName = writer.intern("step");
        writer.insert(kernel);
        writer.insert(schema::HostSampleRow{start + 5'000 * us, thread, 1, {}, {}, {}, {}, 5});
      }
      writer.insert(schema::HostSampleCountsRow{10'000 * us, 20, 0, 0, 0, 0});
      writer.commit();
    });
  }

 private:
  test::TemporaryFolder folder_;

 public:
  const std::string path;
  const std::string kinds;
};

TEST_CASE("what the host does between calls is shown by function") {
  const LoadingProgram program;
  const auto result = run_lapscope({"analyze", "--by", "function", program.path});
  CHECK_THAT(result.out, Containing("100.0 %") && Containing("load") && Containing("data.py:27") &&
                             Containing("the program's own code"));
  CHECK_THAT(run_lapscope({"analyze", "-v", program.path}).out,
             Containing("host time between calls (") && Containing("host_user"));
  CHECK(run_lapscope({"analyze", "--by", "function", "-v", program.path}).status == 2);
}

TEST_CASE("a trace without samples says how to have them") {
  CHECK_THAT(run_lapscope(
                 {"analyze", "--by", "function", LAPSCOPE_TEST_TRACES "/sync-device-broken.sqlite"})
                 .out,
             Containing("Nobody looked at host threads"));
}

TEST_CASE("a file says which kind of work a function is") {
  const LoadingProgram program;
  std::ofstream(program.kinds) << "[[kind]]\nkind = \"data_loading\"\nfunctions = \"load\"\n";
  const auto result =
      run_lapscope({"analyze", "--format", "json", "--kinds", program.kinds, program.path});
  const json report = test::parse_json(result.out);
  CHECK(report["devices"][0]["host_time"]["parts"][0]["kind"] == "data_loading");
  std::ofstream(program.kinds) << "[[kind]]\nkind = \"loading\"\n";
  const auto wrong = run_lapscope({"analyze", "--kinds", program.kinds, program.path});
  CHECK(wrong.status == 2);
  CHECK_THAT(wrong.err, Containing("k.toml:2:8: there is no 'loading'"));
}

TEST_CASE("a gate bounds what the host does, and cannot without samples") {
  const LoadingProgram program;
  const auto gate = [](const char* bound, const std::string& path) {
    return run_lapscope({"gate", "--whole", "--max", bound, path});
  };
  CHECK(gate("host_user=5%", program.path).status == 1);
  CHECK(gate("host_lock=5%", program.path).status == 0);
  const auto without = gate("host_user=5%", LAPSCOPE_TEST_TRACES "/sync-device-broken.sqlite");
  CHECK(without.status == 3);
  CHECK_THAT(test::on_one_line(without.out), Containing("nobody looked at host threads"));
}

}  // namespace
}  // namespace lapscope::cli
