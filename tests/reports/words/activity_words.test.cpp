#include "reports/words/activity_words.h"

#include "analyzer/explain/path_stretches.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::Interval;
using analyzer::PathStretch;

// The call b launches the op A. The correction makes b and the launch latency shorter:
//
//   recorded   bbb....AAA
//   corrected  b..AAA
TEST_CASE("a part of a corrected path has the recorded time of its op or call") {
  const analyzer::PathOp op{"A", 0, 7, {7, 10}};
  const analyzer::PathCall call{"b", "thread 1", {0, 3}};
  const PathStretch work{{3, 6}, {{"compute", analyzer::BlameKind::work, 3}}, 1, op, call};
  const PathStretch launch{
      {0, 1}, {{"launch-overhead", analyzer::BlameKind::wait, 1}}, 1, op, call};
  const PathStretch latency{
      {1, 3}, {{"launch-latency", analyzer::BlameKind::wait, 2}}, 1, op, std::nullopt};
  const PathStretch end{{6, 7}, {{"not-issued", analyzer::BlameKind::wait, 1}}};
  analyzer::CausesResult causes;
  CHECK(time_in_trace(causes, work) == Interval{3, 6});
  CHECK(instant_note(causes).empty());
  causes.correction.emplace();
  CHECK(time_in_trace(causes, work) == Interval{7, 10});
  CHECK(time_in_trace(causes, launch) == Interval{0, 3});
  CHECK(time_in_trace(causes, latency) == Interval{7, 10});
  CHECK_FALSE(time_in_trace(causes, end));
  CHECK_FALSE(instant_note(causes).empty());
}

}  // namespace
}  // namespace lapscope::reports
