#include "collector/python_frames/garbage_collections.h"

#include <vector>

#include "collector/python_frames/python_frames.h"
#include "tests/catch.h"
#include "tests/collector/python_frames/fake_python.h"

namespace lapscope::python_frames {
namespace {

using test::FakePython;

TEST_CASE("collections are counted by generation", "[python]") {
  for (const test::FakeRelease& release : test::fake_releases()) {
    CAPTURE(release.name());
    if (release.gc_counts == 0) continue;
    FakePython python(release);
    for (std::size_t i = 0; i < 3; ++i) {
      python.count_collections(i, static_cast<std::int64_t>(100 - i));
    }
    PythonFrames frames(python.interpreter());
    const auto seen = frames.garbage_collections(OwnProcess());
    REQUIRE(seen);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(seen->of[i].count == static_cast<std::int64_t>(100 - i));
      CHECK(seen->of[i].known[0].number == 0);
    }
  }
}

// Records of garbage collections: a begin, an end, a number and five other words.
struct Records {
  Records() {
    words[8] = 10, words[9] = 12, words[10] = 6;    // the youngest generation
    words[16] = 20, words[17] = 23, words[18] = 7;  //
    words[89] = 30, words[90] = 39, words[91] = 2;  // behind the index of its generation
    words[114] = 40, words[115] = 55, words[116] = 1;
    words[139] = 8;  // changes
    python.at<std::uint64_t>(python.interpreter_state() + release.gc_records) =
        reinterpret_cast<std::uint64_t>(words.data());
  }
  const test::FakeRelease& release = test::fake_release(0x030f);
  FakePython python{release};
  PythonFrames frames{python.interpreter()};
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(140);
};

TEST_CASE("an interpreter that keeps begins and ends of collections tells them", "[python]") {
  Records records;
  const auto seen = records.frames.garbage_collections(OwnProcess());
  REQUIRE(seen);
  CHECK(seen->of[0].count == 7);
  CHECK(seen->of[1].count == 2);
  CHECK(seen->of[2].count == 1);
  CHECK(seen->of[0].known[1].number == 6);
  CHECK(seen->of[0].known[2].begin == 20);
  CHECK(seen->of[0].known[2].end == 23);
  CHECK(seen->of[1].known[0].end == 39);
  CHECK(seen->of[2].known[0].begin == 40);
  CHECK(seen->of[2].known[1].number == 0);
}

TEST_CASE("records that change while they are read, or are not there, tell nothing", "[python]") {
  Records records;
  records.words[139] = 9;
  CHECK_FALSE(records.frames.garbage_collections(OwnProcess()));
  records.words[139] = 10;
  CHECK(records.frames.garbage_collections(OwnProcess()));
  records.python.at<std::uint64_t>(records.python.interpreter_state() +
                                   records.release.gc_records) = 8;
  CHECK_FALSE(records.frames.garbage_collections(OwnProcess()));
}

}  // namespace
}  // namespace lapscope::python_frames
