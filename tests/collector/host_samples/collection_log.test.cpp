#include "collector/host_samples/collection_log.h"

#include <vector>

#include "tests/catch.h"

namespace lapscope::host_samples {
namespace {

using callbacks::Collections;
using python_frames::GarbageCollections;

struct Log {
  callbacks::EventQueue events;
  CollectionLog log{events};

  std::vector<Collections> add(const GarbageCollections& seen, std::int64_t now,
                               std::int64_t monotonic = 0) {
    log.add(seen, now, monotonic);
    std::vector<Collections> told;
    for (const callbacks::Event& event : events.take())
      told.push_back(std::get<Collections>(event));
    return told;
  }
};

GarbageCollections counts(std::int64_t young, std::int64_t middle, std::int64_t old) {
  GarbageCollections seen;
  seen.of[0].count = young;
  seen.of[1].count = middle;
  seen.of[2].count = old;
  return seen;
}

TEST_CASE("what was collected before the first look is not told", "[host-samples]") {
  Log log;
  CHECK(log.add(counts(100, 10, 1), 5'000).empty());
  CHECK(log.add(counts(100, 10, 1), 6'000).empty());
}

TEST_CASE("collections are told with the two looks between which they ended", "[host-samples]") {
  Log log;
  log.add(counts(100, 10, 1), 5'000);
  const auto told = log.add(counts(103, 10, 2), 6'000);
  REQUIRE(told.size() == 2);
  CHECK(told[0].generation == 0);
  CHECK(told[0].count == 3);
  CHECK(told[0].after == 5'000);
  CHECK(told[0].by == 6'000);
  CHECK(told[0].end == 0);
  CHECK(told[1].generation == 2);
  CHECK(told[1].count == 1);
}

TEST_CASE("those of which the interpreter keeps the times have them, the others are counted",
          "[host-samples]") {
  Log log;
  log.add(counts(100, 10, 1), 5'000, 500);
  GarbageCollections seen = counts(105, 10, 1);
  seen.of[0].known[0] = {99, 410, 420};  // before the interval
  seen.of[0].known[1] = {104, 800, 850};
  seen.of[0].known[2] = {105, 900, 990};
  seen.of[0].known[3] = {106, 995, 2'000};  // impossible times
  const auto told = log.add(seen, 6'000, 1'500);
  REQUIRE(told.size() == 3);
  CHECK(told[0].begin == 5'300);
  CHECK(told[0].end == 5'350);
  CHECK(told[0].count == 1);
  CHECK(told[1].end == 5'490);
  CHECK(told[2].count == 3);
  CHECK(told[2].end == 0);
}

}  // namespace
}  // namespace lapscope::host_samples
