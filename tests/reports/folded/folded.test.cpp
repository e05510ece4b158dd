#include <sstream>
#include <string>

#include "reports/html/pictures.h"
#include "reports/renderer.h"
#include "tests/catch.h"
#include "tests/reports/support/sample_reports.h"

namespace lapscope::reports {
namespace {

using analyzer::HostKind;
using analyzer::HostStack;
using analyzer::ThreadState;

constexpr std::int64_t thread = (std::int64_t{7} << 24) | 12;

std::vector<HostStack> stacks() {
  return {
      {thread,
       {"main (a.py)", "load (d.py)"},
       HostKind::data_loading,
       ThreadState::running,
       6'000'000},
      {thread, {"main (a.py)", "load (d.py)"}, HostKind::data_loading, ThreadState::running, 500},
      {thread, {"main (a.py)", "x;y\n"}, HostKind::lock, ThreadState::lock, 3'000'000},
      {thread + 1, {}, HostKind::unknown, ThreadState::running, 1'000'000}};
}

analyzer::Report report_with_stacks() {
  analyzer::Report report = test::report_with_findings();
  report.devices.resize(1);
  report.devices[0].ranges.clear();
  report.devices[0].scope.host_time.emplace().stacks = stacks();
  report.devices[0].scope.host_waits = {stacks()[2]};
  return report;
}

std::string rendered(const char* format, const analyzer::Report& report) {
  std::ostringstream out;
  find_renderer(format)->render(std::span(&report, 1), TextStyle{}, out);
  return out.str();
}

TEST_CASE("stacks are folded, the same ones together, with their microseconds") {
  CHECK(rendered("folded", report_with_stacks()) ==
        "thread 12;main (a.py);load (d.py);[runs] 6001\n"
        "thread 12;main (a.py);x:y?;[waits for a lock or thread] 3000\n"
        "thread 13;[stack not known];[runs] 1000\n");
}

TEST_CASE("those for which the device waited are a format of their own") {
  CHECK(rendered("folded-waits", report_with_stacks()) ==
        "thread 12;main (a.py);x:y?;[waits for a lock or thread] 3000\n");
}

TEST_CASE("nothing is folded where nobody looked at threads") {
  analyzer::Report report = report_with_stacks();
  report.devices[0].scope.host_time.reset();
  report.devices[0].scope.host_waits.reset();
  CHECK(rendered("folded", report).empty());
  CHECK(rendered("folded-waits", report).empty());
  CHECK(flame_graphs(report.devices[0].scope).empty());
}

//   all threads                      100 %
//   thread 12                   90 % | thread 13   10 %
//   main (a.py)                 90 % | stack not known
//   load (d.py)      60 % | x;y 30 %
TEST_CASE("a flame graph has a rectangle for each function, as wide as its time") {
  const std::string graph = flame_graphs(report_with_stacks().devices[0].scope);
  const auto has = [&graph](const std::string& part) {
    return graph.find(part) != std::string::npos;
  };
  CHECK(
      has("<svg x=\"0.000%\" y=\"54\" width=\"60.002%\" height=\"18\"><title>load (d.py)\n"
          "6.00 ms, 60.0 %</title><rect class=\"k-data_loading\""));
  CHECK(has("<svg x=\"60.002%\" y=\"54\" width=\"29.99"));
  CHECK(has("<svg x=\"90.000%\" y=\"18\" width=\"10.000%\" height=\"18\"><title>thread 13"));
  CHECK(has("What the host did on the critical path: 3.00 ms"));
  CHECK(has("What the host did between its calls: 10.00 ms"));
}

}  // namespace
}  // namespace lapscope::reports
