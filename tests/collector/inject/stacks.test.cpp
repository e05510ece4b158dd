#include <algorithm>
#include <map>

#include "tests/catch.h"
#include "tests/collector/inject/recorded_run.h"

namespace lapscope::inject {
namespace {

namespace fs = std::filesystem;
using test::RecordedRun;

struct Stacks {
  explicit Stacks(const RecordedRun& run) : modules(run.rows<schema::ModuleRow>()) {
    for (const auto& frame : run.rows<schema::CallchainRow>()) chains[frame.id].push_back(frame);
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
  std::vector<std::int64_t> ids;  // of calls
  schema::StackCountsRow counts;
};

TEST_CASE("a call that can block has its stack", "[end-to-end]") {
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
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
    // The frames of the collector and of libcupti are not there.
    CHECK(stacks.path_of(frames[0]) == program);
    CHECK(stacks.path_of(frames.back()) == program);  // _start
    for (std::size_t depth = 0; depth < frames.size(); ++depth) {
      CHECK(frames[depth].stackDepth == static_cast<std::int64_t>(depth));
      CHECK(frames[depth].unresolved == 1);
      CHECK_FALSE(stacks.path_of(frames[depth]).empty());
    }
  }
}

TEST_CASE("of launches a sample has its stack", "[end-to-end]") {
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
  const std::vector<std::string> steps{"init", "work=1", "calls=cudaLaunchKernel_v7000:200",
                                       "exit=0"};
  CHECK(Stacks(RecordedRun(steps)).ids.size() == 16 + 3);
  CHECK(Stacks(RecordedRun(steps, {.options = {"--stacks", "findings"}})).ids.size() == 16 + 3);
  CHECK(Stacks(RecordedRun(steps, {.options = {"--stacks", "all"}})).ids.size() == 200);
}

TEST_CASE("who wants no stacks has none", "[end-to-end]") {
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
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
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
  const RecordedRun run({"init", "work=1", "calls=cudaMalloc_v3020", "exit=0"},
                        {.environment = {{"FAKE_CUPTI_NO_CALLBACKS", "1"}}});
  CHECK(run.exit_status() == 0);
  CHECK(run.ops() == 2);
  CHECK_FALSE(run.trace().has_table("CUDA_CALLCHAINS"));
}

TEST_CASE("a forked child captures nothing", "[end-to-end]") {
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
  const RecordedRun run({"init", "work=1", "calls=cudaMalloc_v3020",
                         "fork-calls=cudaMalloc_v3020:5", "calls=cudaMalloc_v3020", "exit=0"});
  CHECK(run.exit_status() == 0);
  CHECK(Stacks(run).ids.size() == 2);
}

TEST_CASE("a killed program's trace has its stacks", "[end-to-end]") {
  if (!test::can_fake_cupti()) SKIP_BECAUSE(test::why_no_cupti());
  const RecordedRun run({"init", "work=1", "calls=cudaMalloc_v3020:4", "committed", "raise=9"});
  CHECK(run.exit_status() == 137);
  const Stacks stacks(run);
  CHECK(stacks.ids.size() == 4);
  CHECK(stacks.counts.captured == 4);
}

}  // namespace
}  // namespace lapscope::inject
