#include "collector/cupti/record_view.h"

#include <array>
#include <cstdint>
#include <vector>

#include "tests/catch.h"

namespace lapscope::cupti {
namespace {

struct Grown {
  std::uint32_t kind;
  std::uint32_t id;
  std::uint64_t time;
  std::uint64_t added_later;
};

constexpr Grown written{1, 2, 3, 4};
constexpr std::size_t first_version = offsetof(Grown, added_later);

TEST_CASE("a record of today's size is read whole", "[cupti]") {
  const RecordView<Grown> view(&written, sizeof written);
  CHECK(view->kind == 1);
  CHECK(view->time == 3);
  CHECK(view->added_later == 4);
  CHECK(view.has(&Grown::kind));
  CHECK(view.has(&Grown::added_later));
}

TEST_CASE("what a shorter record lacks reads 0 and is known to be absent", "[cupti]") {
  const RecordView<Grown> view(&written, first_version);
  CHECK(view->id == 2);
  CHECK(view->time == 3);
  CHECK(view->added_later == 0);
  CHECK(view.has(&Grown::time));
  CHECK_FALSE(view.has(&Grown::added_later));
}

TEST_CASE("a member that is cut in two is absent", "[cupti]") {
  const RecordView<Grown> view(&written, first_version + 4);
  CHECK_FALSE(view.has(&Grown::added_later));
}

TEST_CASE("the tail of a longer record is ignored", "[cupti]") {
  std::array<std::uint64_t, 8> memory{};
  std::memcpy(memory.data(), &written, sizeof written);
  memory.back() = ~std::uint64_t{0};
  const RecordView<Grown> view(memory.data(), sizeof memory);
  CHECK(view->added_later == 4);
  CHECK(view.has(&Grown::added_later));
}

TEST_CASE("a shorter record is not read beyond its end", "[cupti]") {
  // In heap memory, a sanitizer detects a read beyond the end.
  std::vector<std::uint8_t> memory(first_version);
  std::memcpy(memory.data(), &written, memory.size());
  const RecordView<Grown> view(memory.data(), memory.size());
  CHECK(view->time == 3);
}

}  // namespace
}  // namespace lapscope::cupti
