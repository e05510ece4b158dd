#include <chrono>

#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"
#include "tests/support/json.h"

namespace lapscope::inject {
namespace {

using test::RecordedRun;

TEST_CASE("a forked child neither writes nor hangs", "[end-to-end]") {
  for (const char* child : {"fork-exit", "fork-quick-exit"}) {
    INFO(child);
    const RecordedRun run({"init", "work=5", child, "work=5", "exit=0"});
    CHECK(run.exit_status() == 0);
    CHECK(run.ops() == 20);
    CHECK(run.fact("recording") == "complete");
    CHECK(run.folder().names() == std::vector<std::string>{"t.sqlite"});
  }
}

// The parent makes only NVTX calls. Its child uses CUDA without an exec.
TEST_CASE("a child that was forked after NVTX calls says why nothing is recorded", "[end-to-end]") {
  const RecordedRun run({"range=parent", "fork-rest", "init", "work=2", "range=child", "exit=0"});
  CHECK(run.exit_status() == 0);
  CHECK(run.ops() == 0);
  CHECK(run.fact("problem").value_or("").find("forked after an NVTX call") != std::string::npos);
  CHECK(run.says("start it with spawn"));
}

TEST_CASE("a child that is a CUDA program has a trace of its own", "[end-to-end]") {
  const RecordedRun run({"init", "work=5", "committed", "spawn", "exit=6"});
  CHECK(run.exit_status() == 6);
  const auto names = run.folder().names();
  REQUIRE(names.size() == 2);
  const std::string& child = names[0];
  REQUIRE(names[1] == "t.sqlite");
  CHECK(run.ops("t.sqlite") == 10);
  CHECK(run.ops(child) == 6);
  CHECK(child == "t." + run.fact("pid", child).value_or("?") + ".sqlite");
  CHECK(run.fact("pid", child) != run.fact("pid"));
  CHECK(run.fact("session", child) == run.fact("session"));
  CHECK(run.fact("recording", child) == "complete");
  CHECK(run.fact("exit-status", child).has_value());
  CHECK(run.says("16 ops in "));
  CHECK(run.says(child));
}

TEST_CASE("a program that execs another leaves a trace of each", "[end-to-end]") {
  const RecordedRun run({"init", "work=2", "committed", "exec", "init", "work=3", "exit=0"});
  CHECK(run.exit_status() == 0);
  const auto names = run.folder().names();
  REQUIRE(names.size() == 2);
  CHECK(run.ops("t.sqlite") == 4);
  CHECK(run.fact("recording") == "cut-off");
  CHECK(run.ops(names[0]) == 6);
  CHECK(run.fact("recording", names[0]) == "complete");
  CHECK(run.fact("pid", names[0]) == run.fact("pid"));
}

TEST_CASE("a chain of execs leaves a trace of each link", "[end-to-end]") {
  const RecordedRun run({"init", "work=1", "committed", "exec", "init", "work=2", "committed",
                         "exec", "init", "work=3", "exit=0"});
  CHECK(run.exit_status() == 0);
  std::size_t ops = 0;
  for (const std::string& name : run.folder().names()) ops += run.ops(name);
  CHECK(run.folder().names().size() == 3);
  CHECK(ops == 12);
  CHECK(run.says("12 ops in "));
}

TEST_CASE("traces are found whatever the extension of their name", "[end-to-end]") {
  const RecordedRun run({"init", "work=5", "committed", "spawn", "exit=0"},
                        {.environment = {}, .cupti = LAPSCOPE_FAKE_CUPTI, .output = "trace"});
  CHECK(run.folder().names().size() == 2);
  CHECK(run.ops("trace") == 10);
  CHECK(run.says("16 ops in "));
}

TEST_CASE("each process fills in the name of its trace", "[end-to-end]") {
  const RecordedRun run(
      {"init", "work=5", "committed", "spawn", "exit=0"},
      {.environment = {{"RANK", "7"}, {"WORLD_SIZE", "9"}}, .output = "t.%r.%p.sqlite"});
  const auto names = run.folder().names();
  REQUIRE(names.size() == 2);
  for (const std::string& name : names) {
    CHECK(name == "t.7." + run.fact("pid", name).value_or("?") + ".sqlite");
    CHECK(run.fact("rank", name) == "7");
    CHECK(run.fact("world-size", name) == "9");
  }
  CHECK(run.says("16 ops in "));
  CHECK(run.says(names[0]));
}

TEST_CASE("a folder of traces has a manifest", "[end-to-end]") {
  const RecordedRun run({"init", "work=5", "committed", "spawn", "exit=3"},
                        {.environment = {{"RANK", "7"}}, .output = "runs/"});
  const std::filesystem::path folder = run.folder() / "runs";
  std::size_t traces = 0;
  std::string manifest;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".sqlite") ++traces;
    if (entry.path().extension() == ".json") manifest = test::read_file(entry.path());
  }
  CHECK(traces == 2);
  const auto json = test::parse_json(manifest);
  CHECK(json["schema"] == "lapscope-recording/1");
  CHECK(json["exit_status"] == 3);
  REQUIRE(json["traces"].size() == 2);
  std::int64_t ops = 0;
  for (const auto& trace : json["traces"]) {
    CHECK(std::filesystem::exists(folder / trace["file"].get<std::string>()));
    CHECK(trace["rank"] == 7);
    CHECK(trace["complete"] == true);
    ops += trace["ops"].get<std::int64_t>();
  }
  CHECK(ops == 16);
}

TEST_CASE("a second recording replaces the first and leaves its other traces", "[end-to-end]") {
  const test::TemporaryFolder folder;
  const auto record = [&folder](const std::vector<std::string>& steps) {
    return test::run(test::record_command(folder / "t.sqlite", LAPSCOPE_FAKE_CUPTI, steps));
  };
  record({"init", "work=5", "committed", "spawn", "exit=0"});
  const auto before = folder.names();
  REQUIRE(before.size() == 2);
  const std::string other = test::read_file(folder / before[0]);
  const auto second = record({"init", "work=1", "exit=0"});
  CHECK(second.err.find("2 ops in ") != std::string::npos);
  CHECK(folder.names() == before);
  CHECK(test::read_file(folder / before[0]) == other);
}

}  // namespace
}  // namespace lapscope::inject
