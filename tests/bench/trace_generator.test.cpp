#include "tests/bench/trace_generator.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

#include "readers/read_trace.h"
#include "tests/bench/synthetic_target.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::bench {
namespace {

using analyzer::Device;
using analyzer::Engine;
using analyzer::Interval;
using analyzer::Ops;
using analyzer::Trace;
using test::TemporaryFolder;

constexpr TraceShape several{.ops = 20'000, .devices = 2, .streams = 3, .threads = 4};

Trace generated(const TraceShape& shape) {
  const TemporaryFolder folder;
  generate_trace(folder / "t.sqlite", shape);
  return analyzer::read_trace(folder / "t.sqlite");
}

std::int64_t op_count(const Trace& trace) {
  std::int64_t ops = 0;
  for (const Device& device : trace.devices) ops += static_cast<std::int64_t>(device.ops.size());
  return ops;
}

// Returns whether no two of the intervals overlap.
bool one_after_the_other(std::vector<Interval> intervals) {
  std::ranges::sort(intervals, {}, &Interval::start);
  for (std::size_t i = 1; i < intervals.size(); ++i) {
    if (intervals[i].start < intervals[i - 1].end) return false;
  }
  return true;
}

TEST_CASE("a generated trace is a sound one with all its ops") {
  const Trace trace = generated(several);
  REQUIRE(trace.health.empty());
  REQUIRE(op_count(trace) == several.ops);
  REQUIRE(trace.devices.size() == 2);
  REQUIRE(trace.calls.threads.size() == 4);
  std::set<std::uint32_t> kernels;
  for (const Device& device : trace.devices) {
    REQUIRE(std::set(device.ops.stream.begin(), device.ops.stream.end()).size() == 3);
    for (const auto kind :
         {analyzer::OpKind::kernel, analyzer::OpKind::memcpy, analyzer::OpKind::memset}) {
      REQUIRE(std::ranges::count(device.ops.kind, kind) > 100);
    }
    kernels.insert(device.ops.name.begin(), device.ops.name.end());
  }
  REQUIRE(kernels.size() == kernel_names + 1);  // copies have no kernel name
  REQUIRE_FALSE(trace.overheads.empty());
}

TEST_CASE("the number of ops is exact, wherever in a step it ends") {
  for (std::int64_t ops = 1; ops <= 24; ++ops) {
    const Trace trace = generated({.ops = ops});
    REQUIRE(op_count(trace) == ops);
    REQUIRE(trace.health.empty());
  }
}

TEST_CASE("generated ops obey their streams, their engines and the calls that issued them") {
  const Trace trace = generated(several);
  for (const Device& device : trace.devices) {
    const Ops& ops = device.ops;
    std::map<std::uint32_t, std::vector<Interval>> streams;
    std::map<Engine, std::vector<Interval>> engines;
    for (std::size_t op = 0; op < ops.size(); ++op) {
      REQUIRE(ops.issue[op] != analyzer::no_index);
      REQUIRE(trace.calls.end[ops.issue[op]] < ops.start[op]);
      streams[ops.stream[op]].push_back(ops.interval(op));
      engines[ops.engine[op]].push_back(ops.interval(op));
    }
    for (const auto& [id, intervals] : streams) REQUIRE(one_after_the_other(intervals));
    REQUIRE(one_after_the_other(engines.at(Engine::h2d)));
    REQUIRE(one_after_the_other(engines.at(Engine::d2h)));
    REQUIRE_FALSE(one_after_the_other(engines.at(Engine::compute)));
  }
}

TEST_CASE("the calls of a generated thread follow each other, and its ranges nest") {
  const Trace trace = generated(several);
  for (const auto& thread : trace.calls.threads) {
    for (std::uint32_t call = thread.first + 1; call < thread.last; ++call) {
      REQUIRE(trace.calls.start[call] >= trace.calls.end[call - 1]);
    }
    std::vector<Interval> open;
    std::size_t deepest = 0;
    for (const analyzer::NvtxRange& range : trace.ranges) {  // sorted by start
      if (range.global_tid != thread.global_tid) continue;
      while (!open.empty() && open.back().end <= range.interval.start) open.pop_back();
      REQUIRE((open.empty() || range.interval.end <= open.back().end));
      open.push_back(range.interval);
      deepest = std::max(deepest, open.size());
    }
    REQUIRE(deepest == 3);  // epoch, step, compute
  }
}

TEST_CASE("the same shape gives the same bytes, another seed another trace") {
  const TemporaryFolder folder;
  TraceShape shape{.ops = 3'000};
  generate_trace(folder / "a", shape);
  generate_trace(folder / "b", shape);
  shape.seed = 2;
  generate_trace(folder / "c", shape);
  REQUIRE(test::read_file(folder / "a") == test::read_file(folder / "b"));
  REQUIRE(test::read_file(folder / "a") != test::read_file(folder / "c"));
  REQUIRE(folder.names() == std::vector<std::string>{"a", "b", "c"});
}

TEST_CASE("a generated trace says that it is synthetic") {
  const Trace trace = generated({.ops = 100, .seed = 7});
  REQUIRE(trace.facts.command ==
          "generate_trace 100 --devices 1 --streams 4 --threads 2 --seed 7 "
          "(synthetic: no GPU was measured)");
  REQUIRE(trace.devices[0].name == "synthetic GPU 0");
}

TEST_CASE("what cannot be generated is refused") {
  const TemporaryFolder folder;
  REQUIRE_THROWS_WITH(generate_trace(folder / "t", {.ops = 0}),
                      "OPS must be from 1 to 1000000000, not 0");
  REQUIRE_THROWS_AS(generate_trace(folder / "t", {.ops = 1, .streams = 2, .threads = 3}),
                    std::invalid_argument);
  test::write_file(folder / "t", "mine");
  REQUIRE_THROWS_AS(generate_trace(folder / "t", {.ops = 1}), std::filesystem::filesystem_error);
  REQUIRE(test::read_file(folder / "t") == "mine");
}

}  // namespace
}  // namespace lapscope::bench
