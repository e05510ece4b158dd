
#include <set>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "reports/words/findings.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::CallSite;
using analyzer::Cause;
using analyzer::Clue;
using analyzer::Clues;
using analyzer::FindingResult;

CallSite site_of(Clues clues, std::string line) {
  CallSite site;
  site.clues = std::move(clues);
  site.line = std::move(line);
  site.waited_ns = 50;
  return site;
}

FindingResult finding_of(Cause cause, std::vector<CallSite> sites) {
  FindingResult finding;
  finding.code = code_of(cause);
  finding.waited_ns = 100;
  finding.sites = std::move(sites);
  return finding;
}

std::vector<std::string> codes_of(Cause cause, const Clues& clues) {
  std::vector<std::string> codes;
  for (const auto& one : framework_advice(finding_of(cause, {site_of(clues, "")}))) {
    codes.emplace_back(one.code);
  }
  return codes;
}

struct Known {
  Cause cause;
  Clues clues;
  std::vector<std::string> codes;
};

TEST_CASE("what call sites show decides what is to be typed") {
  using enum Clue;
  using enum Cause;
  const std::vector<Known> table = {
      {alloc_free, {pytorch, empties_cache}, {"torch-empty-cache"}},
      {alloc_free, {pytorch}, {}},
      {pageable_copy, {pytorch, to_device}, {"torch-pin-memory"}},
      {pageable_copy, {pytorch, to_device, moves_module}, {"torch-module-once"}},
      {pageable_copy, {pytorch, to_host}, {"torch-pinned-result"}},
      {pageable_copy, {to_device}, {}},
      {host_pinning, {pytorch}, {"torch-pin-once"}},
      {small_copies, {pytorch, to_device}, {"torch-one-copy"}},
      {host_sync, {pytorch, reads_value}, {"torch-item"}},
      {host_sync, {pytorch, reads_value, counts_elements}, {"torch-mask"}},
      {host_sync, {pytorch, to_device}, {"torch-non-blocking"}},
      {host_sync, {pytorch, to_host}, {"torch-cpu"}},
      {host_sync, {pytorch, synchronizes}, {"torch-synchronize"}},
      {host_sync, {pytorch}, {}},
      {host_compute, {pytorch}, {}},
      {host_compute, {pytorch, after_result, before_input}, {"torch-issue-ahead"}},
      {host_compute, {pytorch, before_input}, {"torch-data-loader"}},
      {host_compute, {pytorch, loads_data}, {"torch-data-loader"}},
      {host_compute, {pytorch, runs_operator, dispatches, launches_block}, {"launch-blocking"}},
      {host_compute, {pytorch, runs_operator, dispatches}, {"torch-compile", "torch-cuda-graph"}},
      {launch_overhead,
       {pytorch, runs_operator, dispatches, steps_each_tensor},
       {"torch-fused-optimizer", "torch-compile", "torch-cuda-graph"}},
      {launch_overhead,
       {pytorch, runs_operator, dispatches, steps_optimizer},
       {"torch-fused-optimizer", "torch-compile", "torch-cuda-graph"}},
      {launch_overhead,
       {pytorch, runs_operator, dispatches, loops_over_tensors},
       {"torch-foreach"}},
      // This code cannot be captured in a graph.
      {launch_overhead, {pytorch, runs_operator, dispatches, counts_elements}, {"torch-mask"}},
      {stream_order, {pytorch, replays_graph}, {"torch-graph-streams"}},
      {stream_order, {pytorch, reduces_gradients, accumulates}, {"torch-no-sync"}},
      {stream_order, {pytorch, reduces_gradients}, {}},
      {stream_order, {pytorch, is_collective}, {"torch-async-op", "torch-ddp"}},
      {stream_order, {pytorch, to_device}, {"torch-prefetch"}},
      {stream_order, {pytorch, to_host}, {"torch-side-stream-out"}},
      {stream_order, {pytorch}, {"torch-streams"}},
      {default_stream_barrier, {pytorch}, {"torch-streams"}},
      {alloc_free, {cupy}, {"cupy-memory-pool"}},
      {pageable_copy, {cupy, to_device}, {"cupy-pinned-memory"}},
      {pageable_copy, {cupy, to_host}, {"cupy-pinned-memory"}},
      {host_pinning, {cupy}, {"cupy-pinned-memory"}},
      {host_sync, {cupy, counts_elements, reads_value}, {"cupy-mask"}},
      {host_sync, {cupy, reads_value}, {"cupy-item"}},
      {host_sync, {cupy, to_host}, {"cupy-get"}},
      {host_compute, {cupy, before_input, dispatches}, {"cupy-input-thread"}},
      {launch_overhead, {cupy, dispatches}, {"cupy-fuse"}},
      {default_stream_barrier, {cupy}, {"cupy-streams", "cupy-per-thread-stream"}},
      {stream_order, {cupy, to_device}, {"cupy-prefetch"}},
      {stream_order, {cupy}, {"cupy-streams"}},
      {host_compute, {jax, dispatches, single_operations}, {"jax-jit"}},
      {launch_overhead, {jax, dispatches}, {}},
      {host_sync, {jax, reads_value}, {"jax-device-get"}},
      {host_sync, {jax, synchronizes}, {"jax-block-until-ready"}},
      {pageable_copy, {jax, to_device}, {"jax-device-put"}},
      {pageable_copy, {jax, to_host}, {"jax-copy-to-host-async"}},
      {alloc_free, {jax}, {"jax-allocator", "jax-donate"}},
  };
  std::set<std::string_view> seen;
  for (const Known& known : table) {
    INFO(code_of(known.cause));
    for (const Clue clue : known.clues) UNSCOPED_INFO(code_of(clue));
    CHECK(codes_of(known.cause, known.clues) == known.codes);
    seen.insert(known.codes.begin(), known.codes.end());
  }
  for (const std::string_view code : framework_advice_codes()) {
    INFO(code);
    CHECK(seen.contains(code));
  }
}

// The text follows "   Fix at networks.py:208: " in 80 columns. Its long word cannot be broken.
TEST_CASE("text that users type fits on two lines of the first screen") {
  constexpr std::size_t most = 2 * 77 - 23 - 14;
  using enum Clue;
  for (const Cause cause :
       {Cause::alloc_free, Cause::pageable_copy, Cause::host_pinning, Cause::small_copies,
        Cause::host_sync, Cause::host_compute, Cause::launch_overhead, Cause::stream_order,
        Cause::default_stream_barrier}) {
    for (const Clue whose : {pytorch, cupy, jax}) {
      for (const Clue what : {to_device, to_host, reads_value, counts_elements, synchronizes,
                              before_input, after_result, dispatches, loops_over_tensors,
                              empties_cache, replays_graph, is_collective, single_operations}) {
        const Clues clues{whose, what, runs_operator};
        for (const auto& one : framework_advice(finding_of(cause, {site_of(clues, "")}))) {
          INFO(one.text);
          CHECK(one.text.size() <= most);
          CHECK(one.text.ends_with('.'));
        }
      }
    }
  }
}

TEST_CASE("another line of the same finding tells what is special about it") {
  using enum Clue;
  const CallSite forward = site_of({pytorch, runs_operator, dispatches}, "src/train.py:5");
  const CallSite step =
      site_of({pytorch, runs_operator, dispatches, steps_each_tensor}, "src/train.py:9");
  const auto advice = framework_advice(finding_of(Cause::launch_overhead, {forward, step}));
  REQUIRE(advice.size() == 3);
  CHECK(advice[0].code == "torch-compile");
  CHECK(advice[0].line == "train.py:5");
  CHECK(advice[2].code == "torch-fused-optimizer");
  CHECK(advice[2].line == "train.py:9");
  // General advice is for the first line only.
  const CallSite mask = site_of({pytorch, counts_elements, dispatches}, "src/train.py:7");
  CHECK(framework_advice(finding_of(Cause::launch_overhead, {mask, forward})).size() == 1);
  CallSite small = step;
  small.waited_ns = 1;
  CHECK(framework_advice(finding_of(Cause::launch_overhead, {forward, small})).size() == 2);
}

TEST_CASE("what CUDA calls it is an alternative, and stays behind what a framework calls it") {
  FindingResult finding = finding_of(Cause::pageable_copy, {site_of({Clue::to_device}, "")});
  CHECK_FALSE(fixes_of(finding).in_words_of_framework);
  CHECK(all_fixes_of(finding) == fix_of(finding));
  finding.sites[0].clues.insert(Clue::pytorch);
  CHECK(fixes_of(finding).all.at(0).text.starts_with("pin_memory=True"));
  CHECK(all_fixes_of(finding).starts_with("pin_memory=True"));
  CHECK(all_fixes_of(finding).ends_with("In terms of CUDA: " + fix_of(finding)));
}

TEST_CASE("sentences that begin with Or are alternatives") {
  const Fixes fixes = fixes_of(finding_of(Cause::default_stream_barrier, {site_of({}, "")}));
  REQUIRE(fixes.all.size() == 2);
  CHECK(fixes.all[0].text == "Issue this work to a stream made with cudaStreamNonBlocking.");
  CHECK(fixes.all[1].text == "compile with --default-stream per-thread.");
}

TEST_CASE("where the kernel that takes the room has many blocks, priority comes first") {
  FindingResult finding = finding_of(Cause::sm_saturated, {site_of({}, "")});
  CHECK(fixes_of(finding).all.at(1).text.starts_with("raise the waiting"));
  finding.situation.in_waves = true;
  CHECK(fixes_of(finding).all.at(0).text.starts_with("Raise the waiting"));
}

struct Recorded {
  const char* trace;
  const char* cause;
  const char* line;
  std::vector<std::string> codes;
};

// The mistakes are planted in tests/gpu/programs/pairs.
TEST_CASE("recorded programs of frameworks are told what their authors changed") {
  const std::vector<Recorded> all = {
      {"boolean_masks", "launch-overhead", "boolean_masks.py:19", {"torch-mask"}},
      {"boolean_masks", "host-sync", "boolean_masks.py:19", {"torch-mask"}},
      {"empty_cache", "alloc-free", "empty_cache.py:20", {"torch-empty-cache"}},
      {"independent_graphs", "stream-order", "independent_graphs.py:37", {"torch-graph-streams"}},
      {"no_prefetch", "stream-order", "no_prefetch.py:26", {"torch-prefetch"}},
      {"numpy_in_loop", "host-compute", "numpy_in_loop.py:30", {"torch-data-loader"}},
      {"pageable_batches", "pageable-copy", "pageable_batches.py:16", {"torch-pin-memory"}},
      {"read_loss", "host-compute", "read_loss.py:17", {"torch-compile", "torch-cuda-graph"}},
      {"small_ops", "launch-overhead", "small_ops.py:13", {"torch-compile", "torch-cuda-graph"}},
      {"ddp_large", "stream-order", "ddp.py:41", {"torch-async-op", "torch-ddp"}},
  };
  for (const Recorded& one : all) {
    INFO(one.trace);
    analyzer::AnalyzeOptions options;
    options.focus = analyzer::Focus::automatic;
    options.explain_whole = false;
    const auto trace = analyzer::read_trace(std::string(LAPSCOPE_TEST_TRACES) + "/frameworks/" +
                                            one.trace + ".sqlite");
    const auto causes = judged_of(analyzer::analyze(trace, options).devices.at(0)).causes.value();
    bool is_there = false;
    for (const auto* list : {&causes.findings, &causes.questions}) {
      for (const FindingResult& finding : *list) {
        if (finding.code != one.cause) continue;
        is_there = true;
        const auto advice = framework_advice(finding);
        std::vector<std::string> codes;
        for (const auto& step : advice) codes.emplace_back(step.code);
        CHECK(codes == one.codes);
        if (!advice.empty()) CHECK(advice.front().line == one.line);
      }
    }
    CHECK(is_there);
  }
}

}  // namespace
}  // namespace lapscope::reports
