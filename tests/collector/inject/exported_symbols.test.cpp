#include <sstream>

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::inject {
namespace {

TEST_CASE("the collector exports its entry points and nothing else", "[end-to-end]") {
  const auto listing = test::run({LAPSCOPE_NM, "-D", "--defined-only", LAPSCOPE_COLLECTOR_LIBRARY});
  REQUIRE(listing.exit_status == 0);
  std::vector<std::string> names;
  std::istringstream lines(listing.out);
  for (std::string line; std::getline(lines, line);)
    names.push_back(line.substr(line.rfind(' ') + 1));
  CHECK(names == std::vector<std::string>{"InitializeInjection", "InitializeInjectionNvtx2",
                                          "InitializeInjectionNvtxExtension"});
}

TEST_CASE("the collector needs no library that a program might have in another version",
          "[end-to-end]") {
  const auto listing =
      test::run({LAPSCOPE_NM, "-D", "--undefined-only", LAPSCOPE_COLLECTOR_LIBRARY});
  REQUIRE(listing.exit_status == 0);
  for (const char* prefix : {" sqlite3_", " _ZNSt", " _ZSt", " cupti", " cu"}) {
    INFO(prefix);
    CHECK(listing.out.find(prefix) == std::string::npos);
  }
}

}  // namespace
}  // namespace lapscope::inject
