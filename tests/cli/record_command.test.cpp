#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"

// Tests `lapscope record` with programs that do not use CUDA. The collector can be any file,
// because nothing loads it.
namespace lapscope::test {
namespace {

using Environment = std::vector<std::pair<std::string, std::string>>;
const Environment any_collector = {{"LAPSCOPE_COLLECTOR", "/bin/true"}};

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Recorder {
 public:
  CommandResult run(std::vector<std::string> program, Environment more = {}) const {
    std::vector<std::string> arguments = {"record", "-o", output(), "--"};
    arguments.insert(arguments.end(), program.begin(), program.end());
    more.insert(more.end(), any_collector.begin(), any_collector.end());
    return run_lapscope(arguments, more);
  }
  std::string output() const { return folder / "t.sqlite"; }
  TemporaryFolder folder;
};

TEST_CASE("-- is only needed before a program that begins with a dash") {
  const Recorder recorder;
  const CommandResult result = run_lapscope(
      {"record", "-o", recorder.output(), "sh", "-c", "echo \"$1\"; exit 7", "sh", "[a,b]"},
      any_collector);
  CHECK(result.status == 7);
  CHECK(result.out == "[a,b]\n");
}

TEST_CASE("a usage error says that the program was not run") {
  const CommandResult result = run_lapscope({"record", "--flush-ms", "x", "true"}, any_collector);
  CHECK(result.status == 2);
  CHECK(says(result.err, "the program was not run"));
}

TEST_CASE("a missing trace is a failure where one is required") {
  const Recorder recorder;
  const auto status = [&](const char* program) {
    return run_lapscope({"record", "-o", recorder.output(), "--require-trace", program},
                        any_collector)
        .status;
  };
  CHECK(status("true") == 3);
  CHECK(status("false") == 1);
}

TEST_CASE(
    "a program that never uses CUDA keeps its status, and the line says that nothing was "
    "recorded") {
  const Recorder recorder;
  for (const int status : {0, 1, 42}) {
    const CommandResult result = recorder.run({"sh", "-c", "exit " + std::to_string(status)});
    REQUIRE(result.status == status);
    REQUIRE(says(result.err, "nothing was recorded"));
    REQUIRE(std::count(result.err.begin(), result.err.end(), '\n') == 1);
  }
  REQUIRE(names_in(recorder.folder.path()).empty());
}

TEST_CASE("a program that removes the working directory keeps its status") {
  const Recorder recorder;
  const std::string script =
      "cd '" + recorder.folder.path().string() + "' && mkdir gone && cd gone && " +
      "LAPSCOPE_COLLECTOR=/bin/true '" LAPSCOPE_COMMAND "' record -o ../t.sqlite -- " +
      "sh -c 'rmdir ../gone; exit 7' 2> ../said";
  const int ended = std::system(script.c_str());
  CHECK(WEXITSTATUS(ended) == 7);
  std::ifstream said(recorder.folder / "said");
  std::string line;
  CHECK((std::getline(said, line) && says(line, "nothing was recorded")));
}

TEST_CASE("where no program can use CUDA, the driver's error is named") {
  const Recorder recorder;
  const std::string libcuda = LAPSCOPE_FAKE_LIBCUDA;
  const CommandResult no_device = recorder.run(
      {"sh", "-c", "exit 3"}, {{"LD_LIBRARY_PATH", libcuda}, {"FAKE_CUDA_ERROR", "100"}});
  CHECK(no_device.status == 3);
  CHECK(says(no_device.err,
             "the program did not use CUDA, and could not: cuInit fails with CUDA_ERROR_NO_DEVICE "
             "(100): no CUDA-capable device is detected (see `lapscope doctor`)"));
  const CommandResult unknown =
      recorder.run({"true"}, {{"LD_LIBRARY_PATH", libcuda}, {"FAKE_CUDA_ERROR", "31999"}});
  CHECK(says(unknown.err, "cuInit fails with error (31999): the driver has no text for it"));
  const CommandResult works = recorder.run({"true"}, {{"LD_LIBRARY_PATH", libcuda}});
  CHECK(says(works.err, "the program did not use CUDA."));
}

TEST_CASE("a program that a signal ends gives 128 + n") {
  const Recorder recorder;
  REQUIRE(recorder.run({"sh", "-c", "kill -TERM $$"}).status == 128 + SIGTERM);
  REQUIRE(recorder.run({"sh", "-c", "kill -KILL $$"}).status == 128 + SIGKILL);
}

TEST_CASE("a program that is to run bare as well does so without a collector") {
  const Recorder recorder;
  const std::filesystem::path folder = recorder.folder.path();
  std::ofstream(folder / "collector.so") << "";
  std::ofstream(folder / "liblapscope_range_timer.so") << "";
  const auto run = [&](const std::string& collector) {
    return run_lapscope(
        {"record", "--bare", "2", "-o", recorder.output(), "--", "sh", "-c",
         "echo \"${CUDA_INJECTION64_PATH##*/} ${NVTX_INJECTION64_PATH##*/}\"; exit 3"},
        {{"LAPSCOPE_COLLECTOR", collector}});
  };
  const CommandResult result = run(folder / "collector.so");
  REQUIRE(result.status == 3);
  REQUIRE(result.out ==
          "collector.so collector.so\n liblapscope_range_timer.so\n"
          "collector.so collector.so\n liblapscope_range_timer.so\n");
  REQUIRE(says(result.err, "exit statuses of recorded runs: 3, 3; of bare runs: 3, 3"));
  const CommandResult without = run("/bin/true");
  REQUIRE(without.status == 3);
  REQUIRE(says(without.err, "could not be run bare"));
  REQUIRE(says(without.err, "of bare runs: none"));
}

TEST_CASE("what takes turns is said to happen every time") {
  REQUIRE(says(run_lapscope({"record", "--help"}).out, "repeat with every run"));
}

TEST_CASE("the program's streams are untouched") {
  const CommandResult result = Recorder().run({"sh", "-c", "echo out; echo err >&2"});
  REQUIRE(result.out == "out\n");
  REQUIRE(result.err.substr(0, 4) == "err\n");
}

TEST_CASE("arguments of the program are its own, even those that look like ours") {
  const CommandResult result = Recorder().run({"echo", "-o", "x", "--", "--help", "a b"});
  REQUIRE(result.out == "-o x -- --help a b\n");
}

TEST_CASE("arguments with brackets or nothing in them arrive as they are") {
  const CommandResult result = Recorder().run({"printf", "<%s>", "[a,b]", "[]", "", "[x]", "{}"});
  REQUIRE(result.out == "<[a,b]><[]><><[x]><{}>");
}

TEST_CASE("a program that does not exist is 127, one that cannot be executed 126") {
  const Recorder recorder;
  REQUIRE(recorder.run({"no-such-program-anywhere"}).status == 127);
  REQUIRE(recorder.run({"/no/such/program"}).status == 127);
  std::ofstream(recorder.folder / "plain") << "text";
  const CommandResult result = recorder.run({recorder.folder / "plain"});
  REQUIRE(result.status == 126);
  REQUIRE(says(result.err, "plain"));
  REQUIRE(recorder.run({recorder.folder.path()}).status == 126);
}

TEST_CASE("an output that cannot be created fails before the program starts") {
  const TemporaryFolder folder;
  const CommandResult result =
      run_lapscope({"record", "-o", folder / "missing" / "t.sqlite", "--", "sh", "-c", "echo ran"},
                   any_collector);
  REQUIRE(result.status == 4);
  REQUIRE(result.out.empty());
  REQUIRE(says(result.err, "missing/t.sqlite"));
}

TEST_CASE("another injection is refused by name") {
  for (const char* variable : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"}) {
    const CommandResult result =
        Recorder().run({"sh", "-c", "echo ran"}, {{variable, "/opt/other/libtool.so"}});
    REQUIRE(result.status == 2);
    REQUIRE(result.out.empty());
    REQUIRE(says(result.err, variable));
    REQUIRE(says(result.err, "/opt/other/libtool.so"));
  }
}

TEST_CASE("what is no regular file is refused as output") {
  const Recorder recorder;
  REQUIRE(::mkfifo(recorder.output().c_str(), 0600) == 0);
  const CommandResult fifo = recorder.run({"sh", "-c", "echo ran"});
  REQUIRE(fifo.status == 4);
  REQUIRE(fifo.out.empty());
  REQUIRE(says(fifo.err, "not a regular file"));
  const CommandResult device =
      run_lapscope({"record", "-o", "/dev/null", "--", "true"}, any_collector);
  REQUIRE(device.status == 4);
}

TEST_CASE("a symbolic link that leads to itself is refused as output") {
  const Recorder recorder;
  std::filesystem::create_symlink(recorder.output(), recorder.output());
  const CommandResult result = recorder.run({"true"});
  REQUIRE(result.status == 4);
  REQUIRE(says(result.err, "symbolic link"));
}

TEST_CASE("an empty name is refused as output") {
  REQUIRE(run_lapscope({"record", "-o", "", "--", "true"}, any_collector).status == 2);
}

TEST_CASE("files of others beside the output stay") {
  const Recorder recorder;
  std::ofstream(recorder.output() + "-journal") << "mine";
  REQUIRE(recorder.run({"true"}).status == 0);
  REQUIRE(read_file(recorder.output() + "-journal") == "mine");
}

TEST_CASE("a trace that another recording writes is not replaced") {
  const Recorder recorder;
  trace::TraceWriter other(recorder.output());
  other.set_fact("recording", "running");
  other.insert(kernel(0, 1));
  other.commit();
  const CommandResult result = recorder.run({"sh", "-c", "echo ran"});
  REQUIRE(result.status == 4);
  REQUIRE(result.out.empty());
  REQUIRE(says(result.err, "another recording"));
  other.finish();
}

TEST_CASE("a file that is no trace is never overwritten") {
  const Recorder recorder;
  std::ofstream(recorder.output()) << "precious";
  const CommandResult result = recorder.run({"sh", "-c", "echo ran"});
  REQUIRE(result.status == 4);
  REQUIRE(result.out.empty());
  REQUIRE(read_file(recorder.output()) == "precious");
}

TEST_CASE("an old trace gives way to a new recording, but not to a program that cannot start") {
  const Recorder recorder;
  write_trace(recorder.output(), [](trace::TraceWriter& trace) { trace.insert(kernel(0, 1)); });
  REQUIRE(recorder.run({"no-such-program-anywhere"}).status == 127);
  REQUIRE(names_in(recorder.folder.path()).size() == 1);
  // An executable file that Linux cannot run.
  std::ofstream(recorder.folder / "junk") << "no program";
  std::filesystem::permissions(recorder.folder / "junk", std::filesystem::perms::owner_all);
  REQUIRE(recorder.run({recorder.folder / "junk"}).status == 126);
  REQUIRE(schema::Database::immutable(recorder.output()).has_table("CUPTI_ACTIVITY_KIND_KERNEL"));
  std::filesystem::remove(recorder.folder / "junk");
  REQUIRE(recorder.run({"true"}).status == 0);
  REQUIRE(names_in(recorder.folder.path()).empty());
}

TEST_CASE("a collector or libcupti that is not there is named") {
  const CommandResult collector =
      run_lapscope({"record", "--", "true"}, {{"LAPSCOPE_COLLECTOR", "/none/lib.so"}});
  REQUIRE(collector.status == 4);
  REQUIRE(says(collector.err, "/none/lib.so"));
  const CommandResult cupti =
      run_lapscope({"record", "--cupti", "/none/libcupti.so", "--", "true"}, any_collector);
  REQUIRE(cupti.status == 4);
  REQUIRE(says(cupti.err, "/none/libcupti.so"));
}

TEST_CASE("a request that makes no sense is status 2") {
  REQUIRE(run_lapscope({"record"}).status == 2);
  REQUIRE(run_lapscope({"record", "--flush-ms", "soon", "--", "true"}).status == 2);
  REQUIRE(run_lapscope({"record", "--flush-ms", "0", "--", "true"}).status == 2);
  REQUIRE(run_lapscope({"record", "--capture-range", "all", "--", "true"}).status == 2);
  REQUIRE(run_lapscope({"record", "--capture-range=nvtx:a", "--no-nvtx", "--", "true"}).status ==
          2);
  REQUIRE(
      run_lapscope({"record", "--capture-range=cudaProfilerApi", "--yield-to-app", "--", "true"})
          .status == 2);
  REQUIRE(run_lapscope({"record", "--delay", "-1", "--", "true"}).status == 2);
  REQUIRE(run_lapscope({"record", "--duration", "0", "--", "true"}).status == 2);
  REQUIRE(run_lapscope({"record", "--max-size", "large", "--", "true"}).status == 2);
}

}  // namespace
}  // namespace lapscope::test
