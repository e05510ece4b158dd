#include "reports/words/findings.h"

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
        "The speed of h2d copies of page-locked memory is unknown: the trace has neither one of "
        "1 MiB or more, nor the rate of the link. Record one, or give the speed-up of these "
        "copies (whatif --scale h2d=FACTOR).");
}

}  // namespace
}  // namespace lapscope::reports
