#include "readers/nsys/layers.h"

#include <string>

#include "tests/catch.h"

namespace lapscope::analyzer::nsys {
namespace {

// Draws a layer as text such as "aa.b". Each letter is the stack in one ns.
std::string drawn(const Layer& layer) {
  std::string text(20, '.');
  for (const Told& one : layer) {
    for (auto at = one.interval.start; at < one.interval.end; ++at) {
      char& drawn = text[static_cast<std::size_t>(at)];
      drawn = drawn == '.' ? static_cast<char>('a' + one.chain) : '!';  // '!' for an overlap
    }
  }
  return text.substr(0, text.find_last_not_of('.') + 1);
}

Told told(Ns start, Ns end, char letter) {
  return {{start, end}, ThreadState::other, static_cast<std::uint32_t>(letter - 'a')};
}

TEST_CASE("of intervals that overlap the first counts until it ends") {
  CHECK(drawn(layer_of({told(3, 9, 'b'), told(0, 5, 'a'), told(4, 5, 'c')})) == "aaaaabbbb");
  CHECK(layer_of({told(0, 5, 'a'), told(1, 4, 'b')}).size() == 1);
}

TEST_CASE("a lower layer shows where the upper one leaves room") {
  const Layer upper = layer_of({told(2, 5, 'a'), told(11, 13, 'b')});
  const Layer lower = layer_of({told(0, 9, 'c'), told(10, 14, 'd'), told(15, 16, 'e')});
  CHECK(drawn(laid_over(upper, lower)) == "ccaaacccc.dbbd.e");
  CHECK(drawn(laid_over(upper, {})) == "..aaa......bb");
  CHECK(drawn(laid_over({}, lower)) == "ccccccccc.dddd.e");
  CHECK(drawn(laid_over(layer_of({told(0, 20, 'a')}), lower)) == std::string(20, 'a'));
  // The result is sorted by start, as every layer.
  const Layer both = laid_over(upper, lower);
  for (std::size_t i = 1; i < both.size(); ++i) {
    CHECK(both[i - 1].interval.end <= both[i].interval.start);
  }
}

TEST_CASE("what lies in intervals is cut at their ends") {
  const Layer layer = layer_of({told(0, 9, 'a'), told(10, 14, 'b')});
  CHECK(drawn(within(layer, {{1, 3}, {4, 11}, {13, 20}})) == ".aa.aaaaa.b..b");
  CHECK(within(layer, {{9, 10}}).empty());
}

}  // namespace
}  // namespace lapscope::analyzer::nsys
