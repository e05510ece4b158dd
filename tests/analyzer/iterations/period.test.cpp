#include "analyzer/iterations/period.h"

#include <string_view>
#include <vector>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// A letter for each entry.
std::optional<Repetition> found_in(std::string_view letters) {
  const std::vector<std::uint32_t> sequence(letters.begin(), letters.end());
  return find_repetition(sequence, 4);
}

TEST_CASE("what comes again and again is found, with what is around it left out") {
  const auto found = found_in("xyzabcabcabcabcabcq");
  REQUIRE(found.has_value());
  REQUIRE(found->period == 3);
  REQUIRE(found->first == 3);
  REQUIRE(found->last == 18);
  REQUIRE(found->count() == 5);
}

TEST_CASE("a loop with the same op several times in it is found whole") {
  const auto found = found_in("aabaacaabaacaabaacaabaacaabaac");
  REQUIRE(found.has_value());
  REQUIRE(found->period == 6);
}

TEST_CASE("a loop around a small loop is found by a longer look") {
  //                    4 x (ab) c, six times
  const auto found = found_in("ababababcababababcababababcababababcababababcababababc");
  REQUIRE(found.has_value());
  REQUIRE(found->period == 9);
}

TEST_CASE("one op over and over is not a loop of anything") {
  REQUIRE_FALSE(found_in("aaaaaaaaaaaaaaaaaaaaaaaa").has_value());
}

TEST_CASE("fewer than four times, or less than half of all, is not enough") {
  REQUIRE_FALSE(found_in("abcdabcdabcd").has_value());
  REQUIRE_FALSE(found_in("qwertyuiopasdfghjklzxcababababcvbnmQWERTYUIOPASDFG").has_value());
}

TEST_CASE("nothing repeats in a sequence of different ops, or in none") {
  REQUIRE_FALSE(found_in("abcdefghijklmnopqrstuvwxyz").has_value());
  REQUIRE_FALSE(found_in("").has_value());
  REQUIRE_FALSE(found_in("a").has_value());
}

}  // namespace
}  // namespace lapscope::analyzer
