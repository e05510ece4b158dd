#include "cli/machine_memory.h"

#include <limits>

#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

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
