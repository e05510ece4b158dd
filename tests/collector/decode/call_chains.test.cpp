#include "collector/decode/call_chains.h"

#include <filesystem>
#include <memory>

#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using schema::ApiCallRow;
using schema::CallchainRow;
using schema::ModuleRow;
using schema::StackCountsRow;
using test::SyntheticTrace;

test::ApiRecord call_with(std::uint32_t correlation) {
  auto record = test::make_record<test::ApiRecord>(CUPTI_ACTIVITY_KIND_RUNTIME);
  record.cbid = CUPTI_RUNTIME_TRACE_CBID_cudaMalloc_v3020;
  record.start = test::cupti_time(10);
  record.end = test::cupti_time(20);
  record.processId = test::pid;
  record.threadId = 4713;
  record.correlationId = correlation;
  return record;
}

TEST_CASE("a call has the stack that was captured at its entry", "[decode]") {
  SyntheticTrace trace;
  stacks::CallStacks stacks;
  trace.decoder().set_stacks(&stacks);
  for (const std::uint32_t correlation : {1U, 2U, 3U}) {
    if (correlation != 2) stacks.capture(correlation);
  }
  trace.decode(call_with(1), call_with(2), call_with(3));
  const auto calls = trace.rows<ApiCallRow>();
  REQUIRE(calls.size() == 3);
  REQUIRE(calls[0].callchainId.has_value());
  CHECK(calls[0].stackNs > 0);
  CHECK_FALSE(calls[1].callchainId.has_value());
  CHECK_FALSE(calls[1].stackNs.has_value());
  CHECK(calls[2].callchainId == calls[0].callchainId);

  const auto frames = trace.rows<CallchainRow>();  // the frames of one chain
  const auto modules = trace.rows<ModuleRow>();
  REQUIRE(frames.size() > 3);
  for (std::size_t depth = 0; depth < frames.size(); ++depth) {
    const CallchainRow& frame = frames[depth];
    CHECK(frame.id == calls[0].callchainId);
    CHECK(frame.stackDepth == static_cast<std::int64_t>(depth));
    CHECK(trace.text(frame.symbol) == "[unknown]");
    CHECK(frame.unresolved == 1);
    const auto module = std::find_if(modules.begin(), modules.end(),
                                     [&](const auto& one) { return one.id == frame.moduleId; });
    REQUIRE(module != modules.end());
    CHECK(trace.text(frame.module) == module->path);
    CHECK(frame.originalIP >= module->start);
    CHECK(frame.originalIP < module->end);
  }
  CHECK(trace.text(frames[0].module) == std::filesystem::read_symlink("/proc/self/exe").string());
}

TEST_CASE("what became of stacks is counted", "[decode]") {
  SyntheticTrace trace;
  stacks::CallStacks stacks;
  trace.decoder().set_stacks(&stacks);
  for (const std::uint32_t correlation : {1U, 2U, 3U}) stacks.capture(correlation);
  trace.decode(call_with(1), call_with(3), call_with(4));
  trace.decoder().write_counts();
  trace.decode(call_with(5));
  const auto counts = trace.row<StackCountsRow>();
  CHECK(counts.captured == 2);
  CHECK(counts.chains == 1);
  CHECK(counts.withoutCall == 1);
  CHECK(counts.lost == 0);
}

TEST_CASE("a trace without stacks has no tables of them", "[decode]") {
  SyntheticTrace trace;
  trace.decode(call_with(1));
  trace.decoder().write_counts();
  trace.decode(call_with(2));
  for (const char* table : {"CUDA_CALLCHAINS", "LAPSCOPE_MODULES", "LAPSCOPE_STACKS"}) {
    CHECK_FALSE(trace.database().has_table(table));
  }
}

}  // namespace
}  // namespace lapscope::decode
