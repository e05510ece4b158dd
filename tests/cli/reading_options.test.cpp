#include <filesystem>
#include <limits>

#include "cli/reading_options.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"

// --max-ops limits every command that reads traces.
namespace lapscope::test {
namespace {

const std::string to_be_read = LAPSCOPE_TEST_TRACES "/stream_pipeline-overlapped.sqlite";

std::vector<std::vector<std::string>> reading_commands() {
  return {{"analyze", to_be_read},
          {"report", to_be_read, "-o", "/dev/null", "--format", "json"},
          {"stats", to_be_read},
          {"gate", to_be_read, "--min-overlap", "0"},
          {"summarize", to_be_read},
          {"diff", to_be_read, LAPSCOPE_TEST_TRACES "/stream_pipeline-serial.sqlite"},
          {"whatif", to_be_read},
          {"whatif", to_be_read, "--fix", "host-sync"}};
}

TEST_CASE("every command refuses what is beyond --max-ops, as another file that it cannot read") {
  for (std::vector<std::string> command : reading_commands()) {
    INFO(command[0]);
    command.insert(command.end(), {"--max-ops", "100"});
    const CommandResult result = run_in_process(command);
    CHECK(result.status == 4);
    CHECK_THAT(on_one_line(result.err),
               Containing("stream_pipeline-overlapped.sqlite' is too large: ") &&
                   Containing("--max-ops allows 100."));
    CHECK(result.out.empty());
  }
}

TEST_CASE("a conversion that is refused leaves no file") {
  const TemporaryFolder folder;
  const auto out = folder / "out.sqlite";
  const CommandResult result =
      run_in_process({"convert", to_be_read, out.string(), "--max-ops", "100"});
  CHECK(result.status == 4);
  CHECK_THAT(on_one_line(result.err), Containing("--max-ops allows 100."));
  CHECK(!std::filesystem::exists(out));
  CHECK(run_in_process({"convert", to_be_read, out.string()}).status == 0);
}

// A replay needs more memory than the trace.
TEST_CASE("the number of ops in a replay is limited, too") {
  const std::string few = "3000";
  const CommandResult sample = run_in_process({"analyze", to_be_read, "--max-ops", few});
  CHECK(sample.status == 0);
  const CommandResult less = run_in_process({"whatif", to_be_read, "--max-ops", "700"});
  CHECK(less.status == 4);
  CHECK_THAT(on_one_line(less.err), Containing("has too many ops to replay at once: ") &&
                                        Containing("--max-ops 700 has memory for 91."));
}

}  // namespace

}  // namespace lapscope::test

namespace lapscope::cli {
namespace {

// A machine, described by files of /proc and /sys.
class Machine {
 public:
  void has(const std::string& file, const std::string& content) {
    std::filesystem::create_directories((folder_ / file).parent_path());
    test::write_file(folder_ / file, content);
  }
  std::int64_t memory() const { return machine_memory(folder_.path()); }

 private:
  const test::TemporaryFolder folder_;
};

constexpr const char* meminfo =
    "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nHugePages_Total:       0\n";
constexpr std::int64_t all = std::int64_t{16'000'000} * 1024;

TEST_CASE("without control groups memory is the machine's") {
  Machine machine;
  CHECK(machine.memory() == std::numeric_limits<std::int64_t>::max());
  machine.has("proc/meminfo", meminfo);
  CHECK(machine.memory() == all);
}

TEST_CASE("the least limit of a control group of version 2 and those around it counts") {
  Machine machine;
  machine.has("proc/meminfo", meminfo);
  machine.has("proc/self/cgroup", "0::/jobs/one\n");
  machine.has("sys/fs/cgroup/jobs/one/memory.max", "max\n");
  CHECK(machine.memory() == all);
  machine.has("sys/fs/cgroup/jobs/memory.max", "3000000000\n");
  CHECK(machine.memory() == 3'000'000'000);
  machine.has("sys/fs/cgroup/jobs/one/memory.max", "2000000000\n");
  CHECK(machine.memory() == 2'000'000'000);
}

TEST_CASE("in a container the group may be the root of what is mounted") {
  Machine machine;
  machine.has("proc/meminfo", meminfo);
  machine.has("proc/self/cgroup", "0::/../../not/mounted/here\n");
  machine.has("sys/fs/cgroup/memory.max", "4000000000\n");
  CHECK(machine.memory() == 4'000'000'000);
}

TEST_CASE("control groups of version 1 have a hierarchy for memory") {
  Machine machine;
  machine.has("proc/meminfo", meminfo);
  machine.has("proc/self/cgroup", "5:devices:/other\n4:cpu,memory:/job\n0::/\n");
  machine.has("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(machine.memory() == all);
  machine.has("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1000000000\n");
  CHECK(machine.memory() == 1'000'000'000);
}

}  // namespace

}  // namespace lapscope::cli
