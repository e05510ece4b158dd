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
  CHECK(chosen.layout.has_value() == chosen.why_not.empty());
  return chosen.why_not;
}

FakeTypes types_of(std::uint32_t version) {
  FakeTypes types(test::fake_release(version >> 16));
  types.version = version;
  if (!types.runtime.empty()) types.runtime[1] = version;
  return types;
}

TEST_CASE("final releases have a layout, the same in all of them", "[python]") {
  for (const std::uint32_t version : {0x030a00f0u, 0x030b00f0u, 0x030b02f0u, 0x030b0ef0u,
                                      0x030c00f0u, 0x030c0af0u, 0x030d00f0u, 0x030e04f0u}) {
    const auto chosen = choose_layout(types_of(version).exported());
    REQUIRE(chosen.layout);
    CHECK(chosen.layout->release == version >> 16);
  }
}

TEST_CASE("other releases are not supported, and by name", "[python]") {
  FakeTypes types = types_of(0x030c00f0);
  const auto refused = [&types](std::uint32_t version) {
    types.version = version;
    return why_not(types);
  };
  CHECK_THAT(refused(0x031000f0), Containing("Python 3.16.0"));
  CHECK_THAT(refused(0x030900f0), Containing("Python 3.9.0"));
  CHECK_THAT(refused(0x030c00c2), Containing("not a final release"));
  CHECK_THAT(why_not(types_of(0x030e00b1)), Containing("not a final release"));
}

TEST_CASE("an interpreter whose objects are others is not supported", "[python]") {
  const auto number = GENERATE(range(std::size_t{0}, test::fake_releases().size()));
  const test::FakeRelease& release = test::fake_releases()[number];
  CAPTURE(release.name());
  SECTION("objects with a longer head, as of debug builds") {
    FakeTypes types(release);
    for (auto* type : {&types.type, &types.code, &types.text, &types.bytes}) {
      std::swap(types.type_of(*type), (*type)[60]);
    }
    CHECK_THAT(why_not(types), Containing("built in a way that is not known"));
  }
  SECTION("code objects of another size") {
    FakeTypes types(release);
    types.basic_size(types.code) += 8;
    CHECK_THAT(why_not(types), Containing("built in a way that is not known"));
  }
  SECTION("code objects whose parts are elsewhere, or not listed") {
    for (std::size_t i = 1; i < 7; ++i) {
      if (i == (release.has_instructions() ? 3u : 4u)) continue;  // a name that is not read
      FakeTypes moved(release);
      moved.members[i].offset += 8;
      CHECK_THAT(why_not(moved), Containing("built in a way that is not known"));
      FakeTypes missing(release);
      missing.members[i].name = "co_other";
      CHECK_THAT(why_not(missing), Containing("built in a way that is not known"));
    }
    FakeTypes none(release);
    none.list_of_members() = 0;
    CHECK_THAT(why_not(none), Containing("built in a way that is not known"));
  }
  SECTION("texts or byte strings of another size") {
    FakeTypes types(release);
    types.basic_size(types.text) -= 8;
    CHECK_THAT(why_not(types), Containing("built in a way that is not known"));
    FakeTypes others(release);
    others.basic_size(others.bytes) += 8;
    CHECK_THAT(why_not(others), Containing("built in a way that is not known"));
  }
}

}  // namespace
}  // namespace lapscope::python_frames
