#include "collector/decode/nvtx_ranges.h"

#include "tests/catch.h"

namespace lapscope::decode {
namespace {

schema::NvtxRow range(std::int64_t id, std::int64_t start) {
  schema::NvtxRow row;
  row.rangeId = id;
  row.start = start;
  row.globalTid = 7;
  return row;
}

// Writes the open ranges under rowid 41. Returns their number.
int written_open(NvtxRanges& ranges) {
  int count = 0;
  ranges.write_open([&count](const schema::NvtxRow& row) -> std::int64_t {
    CHECK_FALSE(row.end.has_value());
    ++count;
    return 41;
  });
  return count;
}

TEST_CASE("a range is whole once both ends are known in either order", "[decode]") {
  NvtxRanges ranges;
  CHECK_FALSE(ranges.start(range(1, 100)).has_value());
  CHECK_FALSE(ranges.end(2, {400, 7}).has_value());
  const auto second = ranges.start(range(2, 300));
  const auto first = ranges.end(1, {200, 7});
  REQUIRE(first.has_value());
  REQUIRE(second.has_value());
  CHECK(first->row.start == 100);
  CHECK(first->row.end == 200);
  CHECK(second->row.start == 300);
  CHECK(second->row.end == 400);
  CHECK(written_open(ranges) == 0);
  CHECK(ranges.unmatched_ends() == 0);
}

TEST_CASE("an id can be used again after its range has ended", "[decode]") {
  NvtxRanges ranges;
  ranges.start(range(1, 100));
  ranges.end(1, {200, 7});
  CHECK_FALSE(ranges.start(range(1, 300)).has_value());
  CHECK(ranges.end(1, {400, 7})->row.start == 300);
}

TEST_CASE("an open range is written once, and its end tells where", "[decode]") {
  NvtxRanges ranges;
  ranges.start(range(1, 100));
  CHECK(written_open(ranges) == 1);
  CHECK(written_open(ranges) == 0);
  const auto closed = ranges.end(1, {200, 7});
  REQUIRE(closed.has_value());
  CHECK(closed->written_open == 41);
  CHECK(closed->row.end == 200);
}

TEST_CASE("ends without a beginning are counted", "[decode]") {
  NvtxRanges ranges;
  CHECK_FALSE(ranges.end(9, {200, 7}).has_value());
  CHECK(ranges.unmatched_ends() == 1);
}

TEST_CASE("domains are numbered from 1 and the unnamed one is 0", "[decode]") {
  NvtxRanges ranges;
  bool is_new = true;
  CHECK(ranges.domain("", is_new) == 0);
  CHECK_FALSE(is_new);
  CHECK(ranges.domain("a", is_new) == 1);
  CHECK(is_new);
  CHECK(ranges.domain("b", is_new) == 2);
  CHECK(is_new);
  CHECK(ranges.domain("a", is_new) == 1);
  CHECK_FALSE(is_new);
}

}  // namespace
}  // namespace lapscope::decode
