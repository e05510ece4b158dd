#include "reports/words/range_words.h"

#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using namespace analyzer;

RangeResult range_named(const std::string& name, ScopeKind kind, std::int64_t instances) {
  RangeResult range;
  range.kind = kind;
  range.name = name;
  range.instances = instances;
  return range;
}

FindingResult finding_of(std::string_view code) {
  FindingResult finding;
  finding.code = code;
  finding.code = code;
  return finding;
}

TEST_CASE("a range is told by its name, its device, and how often it ran") {
  DeviceResult device;
  device.id = 1;
  device.name = "H200";
  const RangeResult step = range_named(
      "st\x1b"
      "ep",
      ScopeKind::nvtx, 12);
  const RangeResult brackets = range_named("cudaProfilerStart/Stop", ScopeKind::profiler, 1);
  CHECK(title_of(step) == "range 'st?ep', 12 times");
  CHECK(title_of(step, &device) == "range 'st?ep' of device 1 (H200), 12 times");
  CHECK(title_of(brackets) == "cudaProfilerStart/Stop, once");
}

TEST_CASE("a fix that was predicted of a range is asked for of that range") {
  const FindingResult finding = finding_of("host-sync");
  const RangeResult step = range_named("it's", ScopeKind::nvtx, 1);
  const RangeResult brackets = range_named("cudaProfilerStart/Stop", ScopeKind::profiler, 1);
  CHECK(whatif_command(finding, nullptr) == "lapscope whatif --fix host-sync");
  CHECK(whatif_command(finding, &step) == "lapscope whatif --range 'it'\\''s' --fix host-sync");
  CHECK(whatif_command(finding, &brackets) ==
        "lapscope whatif --profiler-brackets --fix host-sync");
}

TEST_CASE("findings are numbered device by device, those of ranges before those of the whole") {
  const auto with = [](std::string_view code) {
    ScopeResult scope;
    scope.causes.emplace().findings = {finding_of(code)};
    return scope;
  };
  Report report;
  report.devices.resize(3);
  report.devices[0].scope = with("a-whole");
  report.devices[0].ranges.resize(2);
  report.devices[0].ranges[1].scope = with("a-range");
  report.devices[2].scope = with("c-whole");
  std::vector<std::string_view> codes;
  for (const ShownFinding& shown : shown_findings(report)) codes.push_back(shown.finding->code);
  CHECK(codes == std::vector<std::string_view>{"a-range", "a-whole", "c-whole"});
}

}  // namespace
}  // namespace lapscope::reports
