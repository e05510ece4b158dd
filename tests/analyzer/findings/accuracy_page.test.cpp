#include "tests/analyzer/findings/accuracy_page.h"

#include <fstream>
#include <sstream>

#include "tests/catch.h"

using namespace lapscope;

TEST_CASE("docs/what-if-accuracy.md says what the analysis says today") {
  std::ifstream file(std::string(LAPSCOPE_SOURCE_DIR) + "/docs/what-if-accuracy.md");
  std::stringstream page;
  page << file.rdbuf();
  std::ostringstream written;
  test::write_accuracy_page(LAPSCOPE_TEST_TRACES, written);
  CHECK(written.str() == page.str());  // otherwise: tests/approve.sh BUILD_DIR, and look at it
}
