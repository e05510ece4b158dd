#include "tests/catch.h"
#include "workloads/harness/guard.h"
#include "workloads/scan/streamed/plan.h"

namespace lapscope::workloads::scan {
namespace {

TEST_CASE("chunks cover the array without gaps, and take turns", "[scan]") {
  const auto chunks = plan_chunks(10, 4, 2);
  REQUIRE(chunks.size() == 3);
  std::uint64_t next = 0;
  for (const Chunk& chunk : chunks) {
    REQUIRE(chunk.offset == next);
    REQUIRE(chunk.lane == chunk.index % 2);
    next += chunk.count;
  }
  REQUIRE(next == 10);
  REQUIRE(chunks.back().count == 2);
  REQUIRE(chunks.back().label == "chunk 2");
}

TEST_CASE("an array of whole chunks has no short one, and an empty one has none", "[scan]") {
  REQUIRE(plan_chunks(8, 4, 3).size() == 2);
  REQUIRE(plan_chunks(8, 4, 3).back().count == 4);
  REQUIRE(plan_chunks(0, 4, 3).empty());
}

TEST_CASE("a streamed scan takes two arrays on the host and a chunk for each stream", "[scan]") {
  constexpr std::uint64_t mib = 1 << 20;
  StreamedOptions options{.n = 64 * mib / 4, .streams = 3, .chunk_mib = 16};
  REQUIRE(memory_for(options).host_bytes == 128 * mib + memory_of_cuda);
  REQUIRE(memory_for(options).device_bytes == 48 * mib + memory_of_cuda);
  options.variant = StreamedVariant::one_stream;
  REQUIRE(memory_for(options).device_bytes == 16 * mib + memory_of_cuda);
  options.n = 4 * mib / 4;
  REQUIRE(memory_for(options).device_bytes == 4 * mib + memory_of_cuda);
}

TEST_CASE("the variants of the streamed scan differ only in where the work is put", "[scan]") {
  REQUIRE(layout_of(StreamedVariant::one_stream, 3).streams == 1);
  const StreamedLayout broken = layout_of(StreamedVariant::legacy_carry, 3);
  REQUIRE(broken.carry_in_default_stream);
  REQUIRE(broken.kind == StreamKind::blocking);
  const StreamedLayout fixed = layout_of(StreamedVariant::overlapped, 3);
  REQUIRE_FALSE(fixed.carry_in_default_stream);
  REQUIRE(fixed.kind == StreamKind::non_blocking);
  for (const auto variant :
       {StreamedVariant::one_stream, StreamedVariant::legacy_carry, StreamedVariant::overlapped}) {
    REQUIRE(parse_streamed_variant(name_of(variant)) == variant);
  }
  REQUIRE_THROWS_AS(parse_streamed_variant("fast"), UsageError);
}

}  // namespace
}  // namespace lapscope::workloads::scan
