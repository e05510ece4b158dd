#include <cmath>
#include <filesystem>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "tests/catch.h"

// Programs of other authors, and one PyTorch program on two GPUs. tests/traces/README.md lists the
// traces.
namespace lapscope::analyzer {
namespace {

DeviceResult judged(const std::string& name, double from_ms, double to_ms) {
  const std::filesystem::path folder = LAPSCOPE_TEST_TRACES "/outside";
  AnalyzeOptions options;
  options.window = {std::llround(from_ms * 1e6), std::llround(to_ms * 1e6)};
  return analyze(read_trace(folder / (name + ".sqlite")), options).devices.at(0);
}

// The CUDA sample simpleMultiCopy runs its ten rounds first in one stream and then in four. One
// recording thus shows the problem and the effect of its fix. In each round, the host waits for the
// previous round of the same stream. K is the kernel of a round. H copies the input of the next
// round to the device. D copies the result to the host.
//
//   stream 13  KHHHHDDDD KHHHHDDDD KHHHHDDDD        |  K   DDDD
//   stream 14                                       |  HHHHK   DDDD
//   stream 16                                       |      HHHHK   DDDD
TEST_CASE("the time of simpleMultiCopy in four streams is predicted from its rounds in one") {
  const DeviceResult one = judged("simpleMultiCopy", 355.47, 362.14);
  const DeviceResult four = judged("simpleMultiCopy", 362.2, 365.8);
  REQUIRE_FALSE(one.scope.causes->findings.empty());
  const FindingResult& finding = one.scope.causes->findings[0];
  CHECK(finding.code == "stream-order");
  CHECK(finding.then_also == "host-sync");
  const auto measured = static_cast<double>(four.scope.window.length());
  CHECK(std::abs(static_cast<double>(finding.predicted.wall_ns) / measured - 1) < 0.05);
  CHECK(four.scope.causes->findings.empty());
}

TEST_CASE("what CuPy's example of streams waits for is the loading of its kernels") {
  const auto trace = read_trace(LAPSCOPE_TEST_TRACES "/outside/map_reduce.sqlite");
  const DeviceResult device = analyze(trace, {}).devices.at(0);
  REQUIRE_FALSE(device.scope.causes->findings.empty());
  CHECK(device.scope.causes->findings[0].code == "module-load");
  CHECK(std::abs(device.scope.causes->replay.error) < 0.01);
}

// Rank 0 of tests/gpu/programs/pairs/ddp.py --large. Sixteen all-reduces follow each backward pass,
// in its stream. They may depend on the ops between them. DistributedDataParallel overlaps them
// with the pass, and takes 43.69 ms in a bare run.
TEST_CASE("all-reduces after the backward pass lead to a question") {
  constexpr double gained_ms = 45.912 - 43.685;
  AnalyzeOptions options;
  options.ranges = {"measured"};
  const auto trace = read_trace(LAPSCOPE_TEST_TRACES "/frameworks/ddp_large.sqlite");
  const Report report = analyze(trace, options);
  const CausesResult& causes = *report.devices.at(0).ranges.at(0).scope.causes;
  CHECK(causes.findings.empty());
  REQUIRE_FALSE(causes.questions.empty());
  CHECK(causes.questions[0].code == "stream-order");
  // The predicted saving is too large: DistributedDataParallel also copies gradients into buckets.
  const auto saving_ms = static_cast<double>(causes.questions[0].saving_ns) / 1e6;
  CHECK(saving_ms > gained_ms);
  CHECK(saving_ms < 2 * gained_ms);
  REQUIRE_FALSE(causes.advice.empty());
  CHECK(causes.advice[0].step() == AdviceStep::communication);
  CHECK(std::get<ExposedCommunication>(causes.advice[0].seen).is_behind_kernels);
}

}  // namespace
}  // namespace lapscope::analyzer
