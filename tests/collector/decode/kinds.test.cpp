#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "collector/decode/kinds.h"
#include "tests/collector/support/heap.h"
#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

bool is_recorded(CUpti_ActivityKind id) {
  for (const Kind& kind : recorded_kinds()) {
    if (kind.id == id) return true;
  }
  return false;
}

TEST_CASE("the kind that serializes all kernels is never recorded", "[decode]") {
  CHECK_FALSE(is_recorded(CUPTI_ACTIVITY_KIND_KERNEL));
  CHECK(is_recorded(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
}

TEST_CASE("the kind that turns lazy loading of modules off is never recorded", "[decode]") {
  CHECK_FALSE(is_recorded(CUPTI_ACTIVITY_KIND_PCIE));
}

TEST_CASE("what changes other records or only costs is recorded only on request", "[decode]") {
  CHECK_FALSE(is_recorded(CUPTI_ACTIVITY_KIND_MEMORY));
  const std::set<int> extra = {CUPTI_ACTIVITY_KIND_GRAPH_TRACE, CUPTI_ACTIVITY_KIND_MEMORY2,
                               CUPTI_ACTIVITY_KIND_MEMORY_POOL,
                               CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER, CUPTI_ACTIVITY_KIND_JIT};
  for (const Kind& kind : recorded_kinds()) {
    INFO(kind.name);
    CHECK(is_default(kind) != extra.contains(kind.id));
  }
}

TEST_CASE("every recorded kind has a number and name and decoder of its own", "[decode]") {
  std::set<int> ids;
  std::set<std::string> names;
  std::set<DecodeRecord> decoders;
  for (const Kind& kind : recorded_kinds()) {
    INFO(kind.name);
    CHECK(ids.insert(kind.id).second);
    CHECK(names.emplace(kind.name).second);
    CHECK(decoders.insert(kind.decode).second);
  }
}

TEST_CASE("libcupti knows every recorded kind", "[decode]") {
  for (const Kind& kind : recorded_kinds()) {
    INFO(kind.name);
    CHECK(cupti::probe_record_size(test::real_cupti(), kind.id) > 0);
  }
}

using test::heap_in_use;
using test::OverheadRecord;

constexpr std::size_t room = 100'000;
constexpr std::size_t count = 100;

// Makes a buffer with records that point to memory. The reader must free this memory, as with
// CUPTI.
test::ActivityBuffer buffer_with_data(const cupti::CuptiApi& cupti) {
  test::ActivityBuffer buffer(cupti);
  for (std::size_t i = 0; i < count; ++i) {
    auto record = test::make_record<OverheadRecord>(CUPTI_ACTIVITY_KIND_OVERHEAD);
    record.overheadKind = CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL;
    record.start = test::cupti_time(10);
    record.end = test::cupti_time(20);
    record.overheadData = std::malloc(room);
    std::memset(record.overheadData, 0, room);
    buffer.add(record);
  }
  return buffer;
}

TEST_CASE("records are counted and keep what they own", "[decode]") {
  const cupti::CuptiApi& cupti = test::real_cupti();
  const std::size_t before = heap_in_use();
  auto buffer = buffer_with_data(cupti);
  CHECK(count_records(buffer.data(), buffer.size(), cupti) == count);
  CHECK(heap_in_use() > before + count * room / 2);
  CHECK(discard(buffer.data(), buffer.size(), cupti) == count);
  CHECK(heap_in_use() < before + count * room / 2);
}

//   interval               |----
//   records  [dropped]
TEST_CASE("records that are not kept are freed", "[decode]") {
  request::Capture capture;
  capture.delay = std::chrono::seconds(1);
  test::SyntheticTrace trace(capture);
  const std::size_t before = heap_in_use();
  auto buffer = buffer_with_data(test::real_cupti());
  trace.decode(buffer);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_OVERHEAD).outside == count);
  CHECK(heap_in_use() < before + count * room / 2);
}

}  // namespace

}  // namespace lapscope::decode
