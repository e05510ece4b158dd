#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>

#include "collector/process/thread_clock.h"
#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

namespace lapscope::inject {
namespace {

namespace fs = std::filesystem;
using test::RecordedRun;

struct Stacks {
  explicit Stacks(const RecordedRun& run) : modules(run.rows<schema::ModuleRow>()) {
    for (const auto& frame : run.rows<schema::CallchainRow>()) {
      if (frame.originalIP) chains[frame.id].push_back(frame);  // other frames are inlined
    }
    for (const auto& call : run.rows<schema::ApiCallRow>()) {
      if (call.callchainId) ids.push_back(*call.callchainId);
    }
    const auto rows = run.rows<schema::StackCountsRow>();
    REQUIRE(rows.size() == 1);
    counts = rows[0];
  }

  std::string path_of(const schema::CallchainRow& frame) const {
    const auto found =
        std::find_if(modules.begin(), modules.end(), [&frame](const schema::ModuleRow& module) {
          return module.id == frame.moduleId && frame.originalIP >= module.start &&
                 frame.originalIP < module.end;
        });
    return found == modules.end() ? "" : found->path;
  }

  std::vector<schema::ModuleRow> modules;
  std::map<std::int64_t, std::vector<schema::CallchainRow>> chains;
  std::vector<std::int64_t> ids;  // ids of the calls' chains
  schema::StackCountsRow counts;
};

TEST_CASE("a call that can block has its stack", "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "calls=cudaDeviceSynchronize_v3020:3",
                         "calls=cudaMalloc_v3020:2", "exit=0"});
  CHECK(run.exit_status() == 0);
  const Stacks stacks(run);
  CHECK(stacks.ids.size() == 5);
  CHECK(stacks.counts.captured == 5);
  CHECK(stacks.counts.chains == static_cast<std::int64_t>(stacks.chains.size()));
  CHECK(stacks.counts.truncated == 0);
  CHECK(stacks.counts.notUnwound == 0);
  CHECK(stacks.counts.lost == 0);
  CHECK(stacks.counts.withoutCall == 0);
  const std::string program = fs::canonical(LAPSCOPE_FAKE_CUDA_PROGRAM).string();
  for (const std::int64_t id : stacks.ids) {
    const auto& frames = stacks.chains.at(id);
    REQUIRE(frames.size() > 3);
    // No frame is in the collector or in libcupti. Paths below the working directory are stored as
    // relative paths.
    CHECK(fs::absolute(stacks.path_of(frames[0])) == program);
    CHECK(fs::absolute(stacks.path_of(frames.back())) == program);  // _start is the outermost frame
    for (const schema::CallchainRow& frame : frames) CHECK_FALSE(stacks.path_of(frame).empty());
    CHECK(std::is_sorted(frames.begin(), frames.end(),
                         [](const auto& a, const auto& b) { return a.stackDepth < b.stackDepth; }));
  }
}

TEST_CASE("of launches a sample has its stack", "[end-to-end]") {
  const std::vector<std::string> steps{"init", "work=1", "calls=cudaLaunchKernel_v7000:200",
                                       "exit=0"};
  CHECK(Stacks(RecordedRun(steps)).ids.size() == 16 + 3);
  CHECK(Stacks(RecordedRun(steps, {.options = {"--stacks", "findings"}})).ids.size() == 16 + 3);
  CHECK(Stacks(RecordedRun(steps, {.options = {"--stacks", "all"}})).ids.size() == 200);
}

TEST_CASE("who wants no stacks has none", "[end-to-end]") {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--stacks", "off"}, {"--light"}}) {
    const RecordedRun run({"init", "work=1", "calls=cudaStreamSynchronize_v3020", "exit=0"},
                          {.options = options});
    INFO(options[0]);
    CHECK_FALSE(run.trace().has_table("CUDA_CALLCHAINS"));
    CHECK_FALSE(run.trace().has_table("LAPSCOPE_STACKS"));
  }
}

TEST_CASE("callbacks that CUPTI refuses cost the stacks and no more", "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "calls=cudaMalloc_v3020", "exit=0"},
                        {.environment = {{"FAKE_CUPTI_NO_CALLBACKS", "1"}}});
  CHECK(run.exit_status() == 0);
  CHECK(run.ops() == 2);
  CHECK_FALSE(run.trace().has_table("CUDA_CALLCHAINS"));
}

TEST_CASE("a forked child captures nothing", "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "calls=cudaMalloc_v3020",
                         "fork-calls=cudaMalloc_v3020:5", "calls=cudaMalloc_v3020", "exit=0"});
  CHECK(run.exit_status() == 0);
  CHECK(Stacks(run).ids.size() == 2);
}

TEST_CASE("a killed program's trace has its stacks", "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "calls=cudaMalloc_v3020:4", "committed", "raise=9"});
  CHECK(run.exit_status() == 137);
  const Stacks stacks(run);
  CHECK(stacks.ids.size() == 4);
  CHECK(stacks.counts.captured == 4);
}

// Returns the number of the line that contains the name.
std::int64_t line_of(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  std::int64_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with("# line \"" + name + "\"")) return number;
  }
  return 0;
}

TEST_CASE("a call from Python has the frames of Python", "[end-to-end]") {
  test::real_cupti();
  const std::string python = LAPSCOPE_SYSTEM_PYTHON;
  if (!fs::exists(python)) test::skip_because("there is no /usr/bin/python3");
#ifdef __SANITIZE_ADDRESS__
  test::skip_because("Python does not load a collector that is under AddressSanitizer");
#endif
  const std::string script = LAPSCOPE_SOURCE_DIR "/tests/collector/inject/calls_cuda.py";
  const test::TemporaryFolder folder;
  const auto path = folder / "t.sqlite";
  const auto run = test::run({LAPSCOPE_COMMAND, "record", "-o", path.string(), "--cupti",
                              LAPSCOPE_FAKE_CUPTI, "--no-calibrate", "--", python, script});
  INFO(run.err);
  REQUIRE(run.exit_status == 0);
  auto trace = schema::Database::immutable(path);
  if (const auto why =
          trace.query_text("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'no-python-frames'")) {
    test::skip_because(*why);
  }
  // Returns frames as FUNCTION:LINE, innermost first. `which` is "min" for the main thread's call
  // and "max" for the other's.
  const auto frames_of = [&trace](const char* which) {
    return trace
        .query_text(
            "SELECT group_concat(name || ':' || line, ' ') FROM (SELECT s.value name, "
            "c.sourceLine line FROM CUDA_CALLCHAINS c JOIN StringIds s ON s.id = c.symbol JOIN "
            "StringIds m ON m.id = c.module JOIN StringIds f ON f.id = c.sourceFile WHERE m.value "
            "= '[python]' AND f.value LIKE '%calls_cuda.py' AND c.originalIP IS NULL AND c.id = "
            "(SELECT " +
            std::string(which) +
            "(callchainId) FROM CUPTI_ACTIVITY_KIND_RUNTIME) ORDER BY c.stackDepth)")
        .value_or("");
  };
  const auto at = [&script](const std::string& function, const std::string& line) {
    return function + ":" + std::to_string(line_of(script, line));
  };
  const std::string inner = at("synchronize", "synchronize") + " " + at("Model.step", "step");
  CHECK(frames_of("min") == inner + " " + at("<module>", "main"));
  CHECK(frames_of("max") == inner);
  CHECK(trace.query_int64("SELECT withoutPython FROM LAPSCOPE_STACKS") == 0);
}

// Returns the processor time in s of all other processes since the machine was started, including
// the time that a hypervisor took.
double taken_by_others() {
  std::ifstream stat("/proc/stat");
  std::string cpu;
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupts = 0, soft = 0,
         stolen = 0;
  stat >> cpu >> user >> nice >> system >> idle >> waiting >> interrupts >> soft >> stolen;
  const double all = (user + nice + system + interrupts + soft + stolen) /
                     static_cast<double>(::sysconf(_SC_CLK_TCK));
  double own = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      own += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    }
  }
  return all - own;
}

TEST_CASE("what a Python program does between its calls is seen, function by function",
          "[end-to-end]") {
  const std::string python = LAPSCOPE_SYSTEM_PYTHON;
  if (python.empty()) test::skip_because("there is no /usr/bin/python3");
#ifdef __SANITIZE_ADDRESS__
  test::skip_because("Python does not load a collector that is under AddressSanitizer");
#endif
  const test::TemporaryFolder folder;
  const auto path = folder / "t.sqlite";
  const double others = taken_by_others();
  const auto run = test::run({LAPSCOPE_COMMAND, "record", "-o", path.string(), "--cupti",
                              LAPSCOPE_FAKE_CUPTI, "--no-calibrate", "--", python,
                              LAPSCOPE_SOURCE_DIR "/tests/collector/inject/host_work.py"});
  const double taken = taken_by_others() - others;
  INFO(run.err);
  REQUIRE(run.exit_status == 0);
  auto trace = schema::Database::immutable(path);
  if (const auto why =
          trace.query_text("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'no-python-frames'")) {
    test::skip_because(*why);
  }
  const auto samples = [&trace](const std::string& function, const std::string& state) {
    return trace
        .query_int64(
            "SELECT count(DISTINCT h.rowid) FROM LAPSCOPE_HOST_SAMPLES h JOIN "
            "ENUM_LAPSCOPE_THREAD_STATE e ON e.id = h.state JOIN CUDA_CALLCHAINS c ON c.id = "
            "h.callchainId JOIN StringIds s ON s.id = c.symbol WHERE e.name LIKE '%" +
            state + "' AND s.value = '" + function + "'")
        .value_or(0);
  };
  const std::int64_t short_work = samples("short_work", "RUNNING");
  const std::int64_t long_work = samples("long_work", "RUNNING");
  const double share =
      static_cast<double>(short_work) / static_cast<double>(short_work + long_work);
  // A slow machine takes fewer samples, so the test compares shares. The lock, the pipe and the
  // sleep each take a tenth of 3 s.
  const std::int64_t all =
      trace.query_int64("SELECT taken FROM LAPSCOPE_HOST_SAMPLING").value_or(0);
  INFO(short_work << " of short_work, " << long_work << " of long_work, " << all << " in all");
  CHECK(all > 30);
  CHECK(short_work + long_work > all / 8);
  CHECK(share > 0.1);
  CHECK(share < 0.5);
  CHECK(samples("wait_for_lock", "LOCK") > all / 30);
  CHECK(samples("read_pipe", "READING") > all / 30);
  CHECK(samples("<module>", "SLEEPING") > all / 30);
  CHECK(samples("collect", "GARBAGE_COLLECTION") > all / 30);
  CHECK(samples("long_work", "GARBAGE_COLLECTION") <= 1);
  CHECK(trace
            .query_int64("SELECT sum(collections) FROM LAPSCOPE_COLLECTIONS WHERE generation = 2 "
                         "AND afterLook < byLook")
            .value_or(0) > 5);
  // Waiting threads also have native frames.
  CHECK(trace
            .query_int64("SELECT count(DISTINCT h.rowid) FROM LAPSCOPE_HOST_SAMPLES h JOIN "
                         "ENUM_LAPSCOPE_THREAD_STATE e ON e.id = h.state JOIN CUDA_CALLCHAINS c ON "
                         "c.id = h.callchainId AND c.stackDepth = 0 JOIN StringIds m ON m.id = "
                         "c.module WHERE e.name LIKE '%SLEEPING' AND m.value LIKE '%/libc.so%'")
            .value_or(0) > all / 30);
  const auto compressing = trace.query_int64(
      "SELECT count(DISTINCT n.id) FROM CUDA_CALLCHAINS n JOIN StringIds m ON m.id = n.module JOIN "
      "CUDA_CALLCHAINS p ON p.id = n.id JOIN StringIds s ON s.id = p.symbol WHERE m.value LIKE "
      "'%/libz.so%' AND n.stackDepth = 0 AND s.value = 'compress'");
  const auto refused =
      trace.query_text("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'no-native-frames'");
  CHECK(refused.has_value() == (process::thread_clock_refusal() != 0));
  // Beside other tests, a sampled thread often has no processor. So the check needs a test that
  // runs alone (CMakeLists.txt).
  const auto with_native =
      trace.query_int64("SELECT withNative FROM LAPSCOPE_HOST_SAMPLING").value_or(0);
  if (refused) CHECK(with_native == 0);
  const bool runs_alone = std::getenv("LAPSCOPE_TEST_RUNS_ALONE") != nullptr;
  INFO("others took " << taken << " s of processor time");
  constexpr double most_taken = 3.5;  // s; the program runs for 3 s, on two processors or more
  if (!refused && runs_alone && taken > most_taken) {
    std::printf("lapscope-skip: native frames of samples: others took %.1f s of processor time\n",
                taken);
  } else if (!refused && runs_alone) {
    // Only samples in compress() and in the garbage collector show native frames. The two run for
    // 0.8 s, and all code for 1.8 s. Frames of the interpreter become Python frames.
    const auto running =
        trace.query_int64("SELECT running FROM LAPSCOPE_HOST_SAMPLING").value_or(0);
    INFO(with_native << " of " << running << " running samples have native frames");
    CHECK(with_native * 5 > running);
    CHECK(compressing.value_or(0) > 0);
  }
  CHECK(trace.query_int64("SELECT count(*) FROM LAPSCOPE_HOST_SAMPLES") ==
        trace.query_int64("SELECT received FROM LAPSCOPE_RECORDS WHERE name = 'HOST_SAMPLES'"));
  CHECK(trace.query_int64("SELECT taken FROM LAPSCOPE_HOST_SAMPLING") ==
        trace.query_int64("SELECT count(*) FROM LAPSCOPE_HOST_SAMPLES"));
}

}  // namespace
}  // namespace lapscope::inject
