#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "collector/schema/call_cost_kinds.h"
#include "collector/schema/capture_facts.h"
#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

// The calibration: a program times CUDA calls once per machine, and lapscope stores the times in
// the user's cache folder and in traces. A script replaces the program here.
namespace lapscope::inject {
namespace {

namespace fs = std::filesystem;

using schema::CallCostRow;
using test::Environment;
using test::RecordedRun;
using test::TemporaryFolder;

// Something disturbs the second round.
constexpr const char* times_a_launch = R"sh(
for more in 0 9000 10 -10 0; do
  echo "launch 2000 3351.4" >> "$1"
  echo "query 300 $((300 + more))" >> "$1"
done
)sh";
constexpr const char* fails = R"(
echo "error no CUDA-capable device is detected" > "$1"
exit 1
)";

// A machine on which a script times the calls.
class Machine {
 public:
  explicit Machine(const std::string& script = times_a_launch) {
    fs::create_symlink(LAPSCOPE_COLLECTOR_LIBRARY, folder_ / "liblapscope_collector.so");
    const fs::path program = folder_ / "lapscope_call_costs";
    std::ofstream file(program);
    file << "#!/bin/sh\necho run >> '" << (folder_ / "runs").string() << "'\n"
         << script << "exec '" << LAPSCOPE_FAKE_CUDA_PROGRAM << "' init work=1 exit=0\n";
    file.close();
    fs::permissions(program, fs::perms::owner_all);
  }

  RecordedRun record(const Environment& more = {}, std::vector<std::string> options = {},
                     const std::vector<std::string>& steps = {"init", "work=1", "exit=0"}) const {
    Environment environment{{"LAPSCOPE_COLLECTOR", folder_ / "liblapscope_collector.so"},
                            {"XDG_CACHE_HOME", cache()}};
    for (const auto& one : more) environment.push_back(one);
    options.emplace_back("--calibrate");
    return RecordedRun(steps, {.environment = environment, .options = options});
  }

  fs::path cache() const { return folder_ / "cache"; }
  // Returns how often calls were timed.
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
  const Machine machine;
  const RecordedRun first = machine.record();
  CHECK(first.exit_status() == 0);
  CHECK(not_calibrated(first).empty());
  const auto rows = first.rows<CallCostRow>();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].kind == "launch");
  CHECK(rows[0].bareNs == 2'000);
  CHECK(rows[0].recordedNs == 3'351);
  CHECK(rows[0].spreadNs == 0);
  CHECK(rows[0].created.size() == 20);
  CHECK(rows[1].kind == "query");
  CHECK(rows[1].recordedNs == rows[1].bareNs);
  CHECK(rows[1].spreadNs == 10);
  CHECK(fs::exists(machine.cache() / "lapscope" / "call-costs.json"));
  const int runs = machine.runs();
  CHECK(runs >= 1);

  const RecordedRun second = machine.record();
  CHECK(second.rows<CallCostRow>().size() == 2);
  CHECK(machine.runs() == runs);
  // A request for other kinds has other costs.
  CHECK(machine.record({}, {"--all-calls"}).rows<CallCostRow>().size() == 2);
  CHECK(machine.runs() > runs);
}

TEST_CASE("the program that times calls tells rounds of every kind, or why there are none",
          "[end-to-end]") {
  const TemporaryFolder folder;
  const fs::path file = folder / "times";
  const auto finished = test::run({LAPSCOPE_CALL_COSTS, file, "50", "20000"});
  std::ifstream times(file);
  std::map<std::string, int> lines;
  std::string kind;
  std::string rest;
  while (times >> kind && std::getline(times, rest)) ++lines[kind];
  if (finished.exit_status == 0) {
    CHECK(lines.size() == schema::call_cost::of_calls.size() + 6);
    for (const auto& [name, count] : lines) CHECK(count == lines.begin()->second);
  } else {
    CHECK(finished.exit_status == 1);
    CHECK(lines == std::map<std::string, int>{{"error", 1}});
    CHECK(rest.size() > 10);
  }
}

TEST_CASE("a calibration that fails is told in the trace, and not tried again", "[end-to-end]") {
  const Machine machine(fails);
  for (int i = 0; i < 2; ++i) {
    const RecordedRun run = machine.record();
    CHECK(run.exit_status() == 0);
    CHECK_FALSE(run.trace().has_table("LAPSCOPE_CALL_COSTS"));
    CHECK(holds(not_calibrated(run), "no CUDA-capable device is detected"));
    CHECK(machine.runs() == 1);
  }
}

TEST_CASE("a calibration that a signal ends is tried again", "[end-to-end]") {
  const Machine machine("kill -INT $$\n");
  for (int i = 1; i <= 2; ++i) {
    CHECK(holds(not_calibrated(machine.record()), "ended with 130"));
    CHECK(machine.runs() == i);
  }
}

TEST_CASE("a program that was asked to end is not followed by a calibration", "[end-to-end]") {
  const Machine machine;
  CHECK(holds(not_calibrated(machine.record({}, {}, {"init", "work=1", "committed", "raise=15"})),
              "a signal asked the program to end"));
  CHECK(machine.runs() == 0);
}

TEST_CASE("a calibration of a few rounds is none", "[end-to-end]") {
  const Machine machine("echo 'launch 2000 3000' >> \"$1\"\n");
  // Each run of the script is a round. lapscope makes up to eight rounds, but fewer on a slow
  // machine.
  const RecordedRun run = machine.record();
  CHECK(machine.runs() > 1);
  const bool is_enough = machine.runs() >= 5;
  CHECK(run.trace().has_table("LAPSCOPE_CALL_COSTS") == is_enough);
  CHECK(holds(not_calibrated(run), "rounds were undisturbed") == !is_enough);
  // If too few rounds were undisturbed, the next recording calibrates again.
  const int runs = machine.runs();
  machine.record();
  CHECK((machine.runs() == runs) == is_enough);
}

TEST_CASE("rounds in which the machine was slow do not count", "[end-to-end]") {
  // The first and fourth round are undisturbed. In the others, all times are 1.5 times as long.
  const Machine machine(R"sh(
for slow in 100 150 150 100 150; do
  echo "launch $((20 * slow)) $((33 * slow))" >> "$1"
  echo "query $((3 * slow)) $((7 * slow))" >> "$1"
  echo "synchronize $((5 * slow)) $((9 * slow))" >> "$1"
done
)sh");
  const auto rows = machine.record().rows<CallCostRow>();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].bareNs == 2'000);
  CHECK(rows[0].recordedNs == 3'300);
  CHECK(rows[0].spreadNs == 0);
  CHECK(rows[1].recordedNs == 700);
}

TEST_CASE("where no calibration can be kept, none is made", "[end-to-end]") {
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
    if (::geteuid() == 0) test::skip_because("a superuser may write everywhere");
    fs::create_directories(machine.cache() / "lapscope");
    fs::permissions(machine.cache() / "lapscope", fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(holds(not_calibrated(machine.record()), "cannot be written"));
  }
  CHECK(machine.runs() == 0);
}

TEST_CASE("a file that cannot be understood is written anew", "[end-to-end]") {
  const Machine machine;
  fs::create_directories(machine.cache() / "lapscope");
  const char* content = GENERATE("", "{\"schema\": \"lapscope-call-costs/3\", \"calibrations\": 7}",
                                 "{\"schema\": \"another/1\"}");
  std::ofstream(machine.cache() / "lapscope" / "call-costs.json") << content;
  CHECK(machine.record().rows<CallCostRow>().size() == 2);
  const int runs = machine.runs();
  CHECK(machine.record().rows<CallCostRow>().size() == 2);
  CHECK(machine.runs() == runs);
}

TEST_CASE("while another process calibrates, none is made", "[end-to-end]") {
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
  const Machine machine;
  CHECK(holds(not_calibrated(machine.record({{"RANK", "3"}})), "other ranks"));
  CHECK(holds(not_calibrated(machine.record({{"RANK", "0"}, {"WORLD_SIZE", "2"}})), "other ranks"));
  CHECK(holds(not_calibrated(machine.record({{"LAPSCOPE_SESSION", "f00"}})), "another one"));
  CHECK(machine.runs() == 0);
  const RecordedRun unwanted = machine.record({}, {"--no-calibrate"});
  CHECK(not_calibrated(unwanted).empty());
  CHECK_FALSE(unwanted.trace().has_table("LAPSCOPE_CALL_COSTS"));
  CHECK(machine.runs() == 0);
  // Every rank reports the same calibration.
  machine.record({{"RANK", "0"}, {"WORLD_SIZE", "1"}});
  CHECK(machine.runs() > 0);
  CHECK(machine.record({{"RANK", "3"}}).rows<CallCostRow>().size() == 2);
}

}  // namespace
}  // namespace lapscope::inject
