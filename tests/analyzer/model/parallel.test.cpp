#include "analyzer/model/parallel.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("work in parallel is done once for each") {
  std::vector<int> done(1000);
  in_parallel(done.size(), 4, [&](std::size_t i) { ++done[i]; });
  REQUIRE(done == std::vector<int>(1000, 1));
  in_parallel(0, 4, [](std::size_t) { FAIL("there is nothing to do"); });
}

TEST_CASE("what the first one throws is thrown when all are done") {
  std::vector<int> done(10);
  std::string thrown;
  try {
    in_parallel(done.size(), 3, [&](std::size_t i) {
      ++done[i];
      if (i == 3 || i == 7) throw std::runtime_error(std::to_string(i));
    });
  } catch (const std::runtime_error& error) {
    thrown = error.what();
  }
  REQUIRE(thrown == "3");
  REQUIRE(done == std::vector<int>(10, 1));
}

}  // namespace
}  // namespace lapscope::analyzer
