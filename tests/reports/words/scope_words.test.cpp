#include "reports/words/scope_words.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

TEST_CASE("a range tells of its bare runs wherever its work is told") {
  analyzer::RangeResult range;
  CHECK(work_sentences(range).empty());
  range.bare = analyzer::BareWall{};
  range.bare->reason = "a range was never closed";
  CHECK(work_sentences(range) == "Bare n/a: a range was never closed.");
}

}  // namespace
}  // namespace lapscope::reports
