#include "reports/words/fixes.h"

#include "analyzer/fixes/fix.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

TEST_CASE("every fix is told, and its number where it takes one") {
  for (const analyzer::Fix* fix : analyzer::fixes()) {
    INFO(code_of(fix->cause));
    CHECK_FALSE(change_of(fix->cause).empty());
    CHECK(number_of(fix->cause).empty() != fix->takes_number);
  }
  CHECK(change_of(analyzer::Cause::unexplained).empty());
}

TEST_CASE("why page-locked memory brings what nobody knows is said with what settles it") {
  CHECK(unknown_rate_sentences(name_of(analyzer::Engine::h2d)) ==
        "How fast page-locked memory is copied h2d is not known: the trace has no such copy of 1 "
        "MiB or more, nor the rate of the link. Record one, or give whatif their speed-up (scale "
        "h2d).");
}

}  // namespace
}  // namespace lapscope::reports
