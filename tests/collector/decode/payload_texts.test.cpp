#include "collector/decode/payload_texts.h"

#include "tests/catch.h"

namespace lapscope::decode {
namespace {

TEST_CASE("a payload is of what its thread began while it told CUPTI, and is given once",
          "[decode]") {
  PayloadTexts texts;
  texts.add(1, 100, 110, "first");
  texts.add(1, 200, 210, "second");
  texts.add(2, 100, 110, "of another");
  CHECK(texts.take(1, 99).empty());
  CHECK(texts.take(1, 111).empty());
  CHECK(texts.take(3, 105).empty());
  CHECK(texts.take(1, 210) == "second");
  CHECK(texts.take(1, 100) == "first");
  CHECK(texts.take(1, 105).empty());
  CHECK(texts.unused() == 1);
  CHECK(texts.take(2, 105) == "of another");
  CHECK(texts.unused() == 0);
}

TEST_CASE("where two calls of a thread were open, no payload is anybody's", "[decode]") {
  PayloadTexts texts;
  texts.add(1, 120, 130, "of the handler of a signal");
  texts.add(1, 100, 200, "interrupted");
  CHECK(texts.take(1, 125).empty());
  CHECK(texts.unused() == 2);
}

TEST_CASE("of payloads that nothing asks for, the oldest are dropped and counted", "[decode]") {
  PayloadTexts texts;
  const auto most = static_cast<std::int64_t>(PayloadTexts::most);
  for (std::int64_t i = 0; i < most + 2; ++i) texts.add(1, 10 * i, 10 * i + 5, "text");
  CHECK(texts.unused() == most + 2);
  CHECK(texts.take(1, 11).empty());
  CHECK(texts.take(1, 21) == "text");
  CHECK(texts.unused() == most + 1);
}

}  // namespace
}  // namespace lapscope::decode
