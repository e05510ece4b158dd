#include "collector/python_frames/interpreter_layout.h"

#include <string>
#include <utility>

#include "tests/catch.h"
#include "tests/collector/python_frames/fake_python.h"

namespace lapscope::python_frames {
namespace {

using test::Containing;
using test::FakeTypes;

std::string why_not(const FakeTypes& types) {
  const ChosenLayout chosen = choose_layout(types.exported());
  CHECK((chosen.layout == nullptr) == !chosen.why_not.empty());
  return chosen.why_not;
}

TEST_CASE("final releases of 3.11 and 3.12 have a layout, the same in all of them", "[python]") {
  for (const std::uint32_t version : {0x030b00f0u, 0x030b02f0u, 0x030b0ef0u}) {
    const auto chosen = choose_layout(FakeTypes(version).exported());
    REQUIRE(chosen.layout);
    CHECK(chosen.layout->release == 0x030b);
  }
  for (const std::uint32_t version : {0x030c00f0u, 0x030c0af0u}) {
    const auto chosen = choose_layout(FakeTypes(version).exported());
    REQUIRE(chosen.layout);
    CHECK(chosen.layout->release == 0x030c);
  }
}

TEST_CASE("other releases are not supported, and by name", "[python]") {
  CHECK_THAT(why_not(FakeTypes(0x030d00f0)), Containing("Python 3.13.0"));
  CHECK_THAT(why_not(FakeTypes(0x030e01f0)), Containing("Python 3.14.1"));
  CHECK_THAT(why_not(FakeTypes(0x030a0df0)), Containing("Python 3.10.13"));
  CHECK_THAT(why_not(FakeTypes(0x030c00c2)), Containing("not a final release"));
}

TEST_CASE("an interpreter whose objects are others is not supported", "[python]") {
  const std::uint32_t version = GENERATE(0x030b02f0u, 0x030c03f0u);
  SECTION("objects with a longer head, as of debug builds") {
    FakeTypes types(version);
    for (auto* type : {&types.type, &types.code, &types.text, &types.bytes}) {
      std::swap((*type)[1], (*type)[3]);
    }
    CHECK_THAT(why_not(types), Containing("built in a way that is not known"));
  }
  SECTION("code objects of another size") {
    FakeTypes types(version);
    types.code[4] += 8;
    CHECK_THAT(why_not(types), Containing("built in a way that is not known"));
  }
  SECTION("code objects whose parts are elsewhere, or not listed") {
    for (std::size_t i = 1; i < 7; ++i) {
      if (i == 3) continue;  // co_name is not read
      FakeTypes moved(version);
      moved.members[i].offset += 8;
      CHECK_THAT(why_not(moved), Containing("built in a way that is not known"));
      FakeTypes missing(version);
      missing.members[i].name = "co_other";
      CHECK_THAT(why_not(missing), Containing("built in a way that is not known"));
    }
    FakeTypes none(version);
    none.code[30] = 0;
    CHECK_THAT(why_not(none), Containing("built in a way that is not known"));
  }
  SECTION("texts or byte strings of another size") {
    FakeTypes types(version);
    types.text[4] -= 8;
    CHECK_THAT(why_not(types), Containing("built in a way that is not known"));
    FakeTypes others(version);
    others.bytes[4] += 8;
    CHECK_THAT(why_not(others), Containing("built in a way that is not known"));
  }
}

}  // namespace
}  // namespace lapscope::python_frames
