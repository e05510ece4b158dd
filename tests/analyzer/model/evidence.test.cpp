#include "analyzer/model/evidence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("docs/causes.md tells the kinds of records of every cause") {
  std::ifstream file(LAPSCOPE_SOURCE_DIR "/docs/causes.md");
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

TEST_CASE("a kind without a record is not there where calls must have caused one") {
  Trace trace = with_calls({CallKind::record_event, CallKind::synchronize});
  trace.facts.recorded.insert(trace.facts.recorded.end(), {"CUDA_EVENT", "SYNCHRONIZATION"});
  SECTION("none") {
    leave_out_absent_kinds(trace);
    CHECK(trace.facts.recorded == std::vector<std::string>{"DRIVER", "RUNTIME"});
  }
  SECTION("one of each") {
    trace.event_records.emplace_back();
    trace.synchronizations.emplace_back();
    leave_out_absent_kinds(trace);
    CHECK(trace.facts.recorded.size() == 4);
  }
}

}  // namespace
}  // namespace lapscope::analyzer
