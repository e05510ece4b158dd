#include "analyzer/model/names.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("a text is found by its id, whatever ids the trace has") {
  Names names;
  names.add(0, "zero");
  names.add(7, "seven");
  names.add(std::int64_t{1} << 40, "far");
  names.add(-3, "below");
  REQUIRE(names.text(names.index_of(0)) == "zero");
  REQUIRE(names.text(names.index_of(7)) == "seven");
  REQUIRE(names.text(names.index_of(std::int64_t{1} << 40)) == "far");
  REQUIRE(names.text(names.index_of(-3)) == "below");
}

TEST_CASE("an id that the trace does not have is the empty text") {
  Names names;
  names.add(5, "five");
  for (const std::int64_t id : {std::int64_t{0}, std::int64_t{4}, std::int64_t{6}, std::int64_t{-1},
                                std::int64_t{1} << 62}) {
    REQUIRE(names.text(names.index_of(id)).empty());
  }
  REQUIRE(names.text(99).empty());
}

}  // namespace
}  // namespace lapscope::analyzer
