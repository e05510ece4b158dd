#include <algorithm>
#include <filesystem>
#include <set>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "tests/catch.h"

// Programs whose recording is unusual (tests/traces/README.md). The expected values follow from
// what the programs do.
namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;

Trace trace_of(const std::string& name) {
  const fs::path path = fs::path(LAPSCOPE_TEST_TRACES) / "oddities" / (name + ".sqlite");
  REQUIRE(fs::file_size(path) < 200'000);
  Trace trace = read_trace(path);
  REQUIRE(trace.devices.size() == 1);
  return trace;
}

std::ptrdiff_t count(const Ops& ops, OpKind kind) {
  return std::count(ops.kind.begin(), ops.kind.end(), kind);
}

std::size_t launching_threads(const Trace& trace) {
  std::set<std::uint32_t> threads;
  for (const std::uint32_t call : trace.devices[0].ops.issue) {
    if (call != no_index) threads.insert(trace.calls.thread_of(call));
  }
  return threads.size();
}

bool has_health(const Trace& trace, std::string_view code) {
  return std::any_of(trace.health.begin(), trace.health.end(),
                     [code](const HealthRow& row) { return code_of(row) == code; });
}

// The program launches 2 kernels, and then 14 times a graph of 16 kernels.
TEST_CASE("every kernel of a graph is there, and those of a launch share their call") {
  const Trace trace = trace_of("graph");
  const Ops& ops = trace.devices[0].ops;
  REQUIRE(count(ops, OpKind::kernel) == 2 + 14 * 16);
  std::map<std::uint32_t, int> by_call;
  for (const std::uint32_t call : ops.issue) ++by_call[call];
  REQUIRE(by_call.count(no_index) == 0);
  REQUIRE(by_call.size() == 2 + 14);
  REQUIRE(std::count_if(by_call.begin(), by_call.end(),
                        [](const auto& entry) { return entry.second == 16; }) == 14);
  REQUIRE(analyze(trace).trust == Trust::sound);
}

// The main thread and 8 other threads each have a stream. Each thread issues a memset, 30 kernels
// and a copy to the host.
TEST_CASE("the trace has the ops of all threads, each with its thread and stream") {
  const Trace trace = trace_of("threads");
  const Ops& ops = trace.devices[0].ops;
  REQUIRE(count(ops, OpKind::memset) == 9);
  REQUIRE(count(ops, OpKind::kernel) == 9 * 30);
  REQUIRE(count(ops, OpKind::memcpy) == 9);
  REQUIRE(launching_threads(trace) == 9);
  REQUIRE(std::set<std::uint32_t>(ops.stream.begin(), ops.stream.end()).size() == 9);
  REQUIRE(analyze(trace).trust == Trust::sound);
}

// The program launches 100 kernels. Then, 3 times, it runs a forked child to its end and launches
// 10 kernels.
TEST_CASE("a program that forks is recorded before and after, and its children are not") {
  const Trace trace = trace_of("fork");
  const Ops& ops = trace.devices[0].ops;
  REQUIRE(count(ops, OpKind::kernel) == 100 + 3 * 10);
  REQUIRE(count(ops, OpKind::memcpy) == 4);
  REQUIRE(launching_threads(trace) == 1);
  REQUIRE(trace.calls.threads.size() == 1);
  REQUIRE(analyze(trace).trust == Trust::sound);
}

// The program launches 100 kernels, sleeps 0.7 s and is killed by SIGKILL.
TEST_CASE("the trace of a killed program has all earlier ops, and is marked as cut off") {
  const Trace trace = trace_of("killed");
  REQUIRE(count(trace.devices[0].ops, OpKind::kernel) == 100);
  REQUIRE(has_health(trace, "cut-off"));
}

// Each of the 5 steps is a range. A step has two copies from pageable memory, a forward pass, a
// backward pass and an optimizer. The backward pass runs in a thread of PyTorch.
TEST_CASE("a training step of PyTorch has its ranges, its copies and its two threads") {
  const Trace trace = trace_of("pytorch-step");
  for (const auto& [name, times] : std::map<std::string, int>{
           {"step 0", 1}, {"step 4", 1}, {"copy", 5}, {"backward", 5}, {"optimizer", 5}}) {
    INFO(name);
    REQUIRE(std::count_if(trace.ranges.begin(), trace.ranges.end(), [&](const NvtxRange& range) {
              return trace.names.text(range.name) == name;
            }) == times);
  }
  REQUIRE(count(trace.devices[0].ops, OpKind::memcpy) >= 10);
  REQUIRE(launching_threads(trace) == 2);
  REQUIRE(analyze(trace).trust == Trust::sound);
}

// Returns which threads issued the ops of the range 'loop'. The main thread opens this range around
// all work after the set-up. The programs are cases of tests/gpu/programs/range_threads.py.
Issuers issuers_of_loop(const std::string& name, RangeThreads threads) {
  const fs::path path = fs::path(LAPSCOPE_TEST_TRACES) / "threads" / (name + ".sqlite");
  AnalyzeOptions options;
  options.ranges = {"loop"};
  options.range_threads = threads;
  options.find_causes = false;
  const Report report = analyze(read_trace(path), options);
  REQUIRE(report.devices.size() == 1);
  if (report.devices[0].ranges.empty()) return {};
  return report.devices[0].ranges.at(0).issuers.value();
}

// Three steps of DistributedDataParallel. The backward pass and NCCL's kernels run at the same
// time. The autograd thread issues both.
TEST_CASE("a rank of DistributedDataParallel has its backward pass and its communication") {
  for (const std::string name : {"ddp-0", "ddp-1"}) {
    INFO(name);
    AnalyzeOptions options;
    options.ranges = {"loop"};
    const auto file = fs::path(LAPSCOPE_TEST_TRACES) / "threads" / (name + ".sqlite");
    const Report report = analyze(read_trace(file), options);
    REQUIRE(report.devices.size() == 1);
    const RangeResult& loop = report.devices[0].ranges.at(0);
    CHECK(loop.scope.ops == 330);
    CHECK(loop.issuers->opener == 69);
    CHECK(loop.issuers->helpers == 261);
    for (const MeasureResult& result : loop.scope.measures) {
      if (result.measure->name == "comm_hidden")
        CHECK(std::get<Ratio>(result.value).value() > 0.85);
    }
    REQUIRE(loop.scope.causes);
    // Rank 1 has one real problem: its loop loads the code of a kernel.
    for (const FindingResult& finding : loop.scope.causes->findings) {
      CHECK(finding.code == "module-load");
    }
  }
}

// Each of the three steps has 10 ops. An autograd thread issues the ops of the backward pass.
TEST_CASE("a training step has the ops of its backward pass, with ranges of autograd and without") {
  for (const std::string name : {"backward", "emit-nvtx"}) {
    INFO(name);
    const Issuers issuers = issuers_of_loop(name, RangeThreads::helpers);
    CHECK(issuers.opener == 33);
    CHECK(issuers.helpers == 30);
    CHECK(issuers.helper_threads == 1);
    CHECK(issuers.undecided == 0);
    CHECK(issuers_of_loop(name, RangeThreads::own).opener == 33);
    CHECK(issuers_of_loop(name, RangeThreads::own).helpers == 0);
  }
}

TEST_CASE("a loader thread with a range of its own is no part of the training loop beside it") {
  const Issuers issuers = issuers_of_loop("loader", RangeThreads::helpers);
  CHECK(issuers.opener == 132);
  CHECK(issuers.helpers == 120);
  CHECK(issuers.undecided == 0);
}

TEST_CASE("the work of four threads is that of the range that waits for them") {
  const Issuers issuers = issuers_of_loop("workers", RangeThreads::helpers);
  CHECK(issuers.opener == 0);
  CHECK(issuers.helpers == 364);
  CHECK(issuers.helper_threads == 4);
}

}  // namespace
}  // namespace lapscope::analyzer
