#include <algorithm>

#include "analyzer/analysis/analyze.h"
#include "analyzer/model/evidence.h"
#include "tests/catch.h"
#include "tests/readers/kineto/kineto_trace.h"

// Checks the traces that lapscope makes from files of PyTorch's profiler.
namespace lapscope::analyzer {
namespace {

std::string kineto_text(const std::string& events, const std::string& header) {
  return R"J({"schemaVersion": 1, )J" + header + R"J("traceEvents": [)J" + events + "]}";
}

Trace kineto_trace(const std::string& events, const std::string& header = "") {
  return test::trace_of_kineto(kineto_text(events, header));
}

// Returns a call that begins at `start` and lasts `us` us.
std::string kineto_call(const std::string& name, int start, int us, int correlation) {
  return R"J({"ph": "X", "cat": "cuda_runtime", "name": ")J" + name +
         R"J(", "pid": 9, "tid": 9, "ts": )J" + std::to_string(start) +
         ", \"dur\": " + std::to_string(us) +
         ", \"args\": {\"correlation\": " + std::to_string(correlation) + "}}";
}
std::string kineto_op(const std::string& category, const std::string& name, int start, int us,
                      int correlation, int stream = 7) {
  return R"J({"ph": "X", "cat": ")J" + category + R"J(", "name": ")J" + name +
         R"J(", "pid": 0, "tid": 7, "ts": )J" + std::to_string(start) +
         ", \"dur\": " + std::to_string(us) + R"J(, "args": {"device": 0, "stream": )J" +
         std::to_string(stream) + ", \"correlation\": " + std::to_string(correlation) + "}}";
}
std::string kineto_kernel(int start, int us, int correlation, int stream = 7) {
  return kineto_op("kernel", "k", start, us, correlation, stream);
}

std::vector<std::string> kineto_codes(const Trace& trace) {
  std::vector<std::string> codes;
  for (const HealthRow& row : trace.health) codes.emplace_back(code_of(row));
  return codes;
}

bool lists(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST_CASE("an op knows the call that issued it, and who recorded it is said") {
  const Trace trace =
      kineto_trace(kineto_call("cudaLaunchKernel", 0, 5, 1) + "," + kineto_kernel(10, 20, 1),
                   R"J("distributedInfo": {"rank": 3}, )J");
  REQUIRE(trace.devices.size() == 1);
  CHECK(trace.devices[0].ops.issue == std::vector<std::uint32_t>{0});
  CHECK(trace.calls.kind == std::vector<CallKind>{CallKind::launch});
  CHECK(trace.facts.format == "kineto/1");
  CHECK(trace.facts.recorder == "PyTorch's profiler");
  CHECK(trace.facts.rank == "3");
}

TEST_CASE("ops without a call are there, and said to have none") {
  const Trace trace =
      kineto_trace(kineto_call("cudaLaunchKernel", 0, 5, 1) + "," + kineto_kernel(10, 20, 1) + "," +
                   kineto_kernel(40, 5, 2) + "," + kineto_kernel(50, 0, 3));
  CHECK(trace.devices[0].ops.issue == std::vector<std::uint32_t>{0, no_index, no_index});
  CHECK(trace.devices[0].ops.interval(2).length() == 0);
  CHECK(lists(kineto_codes(trace), "unissued-ops"));
}

TEST_CASE("ops that one launch of a graph issued may overlap in their stream") {
  const std::string events = kineto_kernel(10, 20, 1) + "," +
                             kineto_op("gpu_memcpy", "Memcpy DtoD (Device -> Device)", 18, 30, 1) +
                             "," + kineto_kernel(40, 5, 1);
  const Trace graph = kineto_trace(kineto_call("cudaGraphLaunch", 0, 5, 1) + "," + events);
  CHECK(graph.devices[0].ops.size() == 3);
  for (const std::uint8_t memory : graph.devices[0].ops.memory) CHECK((memory & in_graph) != 0);
  CHECK_FALSE(lists(kineto_codes(graph), "impossible-times"));
  // Ops of an ordinary launch cannot overlap.
  const Trace plain = kineto_trace(kineto_call("cudaLaunchKernel", 0, 5, 1) + "," + events);
  CHECK(plain.devices[0].ops.size() < 3);
  CHECK(lists(kineto_codes(plain), "impossible-times"));
}

// Some releases of PyTorch round times to whole us.
TEST_CASE("ops of one stream that overlap by rounding stay") {
  const Trace trace = kineto_trace(kineto_call("cudaMemsetAsync", 0, 5, 1) + "," +
                                   kineto_op("gpu_memset", "Memset (Device)", 10, 7, 1) + "," +
                                   kineto_op("gpu_memset", "Memset (Device)", 15, 2, 2));
  CHECK(trace.devices[0].ops.size() == 2);
  CHECK_FALSE(lists(kineto_codes(trace), "impossible-times"));
}

TEST_CASE("kinds of streams, channels and the driver's calls are not recorded") {
  const Trace trace =
      kineto_trace(kineto_call("cudaLaunchKernel", 0, 5, 1) + "," + kineto_kernel(10, 20, 1) + "," +
                   kineto_call("cudaLaunchKernel", 6, 5, 2) + "," + kineto_kernel(12, 20, 2, 13));
  using Missing = std::vector<std::string_view>;
  CHECK(missing_records(trace.facts, Cause::default_stream_barrier) ==
        Missing{"CONTEXT", "STREAM"});
  CHECK(missing_records(trace.facts, Cause::queue_alias) == Missing{hardware_channels});
  CHECK(missing_records(trace.facts, Cause::alloc_free) == Missing{"DRIVER"});
  CHECK(lists(kineto_codes(trace), "no-stream-kinds"));
}

TEST_CASE("calls of HIP and functions without a name are said to be such") {
  const Trace trace =
      kineto_trace(kineto_call("hipLaunchKernel", 0, 5, 1) + "," + kineto_kernel(10, 20, 1) + "," +
                   kineto_call("INVALID", 6, 1, 2));
  CHECK(lists(kineto_codes(trace), "foreign-calls"));
  CHECK(lists(kineto_codes(trace), "nameless-calls"));
}

TEST_CASE("calls of another API have figures and no causes") {
  for (const auto& [category, function] :
       {std::pair("cuda_runtime", "hipFree"), {"xpu_runtime", "urEnqueueKernelLaunch"}}) {
    std::string free = kineto_call(function, 8, 1000, 2);
    free.replace(free.find("cuda_runtime"), std::string("cuda_runtime").size(), category);
    std::string launch = kineto_call("hipLaunchKernel", 0, 5, 1);
    const Trace trace = kineto_trace(launch + "," + kineto_kernel(10, 100, 1) + "," + free + "," +
                                     kineto_call("hipLaunchKernel", 1010, 5, 3) + "," +
                                     kineto_kernel(1020, 100, 3));
    INFO(category);
    CHECK(trace.calls.size() == 3);
    CHECK(lists(kineto_codes(trace), "foreign-calls"));
    const Report report = analyze(trace, {});
    CHECK(report.trust == Trust::inconclusive);
    CHECK(report.devices.at(0).scope.ops == 2);
    CHECK(report.devices.at(0).scope.gaps.total_ns == 910'000);
    CHECK_FALSE(report.devices.at(0).scope.causes);
  }
}

// The first launch of each kernel takes 7 ms, and the other launches take 8 us.
TEST_CASE("code loading at a first launch is inferred if no overhead is recorded") {
  const auto events = [](const std::string& more) {
    std::string text = more;
    int at = 0;
    for (int i = 0; i < 40; ++i) {
      const int length = i % 10 == 0 ? 7000 : 8;
      const std::string name = "step_" + std::to_string(i / 10);
      text += (text.empty() ? "" : ",") + kineto_call("cudaLaunchKernel", at, length, i + 1) + "," +
              kineto_op("kernel", name, at + length + 2, 10, i + 1);
      at += length + 20;
    }
    return text;
  };
  const auto overhead = [](const std::string& name) {
    return R"J({"ph": "X", "cat": "overhead", "name": ")J" + name +
           R"J(", "pid": 9, "tid": 9, "ts": 20000, "dur": 5})J";
  };
  CHECK(lists(kineto_codes(kineto_trace(events(""))), "loads-inferred"));
  CHECK(lists(kineto_codes(kineto_trace(events(overhead("Buffer Flush")))), "loads-inferred"));
  CHECK_FALSE(lists(kineto_codes(kineto_trace(events(overhead("Lazy Function Loading")))),
                    "loads-inferred"));
  const Trace trace = kineto_trace(events(""));
  CHECK(trace.overheads.size() == 4);
}

TEST_CASE("a wait for a context is one for the ops of it") {
  const auto of_context = [](std::string event) {
    return event.insert(event.find("\"stream\""), "\"context\": 1, ");
  };
  const std::string sync =
      R"J({"ph": "X", "cat": "cuda_sync", "name": "Context Sync", "pid": 0, "tid": 0, "ts": 6,
          "dur": 110, "args": {"stream": -1, "correlation": 2, "device": 0, "context": 1}})J";
  const Trace trace = kineto_trace(kineto_call("cudaLaunchKernel", 0, 5, 1) + "," +
                                   of_context(kineto_kernel(10, 100, 1)) + "," +
                                   kineto_call("cudaDeviceSynchronize", 6, 110, 2) + "," + sync);
  REQUIRE(trace.synchronizations.size() == 1);
  CHECK(trace.synchronizations[0].context == 1);
  CHECK(trace.devices.at(0).streams.at(0).context == 1);
}

TEST_CASE("an id that is too large makes the trace defective, not wrong") {
  const Trace trace = kineto_trace(
      kineto_call("cudaLaunchKernel", 0, 5, 1) + "," + kineto_kernel(10, 20, 1) +
      R"J(, {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 40, "dur": 1,
          "args": {"device": 0, "stream": 7, "correlation": 9223372036854775808}})J");
  CHECK(trace.devices[0].ops.size() == 1);
  CHECK(lists(kineto_codes(trace), "invalid-ids"));
}

TEST_CASE("text behind the JSON is said to be there, and changes nothing") {
  const Trace trace =
      test::trace_of_kineto(kineto_text(kineto_kernel(10, 20, 1), "") + "\x01garbage");
  CHECK(trace.devices[0].ops.size() == 1);
  CHECK(lists(kineto_codes(trace), "trailing-text"));
}

TEST_CASE("waits for events lead from their record to what waited") {
  const std::string sync =
      R"J({"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 13, "ts": 8,
          "dur": 1, "args": {"wait_on_stream": 7, "wait_on_cuda_event_record_corr_id": 2,
          "wait_on_cuda_event_id": 19, "stream": 13, "correlation": 3, "device": 0, "context": 1}})J";
  const Trace trace =
      kineto_trace(kineto_call("cudaLaunchKernel", 0, 2, 1) + "," + kineto_kernel(10, 20, 1) + "," +
                   kineto_call("cudaEventRecord", 3, 1, 2) + "," +
                   kineto_call("cudaStreamWaitEvent", 8, 1, 3) + "," + sync + "," +
                   kineto_call("cudaLaunchKernel", 10, 2, 4) + "," + kineto_kernel(31, 5, 4, 13));
  REQUIRE(trace.synchronizations.size() == 1);
  REQUIRE(trace.event_records.size() == 1);
  CHECK(trace.synchronizations[0].kind == SyncKind::stream_wait_event);
  CHECK(trace.synchronizations[0].stream == 13);
  CHECK(trace.event_records[0].stream == 7);
  CHECK(trace.synchronizations[0].event_sync == trace.event_records[0].event_sync);
  CHECK(missing_records(trace.facts, Cause::event_wait) == std::vector<std::string_view>{"DRIVER"});
}

}  // namespace
}  // namespace lapscope::analyzer
