#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "collector/schema/capture_facts.h"
#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

// What recording adds to calls: measured once a machine, kept in the user's cache folder, and told
// in traces. A script stands in for the program whose calls are timed.
namespace lapscope::inject {
namespace {

namespace fs = std::filesystem;

using schema::CallCostRow;
using test::Environment;
using test::RecordedRun;
using test::TemporaryFolder;

constexpr const char* times_a_launch = R"(
if [ -n "$CUDA_INJECTION64_PATH" ]; then echo "launch 3351.4" > "$1"; else echo "launch 2000" > "$1"; fi
echo "query 300" >> "$1"
)";
constexpr const char* fails = R"(
echo "error no CUDA-capable device is detected" > "$1"
exit 1
)";

// A machine on which calls are timed by a script.
class Machine {
 public:
  explicit Machine(const std::string& script = times_a_launch) {
    fs::create_symlink(LAPSCOPE_COLLECTOR_LIBRARY, folder_ / "liblapscope_collector.so");
    const fs::path program = folder_ / "lapscope_call_costs";
    std::ofstream file(program);
    file << "#!/bin/sh\necho run >> '" << (folder_ / "runs").string() << "'\n"
         << script << "[ -z \"$CUDA_INJECTION64_PATH\" ] || exec '" << LAPSCOPE_FAKE_CUDA_PROGRAM
         << "' init work=1 exit=0\n";
    file.close();
    fs::permissions(program, fs::perms::owner_all);
  }

  RecordedRun record(const Environment& more = {}, std::vector<std::string> options = {}) const {
    Environment environment{{"LAPSCOPE_COLLECTOR", folder_ / "liblapscope_collector.so"},
                            {"XDG_CACHE_HOME", cache()}};
    for (const auto& one : more) environment.push_back(one);
    options.emplace_back("--calibrate");
    return RecordedRun({"init", "work=1", "exit=0"},
                       {.environment = environment, .options = options});
  }

  fs::path cache() const { return folder_ / "cache"; }
  // How often calls were timed.
  int runs() const {
    std::ifstream file(folder_ / "runs");
    int count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }

 private:
  TemporaryFolder folder_;
};

std::string not_calibrated(const RecordedRun& run) {
  return run.fact(schema::fact::not_calibrated).value_or("");
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("the first recording on a machine calibrates, the next has what is kept",
          "[end-to-end]") {
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
  const Machine machine;
  const RecordedRun first = machine.record();
  CHECK(first.exit_status() == 0);
  CHECK(not_calibrated(first).empty());
  const auto rows = first.rows<CallCostRow>();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].kind == "launch");
  CHECK(rows[0].bareNs == 2'000);
  CHECK(rows[0].recordedNs == 3'351);
  CHECK(rows[0].created.size() == 20);
  CHECK(rows[1].kind == "query");
  CHECK(rows[1].recordedNs == rows[1].bareNs);
  CHECK(fs::exists(machine.cache() / "lapscope" / "call-costs.json"));
  const int runs = machine.runs();
  CHECK(runs >= 2);
  CHECK(runs % 2 == 0);

  const RecordedRun second = machine.record();
  CHECK(second.rows<CallCostRow>().size() == 2);
  CHECK(machine.runs() == runs);
  // Another request records other things, at another cost.
  CHECK(machine.record({}, {"--all-calls"}).rows<CallCostRow>().size() == 2);
  CHECK(machine.runs() > runs);
}

TEST_CASE("a calibration that fails is told in the trace, and not tried again", "[end-to-end]") {
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
  const Machine machine(fails);
  for (int i = 0; i < 2; ++i) {
    const RecordedRun run = machine.record();
    CHECK(run.exit_status() == 0);
    CHECK_FALSE(run.trace().has_table("LAPSCOPE_CALL_COSTS"));
    CHECK(holds(not_calibrated(run), "no CUDA-capable device is detected"));
    CHECK(machine.runs() == 1);
  }
}

TEST_CASE("where no calibration can be kept, none is made", "[end-to-end]") {
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
  const Machine machine;
  SECTION("a file is in the place of the folder") {
    std::ofstream(machine.cache()) << "no folder";
    const RecordedRun run = machine.record();
    CHECK(run.exit_status() == 0);
    CHECK(holds(not_calibrated(run), "cannot be made"));
  }
  SECTION("neither folder is known") {
    const RecordedRun run = machine.record({{"XDG_CACHE_HOME", ""}, {"HOME", ""}});
    CHECK(holds(not_calibrated(run), "neither XDG_CACHE_HOME nor HOME"));
  }
  SECTION("the folder is read-only") {
    if (::geteuid() == 0) SKIP_BECAUSE("a superuser may write everywhere");
    fs::create_directories(machine.cache() / "lapscope");
    fs::permissions(machine.cache() / "lapscope", fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(holds(not_calibrated(machine.record()), "cannot be written"));
  }
  CHECK(machine.runs() == 0);
}

TEST_CASE("a file that cannot be understood is written anew", "[end-to-end]") {
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
  const Machine machine;
  fs::create_directories(machine.cache() / "lapscope");
  const char* content = GENERATE("", "{\"schema\": \"lapscope-call-costs/1\", \"calibrations\": 7}",
                                 "{\"schema\": \"another/1\"}");
  std::ofstream(machine.cache() / "lapscope" / "call-costs.json") << content;
  CHECK(machine.record().rows<CallCostRow>().size() == 2);
  const int runs = machine.runs();
  CHECK(machine.record().rows<CallCostRow>().size() == 2);
  CHECK(machine.runs() == runs);
}

TEST_CASE("while another process calibrates, none is made", "[end-to-end]") {
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
  const Machine machine;
  const fs::path folder = machine.cache() / "lapscope";
  fs::create_directories(folder);
  const int lock = ::open((folder / "call-costs.lock").c_str(), O_CREAT | O_RDWR, 0600);
  REQUIRE(lock >= 0);
  REQUIRE(::flock(lock, LOCK_EX) == 0);
  const RecordedRun run = machine.record();
  CHECK(run.exit_status() == 0);
  CHECK(holds(not_calibrated(run), "another process calibrates"));
  CHECK(machine.runs() == 0);
  ::close(lock);
}

TEST_CASE("nothing is timed while other ranks may run, or where it is not wanted", "[end-to-end]") {
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
  const Machine machine;
  CHECK(holds(not_calibrated(machine.record({{"RANK", "3"}})), "other ranks"));
  CHECK(holds(not_calibrated(machine.record({{"RANK", "0"}, {"WORLD_SIZE", "2"}})), "other ranks"));
  CHECK(holds(not_calibrated(machine.record({{"LAPSCOPE_SESSION", "f00"}})), "another one"));
  CHECK(machine.runs() == 0);
  const RecordedRun unwanted = machine.record({}, {"--no-calibrate"});
  CHECK(not_calibrated(unwanted).empty());
  CHECK_FALSE(unwanted.trace().has_table("LAPSCOPE_CALL_COSTS"));
  CHECK(machine.runs() == 0);
  // What is kept is told by every rank.
  machine.record({{"RANK", "0"}, {"WORLD_SIZE", "1"}});
  CHECK(machine.runs() > 0);
  CHECK(machine.record({{"RANK", "3"}}).rows<CallCostRow>().size() == 2);
}

}  // namespace
}  // namespace lapscope::inject
