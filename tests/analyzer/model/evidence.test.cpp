#include "analyzer/model/evidence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("docs/numbers.md tells the kinds of records of every cause") {
  std::ifstream file(LAPSCOPE_SOURCE_DIR "/docs/numbers.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const std::string_view code : cause_codes) {
    const std::string kinds = fmt::format("{}", fmt::join(records_of(*cause_of_code(code)), ", "));
    const std::string row =
        fmt::format("\n| `{}` | {}{}|\n", code, kinds, kinds.empty() ? "" : " ");
    INFO(row);
    CHECK(page.find(row) != std::string::npos);
  }
}

Trace with_calls(const std::vector<CallKind>& kinds) {
  Trace trace;
  for (const CallKind kind : kinds) {
    trace.calls.start.push_back(0);
    trace.calls.end.push_back(1);
    trace.calls.name.push_back(0);
    trace.calls.kind.push_back(kind);
  }
  const auto count = static_cast<std::uint32_t>(kinds.size());
  trace.calls.threads.push_back({0, 0, count, count});
  trace.facts.recorded = {"DRIVER", "RUNTIME"};
  return trace;
}

Trace with_streams(std::size_t count) {
  Trace trace;
  Device& device = trace.devices.emplace_back();
  for (std::uint32_t stream = 0; stream < count; ++stream) {
    device.streams.emplace_back();
    device.ops.stream.push_back(stream);
    device.ops.start.push_back(0);
  }
  return trace;
}

bool holds(const std::vector<std::string>& kinds, std::string_view kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

TEST_CASE("a kind that no call gave cause for is not missing") {
  Trace trace = with_calls({CallKind::launch, CallKind::synchronize});
  trace.facts.without_cause = kinds_without_cause(trace);
  CHECK(holds(trace.facts.without_cause, "CUDA_EVENT"));
  CHECK_FALSE(holds(trace.facts.without_cause, "SYNCHRONIZATION"));
  CHECK(missing_records(trace.facts, Cause::event_wait) ==
        std::vector<std::string_view>{"SYNCHRONIZATION"});
  CHECK(missing_records(trace.facts, Cause::alloc_free).empty());
  SECTION("but nobody knows without calls") {
    trace.facts.recorded.clear();
    CHECK_FALSE(holds(kinds_without_cause(trace), "CUDA_EVENT"));
  }
}

TEST_CASE("one stream has no other to wait for") {
  CHECK(holds(kinds_without_cause(with_streams(1)), "STREAM"));
  CHECK(holds(kinds_without_cause(with_streams(1)), hardware_channels));
  CHECK_FALSE(holds(kinds_without_cause(with_streams(2)), "STREAM"));
}

TEST_CASE("a wait for a context settles nothing where its streams are not known") {
  Trace trace = with_calls({CallKind::synchronize});
  trace.facts.recorded.emplace_back("SYNCHRONIZATION");
  Synchronization wait;
  wait.kind = SyncKind::context;
  wait.context = 1;
  trace.synchronizations = {wait};
  Device device;
  device.streams.resize(2);
  device.streams[0].context = 1;
  device.streams[1].context = 1;
  SECTION("they are") {
    trace.devices = {device};
    leave_out_incomplete_kinds(trace, false);
    CHECK(holds(trace.facts.recorded, "SYNCHRONIZATION"));
  }
  SECTION("another one is not") {
    device.streams[1].context = 0;
    trace.devices = {device};
    leave_out_incomplete_kinds(trace, false);
    CHECK(holds(trace.facts.recorded, "SYNCHRONIZATION"));
  }
  SECTION("they are not") {
    device.streams[0].context = device.streams[1].context = 0;
    trace.devices = {device};
    leave_out_incomplete_kinds(trace, false);
    CHECK_FALSE(holds(trace.facts.recorded, "SYNCHRONIZATION"));
  }
}

TEST_CASE("a kind without a record is not there where calls must have caused one") {
  Trace trace = with_calls({CallKind::record_event, CallKind::synchronize});
  trace.facts.recorded.insert(trace.facts.recorded.end(), {"CUDA_EVENT", "SYNCHRONIZATION"});
  SECTION("none") {
    leave_out_incomplete_kinds(trace, false);
    CHECK(trace.facts.recorded == std::vector<std::string>{"DRIVER", "RUNTIME"});
  }
  SECTION("one of each") {
    trace.event_records.push_back({0});
    trace.synchronizations.push_back({1});
    leave_out_incomplete_kinds(trace, false);
    CHECK(trace.facts.recorded.size() == 4);
  }
}

TEST_CASE("a kind is incomplete where one of its calls has no record and another has") {
  Trace trace = with_calls({CallKind::record_event, CallKind::record_event, CallKind::synchronize,
                            CallKind::synchronize});
  trace.facts.recorded.insert(trace.facts.recorded.end(), {"CUDA_EVENT", "SYNCHRONIZATION"});
  trace.event_records.push_back({1});
  trace.synchronizations.push_back({2});
  leave_out_incomplete_kinds(trace, false);
  CHECK(trace.facts.recorded == std::vector<std::string>{"DRIVER", "RUNTIME"});
}

//   calls        begin capture  record event  end capture  record event  record event
//   has record   -              no            -            varies        yes
TEST_CASE("a call that was captured needs no record") {
  Trace trace = with_calls({CallKind::other, CallKind::record_event, CallKind::other,
                            CallKind::record_event, CallKind::record_event});
  const auto first = static_cast<std::uint32_t>(trace.names.size());
  trace.names.add(0, "cudaStreamBeginCapture_v10000");
  trace.names.add(1, "cudaEventRecord_v3020");
  trace.names.add(2, "cudaStreamEndCapture_v10000");
  trace.calls.name = {first, first + 1, first + 2, first + 1, first + 1};
  trace.calls.start = {0, 10, 20, 30, 40};
  trace.calls.end = {5, 15, 25, 35, 45};
  trace.facts.recorded.emplace_back("CUDA_EVENT");
  trace.event_records.push_back({4});
  SECTION("but the next call needs a record, and has none") {
    leave_out_incomplete_kinds(trace, false);
    CHECK_FALSE(holds(trace.facts.recorded, "CUDA_EVENT"));
  }
  SECTION("and the next call has a record") {
    trace.event_records.push_back({3});
    leave_out_incomplete_kinds(trace, false);
    CHECK(holds(trace.facts.recorded, "CUDA_EVENT"));
  }
}

//   stream  A . . B     A has its call in the trace, B has none: calls were lost.
//           A . . B     only B has its call: the trace begins after the call of A
TEST_CASE("calls are incomplete if an op has no call, but an earlier op of its stream has a call") {
  for (const bool is_cut : {false, true}) {
    INFO(is_cut);
    Trace trace = with_calls({CallKind::launch});
    Device device;
    device.streams.resize(1);
    device.ops.stream = {0, 0};
    device.ops.start = {10, 20};
    device.ops.end = {12, 22};
    device.ops.issue =
        is_cut ? std::vector<std::uint32_t>{no_index, 0} : std::vector<std::uint32_t>{0, no_index};
    trace.devices.push_back(std::move(device));
    leave_out_incomplete_kinds(trace, false);
    CHECK(holds(trace.facts.recorded, "RUNTIME") == is_cut);
  }
  Trace trace = with_calls({CallKind::launch});
  leave_out_incomplete_kinds(trace, true);
  CHECK_FALSE(holds(trace.facts.recorded, "RUNTIME"));
}

}  // namespace
}  // namespace lapscope::analyzer
