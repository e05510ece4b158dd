#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/analyzer/support/export_file.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/support/json.h"

namespace lapscope::test {
namespace {

using nlohmann::json;

const std::string overlapped = LAPSCOPE_TEST_TRACES "/stream_pipeline-overlapped.sqlite";
const std::string serial = LAPSCOPE_TEST_TRACES "/stream_pipeline-serial.sqlite";

// Returns whether a text is a single line, as every error message must be.
bool is_one_line(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n') == 1 && text.back() == '\n';
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("analyze prints a table on stdout and nothing on stderr") {
  const CommandResult result = run_lapscope({"analyze", overlapped});
  REQUIRE(result.status == 0);
  REQUIRE(result.out.starts_with("Nothing to fix: copy to host is busy 90 % of the time.\n"));
  REQUIRE(contains(on_one_line(result.out), ": 96 ops on device 0 (NVIDIA H200), "));
  REQUIRE(result.err == "");
}

TEST_CASE("analyze --format json prints one JSON object for one trace") {
  const CommandResult result = run_lapscope({"analyze", "--format", "json", overlapped});
  REQUIRE(result.status == 0);
  const json report = parse_json(result.out);
  REQUIRE(report["schema"] == "lapscope-report/1");
  REQUIRE(report["devices"][0]["measures"]["overlap_ratio"]["value"] > 0.6);
}

TEST_CASE("several traces give an array in the order that was asked for") {
  const json reports =
      parse_json(run_lapscope({"analyze", "--format", "json", serial, overlapped}).out);
  REQUIRE(reports.size() == 2);
  REQUIRE(reports[0]["trace"]["file"] == serial);
  REQUIRE(reports[1]["trace"]["file"] == overlapped);
}

TEST_CASE(
    "calls that failed are the first line, with what to do about it, and nothing is advised") {
  const TemporaryFolder folder;
  const std::string file = (folder / "failed.sqlite").string();
  {
    ExportFile written(file, NsysRelease::r2024);
    written.copy(1, 1'000'000, 2'000'000, written.call("cudaMemcpyAsync_v3020", 500'000, 505'000));
    for (int i = 0; i < 32; ++i) {
      written.call("cudaLaunchKernel_v7000", 2'000'000 + 9'000 * i, 2'004'000 + 9'000 * i, 222);
    }
    written.copy(2, 3'000'000, 4'000'000,
                 written.call("cudaMemcpyAsync_v3020", 2'500'000, 2'505'000));
  }
  const CommandResult result = run_lapscope({"analyze", file});
  CHECK(result.status == 3);
  CHECK(on_one_line(result.out)
            .starts_with("Inconclusive: 32 launches failed with error 222 (unsupported PTX "
                         "version); no kernel ran. error: Check what CUDA's calls return, "));
  CHECK_FALSE(contains(result.out, "Advice"));
  CHECK_FALSE(contains(result.out, "Saves"));
  CHECK(run_lapscope({"gate", file, "--forbid", "host-compute"}).status == 3);
  const CommandResult predicted = run_lapscope({"whatif", file, "--fix", "host-compute"});
  CHECK(predicted.status == 3);
  CHECK(predicted.out.empty());
  CHECK(contains(predicted.err, "32 launches failed with error 222"));
}

TEST_CASE("an unreadable file is one sentence and status 4, and nothing is shown") {
  const CommandResult result = run_lapscope({"analyze", overlapped, "/none/t.sqlite"});
  REQUIRE(result.status == 4);
  REQUIRE(result.out.empty());
  REQUIRE(is_one_line(result.err));
  REQUIRE(contains(result.err, "/none/t.sqlite"));
}

TEST_CASE("what is no trace, cut short or too new is status 4") {
  const TemporaryFolder folder;
  std::ofstream(folder / "text") << "hello";
  std::filesystem::copy_file(overlapped, folder / "cut");
  std::filesystem::resize_file(folder / "cut", 50'000);
  std::filesystem::copy_file(overlapped, folder / "new");
  schema::Database(folder / "new", schema::Database::Mode::read_write)
      .execute("PRAGMA user_version = 2");
  schema::Database(folder / "other", schema::Database::Mode::create).execute("CREATE TABLE t (x)");
  const auto before = names_in(folder.path());
  for (const char* name : {"text", "cut", "new", "other"}) {
    INFO(name);
    const CommandResult result = run_lapscope({"analyze", folder / name});
    REQUIRE(result.status == 4);
    REQUIRE(result.out.empty());
    REQUIRE(is_one_line(result.err));
  }
  REQUIRE(names_in(folder.path()) == before);
}

TEST_CASE("what is no regular file is refused at once") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "fifo").c_str(), 0600) == 0);
  for (const std::string& path : {std::string(folder / "fifo"), std::string("/dev/null")}) {
    const CommandResult result = run_lapscope({"analyze", path});
    REQUIRE(result.status == 4);
    REQUIRE(is_one_line(result.err));
  }
}

TEST_CASE("a trace without GPU work is inconclusive: status 3, and the sentence says why") {
  const TemporaryFolder folder;
  write_trace(folder / "t.sqlite", [](trace::TraceWriter&) {});
  const CommandResult result = run_lapscope({"analyze", folder / "t.sqlite"});
  REQUIRE(result.status == 3);
  REQUIRE(is_one_line(result.err));
  REQUIRE(contains(result.err, "holds no GPU work"));
}

TEST_CASE("a trace with losses is shown but inconclusive") {
  const TemporaryFolder folder;
  write_trace(folder / "t.sqlite", [](trace::TraceWriter& trace) {
    trace.insert(kernel(0, 10));
    trace.insert(schema::LossRow{"dropped-records", 5, std::nullopt});
  });
  const CommandResult text = run_lapscope({"analyze", folder / "t.sqlite"});
  REQUIRE(text.status == 3);
  REQUIRE(contains(text.out, "5 records were lost"));
  REQUIRE(contains(text.out, "Confidence: the recording is incomplete"));
  const CommandResult as_json = run_lapscope({"analyze", "--format", "json", folder / "t.sqlite"});
  REQUIRE(as_json.status == 3);
  REQUIRE(parse_json(as_json.out)["verdict"] == "inconclusive");
}

TEST_CASE("a wrong command line is status 2 and says what is wrong") {
  REQUIRE(run_lapscope({}).status == 2);
  REQUIRE(run_lapscope({"analyze"}).status == 2);
  REQUIRE(run_lapscope({"analyse", overlapped}).status == 2);
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"analyze"},
                                                    {"analyse"},
                                                    {"record"},
                                                    {"record", "--nosuch", "ls"}}) {
    REQUIRE(is_one_line(run_lapscope(arguments).err));
  }
  const CommandResult format = run_lapscope({"analyze", "--format", "xml", overlapped});
  REQUIRE(format.status == 2);
  REQUIRE(contains(format.err, "xml"));
  REQUIRE(contains(format.err, "json"));
  REQUIRE(format.out.empty());
}

TEST_CASE("gaps and states of a recorded trace add up in JSON") {
  const json report = parse_json(run_lapscope({"analyze", "--format", "json", serial}).out);
  const json& device = report["devices"][0];
  std::int64_t causes = 0;
  for (const auto& [code, ns] : device["gaps"]["by_cause"].items())
    causes += ns.get<std::int64_t>();
  REQUIRE(causes == device["gaps"]["total_ns"]);
  REQUIRE(causes == device["measures"]["idle"]["value"]);
  REQUIRE(device["gaps"]["top"].size() > 0);
}

TEST_CASE("without causes gaps are listed, and why nobody says what is in them") {
  const auto gaps_with = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"analyze", "--format", "json"});
    more.push_back(serial);
    return parse_json(run_lapscope(more).out)["devices"][0]["gaps"];
  };
  const json with = gaps_with({});
  const json without = gaps_with({"--no-causes"});
  CHECK(without["by_cause"].is_null());
  CHECK(without["reason"] == "causes were not looked for");
  CHECK_FALSE(with.contains("reason"));
  for (const char* same : {"count", "total_ns"}) CHECK(without[same] == with[same]);
  REQUIRE(without["top"].size() == with["top"].size());
  for (std::size_t gap = 0; gap < with["top"].size(); ++gap) {
    CHECK(without["top"][gap]["parts"].is_null());
    for (const char* same : {"start", "end", "next", "thread"}) {
      CHECK(without["top"][gap][same] == with["top"][gap][same]);
    }
  }
}

TEST_CASE("the work of an NVTX range is judged on request, by name or pattern") {
  const auto ranges_of = [](const std::string& pattern) {
    return parse_json(run_lapscope({"analyze", "--format", "json", "--range", pattern, overlapped})
                          .out)["devices"][0]["ranges"];
  };
  const json pipeline = ranges_of("pipeline");
  REQUIRE(pipeline.size() == 1);
  REQUIRE(pipeline[0]["ops"] == 24 * 4);  // without the kernels of the calibration
  REQUIRE(ranges_of("tile *").size() == 24);
}

TEST_CASE("whose ops are a range's is chosen, and told") {
  const auto issuers_of = [](const std::string& threads) {
    return parse_json(run_lapscope({"analyze", "--format", "json", "--range", "pipeline",
                                    "--range-threads", threads, overlapped})
                          .out)["devices"][0]["ranges"][0]["issuers"];
  };
  REQUIRE(issuers_of("own") == issuers_of("helpers"));
  REQUIRE(issuers_of("own")["opener"] > 0);
  REQUIRE(issuers_of("own")["helpers"] == 0);
  REQUIRE(run_lapscope({"analyze", "--range-threads", "all", overlapped}).status == 2);
}

TEST_CASE("a range or window without GPU work is inconclusive") {
  const CommandResult range = run_lapscope({"analyze", "--range", "nope", overlapped});
  REQUIRE(range.status == 3);
  REQUIRE(contains(range.out, "'nope'"));
  REQUIRE(contains(range.out, "'pipeline', 'tile *'."));
  REQUIRE_FALSE(contains(range.out, "GPU busy"));
  const CommandResult window = run_lapscope({"analyze", "--window", "9000", "9001", overlapped});
  REQUIRE(window.status == 3);
  REQUIRE(contains(window.err, "in this window"));
}

TEST_CASE("a window that is none is status 2") {
  for (const std::vector<std::string>& window :
       {std::vector<std::string>{"5", "1"}, {"-1", "5"}, {"0", "x"}, {"0", "1e300"}}) {
    std::vector<std::string> arguments = {"analyze", "--window"};
    arguments.insert(arguments.end(), window.begin(), window.end());
    arguments.push_back(overlapped);
    REQUIRE(run_lapscope(arguments).status == 2);
  }
}

TEST_CASE("the work of a range is evaluated as a whole, not in a window") {
  for (const char* command : {"analyze", "stats"}) {
    const CommandResult range =
        run_lapscope({command, "--window", "0", "1", "--range", "pipeline", overlapped});
    CHECK(range.status == 2);
    CHECK((contains(range.err, "--window") && contains(range.err, "--range")));
    CHECK(run_lapscope({command, "--window", "0", "1", "--profiler-brackets", overlapped}).status ==
          2);
  }
}

TEST_CASE("a window beyond all instants is refused with the limit") {
  const CommandResult result = run_lapscope({"analyze", "--window", "0", "1e12", overlapped});
  CHECK(result.status == 2);
  CHECK(contains(on_one_line(result.err), "TO must be 9007199254 or less"));
}

TEST_CASE("near misses of commands and options get a suggestion") {
  CHECK(contains(run_lapscope({"analyse", "t"}).err, "did you mean 'analyze'?"));
  CHECK(contains(run_lapscope({"analyze", "--rnage", "x", "t"}).err, "did you mean '--range'?"));
  CHECK(contains(run_lapscope({"analyze"}).err, "(see lapscope analyze --help)"));
  CHECK(contains(run_lapscope({"whatif", "t", "--fix", "stream-oder"}).err, "'stream-order'?"));
  CHECK(run_lapscope({"help", "whatif"}).out == run_lapscope({"whatif", "--help"}).out);
  CHECK(run_lapscope({"-V"}).out == run_lapscope({"--version"}).out);
}

// A script that replaces nsys on PATH. It stores its arguments, copies the file `exports` to the
// output, and exits with `status`.
class FakeNsys {
 public:
  explicit FakeNsys(const std::string& exports, int status = 0) {
    std::ofstream(report()) << "a report";
    std::ofstream script(folder_ / "nsys");
    script << "#!/bin/sh\necho \"$1 $2 $3\" > " << (folder_ / "called").string() << "\n";
    if (!exports.empty()) script << "cp " << exports << " \"$5\"\n";
    script << "echo noise\nexit " << status << "\n";
    script.close();
    std::filesystem::permissions(folder_ / "nsys", std::filesystem::perms::owner_all);
  }
  std::string report() const { return (folder_ / "a b.nsys-rep").string(); }
  std::string path() const { return folder_.path().string() + ":/bin:/usr/bin"; }
  std::string called() const {
    std::ifstream file(folder_ / "called");
    std::string line;
    std::getline(file, line);
    return line;
  }

 private:
  TemporaryFolder folder_;
};

TEST_CASE("a report of Nsight Systems is exported by the nsys on PATH") {
  const FakeNsys nsys(serial);
  const CommandResult result =
      run_lapscope({"analyze", "--format", "json", nsys.report()}, {{"PATH", nsys.path()}});
  CHECK(result.status == 0);
  CHECK(nsys.called() == "export --type sqlite");
  CHECK(contains(result.out, "\"file\": \"" + nsys.report() + "\""));
  CHECK_FALSE(contains(result.out, "noise"));
}

TEST_CASE("without an nsys, or where it fails, a report gets the command that exports it") {
  const FakeNsys nsys("", 3);
  for (const std::string& path : {nsys.path(), std::string("/none")}) {
    const CommandResult result = run_lapscope({"analyze", nsys.report()}, {{"PATH", path}});
    CHECK(result.status == 4);
    CHECK(contains(on_one_line(result.err), "nsys export --type sqlite -o '"));
    CHECK(contains(on_one_line(result.err),
                   path == "/none" ? "no nsys is on PATH" : "nsys ended with exit status 3"));
  }
  CHECK(contains(run_lapscope({"analyze", "none.nsys-rep"}).err, "does not exist"));
}

TEST_CASE("colour is as asked for, and forced or refused by the environment") {
  const auto has_colour = [](std::vector<std::string> options,
                             const std::vector<std::pair<std::string, std::string>>& more) {
    options.insert(options.begin(), {"analyze", serial});
    return contains(run_lapscope(options, more).out, "\x1b[");
  };
  CHECK_FALSE(has_colour({}, {}));
  CHECK(has_colour({"--color", "always"}, {}));
  CHECK(has_colour({}, {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", ""}}));
  CHECK_FALSE(has_colour({"--color=never"}, {{"CLICOLOR_FORCE", "1"}}));
  CHECK_FALSE(has_colour({}, {{"CLICOLOR_FORCE", "1"}, {"NO_COLOR", "1"}}));
}

// Adds the commands that a screen suggests: lines that begin with two spaces and "lapscope ".
void add_commands(std::istream& screen, std::set<std::string>& commands) {
  for (std::string line; std::getline(screen, line);) {
    const auto begin = line.find_first_not_of(' ');
    const bool is_command =
        begin != std::string::npos && line.compare(begin, 9, "lapscope ") == 0 && begin > 0;
    if (is_command) commands.insert(line.substr(begin + 9));
  }
}

// Runs each command that a screen suggests, with a shell in the folder of the traces.
TEST_CASE("suggested commands work when pasted") {
  namespace fs = std::filesystem;
  std::set<std::string> commands;
  for (const auto& entry : fs::directory_iterator(LAPSCOPE_SOURCE_DIR "/tests/reports/approved")) {
    std::ifstream file(entry.path());
    if (entry.path().extension() == ".text") add_commands(file, commands);
  }
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"stream_pipeline-serial.sqlite"},
        {"stream_pipeline-overlapped.sqlite", "-v"},
        {"nccl-all-reduce-broken.sqlite"},
        {"default-stream-kernel-broken.sqlite", "--range", "default-stream-kernel"}}) {
    std::vector<std::string> all = {"analyze", LAPSCOPE_TEST_TRACES "/" + arguments.front()};
    all.insert(all.end(), arguments.begin() + 1, arguments.end());
    std::istringstream screen(run_lapscope(all).out);
    add_commands(screen, commands);
  }
  REQUIRE(commands.size() >= 5);
  const std::string in_traces = "cd '" LAPSCOPE_TEST_TRACES "' && '" LAPSCOPE_COMMAND "' ";
  for (const std::string& command : commands) {
    INFO(command);
    const int status = std::system((in_traces + command + " > /dev/null 2>&1").c_str());
    // Status 3 is allowed, because a command may need records that its trace lacks.
    CHECK((WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3));
  }
}

TEST_CASE("help is on stdout, with an example, and no failure") {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"record", "--help"},
                                                    {"analyze", "--help"},
                                                    {"report", "--help"}}) {
    const CommandResult result = run_lapscope(arguments);
    REQUIRE(result.status == 0);
    REQUIRE(contains(result.out, "Example"));
    REQUIRE(result.err == "");
  }
  REQUIRE(run_lapscope({"--version"}).out.substr(0, 9) == "lapscope ");
}

TEST_CASE("a result that cannot be written is status 4") {
  // Every write to /dev/full fails.
  const std::string command = "'" LAPSCOPE_COMMAND "' analyze '" + overlapped + "' > /dev/full";
  const CommandResult result = run_lapscope({"record", "-o", "/nowhere/t", "--", "true"});
  REQUIRE(result.status == 4);
  const int status = std::system((command + " 2> /dev/null").c_str());
  REQUIRE(WEXITSTATUS(status) == 4);
}

}  // namespace
}  // namespace lapscope::test
