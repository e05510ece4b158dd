#include "collector/python_frames/debug_offsets.h"

#include <vector>

#include "tests/catch.h"
#include "tests/collector/python_frames/fake_release.h"

namespace lapscope::python_frames {
namespace {

std::optional<Layout> read(const std::vector<std::uint64_t>& runtime, std::uint32_t version) {
  return layout_of(std::as_bytes(std::span(runtime)), version);
}

TEST_CASE("an interpreter's own list has the offsets that its headers have", "[python]") {
  for (const test::FakeRelease& release : test::fake_releases()) {
    CAPTURE(release.name());
    CHECK(has_debug_offsets(release.version >> 16) == !release.words.empty());
    const auto layout = read(release.runtime(), release.version);
    CHECK(layout.has_value() == !release.words.empty());
    if (!layout) continue;
    CHECK(layout->is_free_threaded == release.is_free_threaded);
    CHECK(layout->object.type == release.object_type);
    CHECK(layout->object.size == release.object_size);
    CHECK(layout->thread.frame == release.thread_frame);
    CHECK(layout->thread.thread_id == release.thread_id);
    CHECK(layout->frame.instruction == release.frame_instruction);
    CHECK(layout->frame.owner == release.frame_owner);
    CHECK(layout->frame.copy == release.frame_copy);
    CHECK(layout->code.flags == release.co_flags);
    CHECK(layout->code.version == release.co_version);
    CHECK(layout->code.first_traceable == release.co_firsttraceable);
    CHECK(layout->code.copies == release.co_tlbc);
    CHECK(layout->code.instructions == release.co_code);
    CHECK(layout->text.state == release.text_state);
    CHECK(layout->text.compact_data == release.ascii_size + 16);
    CHECK(layout->collector.collecting == release.gc_collecting);
    CHECK(layout->collector.counts == release.gc_counts);
    CHECK(layout->collector.records == release.gc_records);
    CHECK(layout->collector.thread_status == release.thread_status);
  }
}

TEST_CASE("a list without its mark, of another version, cut off or absurd is none", "[python]") {
  const test::FakeRelease& release = test::fake_release(0x030e);
  const std::vector<std::uint64_t> right = release.runtime();
  REQUIRE(read(right, release.version));
  std::vector<std::uint64_t> wrong = right;
  wrong[0] ^= 1;
  CHECK_FALSE(read(wrong, release.version));
  CHECK_FALSE(read(right, release.version + 0x100));
  CHECK_FALSE(read({}, release.version));
  wrong = right;
  wrong.resize(60);
  CHECK_FALSE(read(wrong, release.version));
  for (std::size_t word = 11; word < 80; ++word) {
    wrong = right;
    wrong[word] = ~0ull;
    if (const auto layout = read(wrong, release.version)) {
      CHECK(layout->code.instructions == release.co_code);  // this word is not used
    }
  }
  // In a frame, `owner` must lie after all other members that lapscope reads. In the list `wrong`,
  // it lies before them.
  wrong = right;
  wrong[36] = 8;
  CHECK_FALSE(read(wrong, release.version));
}

}  // namespace
}  // namespace lapscope::python_frames
