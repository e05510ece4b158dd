#include "collector/python_frames/snapshot.h"

#include <sys/mman.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::python_frames {
namespace {

// Two pages, of which the second one is not there.
class Edge {
 public:
  Edge()
      : memory_(static_cast<std::byte*>(::mmap(nullptr, 2 * page_size, PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    ::munmap(memory_ + page_size, page_size);
    std::memset(memory_, 7, page_size);
  }
  ~Edge() { ::munmap(memory_, page_size); }
  std::uintptr_t end() const { return reinterpret_cast<std::uintptr_t>(memory_) + page_size; }

 private:
  std::byte* memory_;
};

Place place_of(const std::vector<int>& values) {
  return {reinterpret_cast<std::uintptr_t>(values.data()),
          static_cast<std::uint32_t>(values.size() * sizeof(int))};
}

TEST_CASE("memory is copied up to the first place that cannot be read", "[python]") {
  const Edge edge;
  const std::vector<int> one(10, 1), other(10, 2);
  std::vector<std::byte> to(4096);
  const Place bad[] = {{edge.end() - 4, 8},
                       {edge.end(), 8},
                       {0, 8},
                       {8, 8},
                       {0x0000800000000000, 8},
                       {0x7fffffffffff, 8},
                       {0xffff800000000000, 8},
                       {~std::uintptr_t{0} - 3, 8}};
  for (const Place& place : bad) {
    const Place places[] = {place_of(one), place, place_of(other)};
    CHECK(copy_memory(places, to) == 1);
    CHECK(value_in<int>(to.data(), 36) == 1);
    const Place bad_first[] = {place, place_of(one)};
    CHECK(copy_memory(bad_first, to) == 0);
  }
}

TEST_CASE("more places than one call takes", "[python]") {
  std::vector<int> values(1000);
  std::vector<Place> places;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int>(i);
    places.push_back({reinterpret_cast<std::uintptr_t>(&values[i]), sizeof(int)});
  }
  std::vector<std::byte> to(4000);
  REQUIRE(copy_memory(places, to) == 1000);
  CHECK(value_in<int>(to.data(), 999 * sizeof(int)) == 999);
  CHECK(copy_memory(places, std::span(to).first(398)) == 99);
  const Edge edge;
  places[700] = {edge.end(), 4};
  CHECK(copy_memory(places, to) == 700);
}

TEST_CASE("a snapshot is of now, also where the walk before has read the same", "[python]") {
  const auto snapshot = std::make_unique<Snapshot>();
  std::vector<int> values(10, 1);
  const Place place = place_of(values);
  for (int round = 1; round < 5; ++round) {
    values[3] = round;
    snapshot->begin();
    const std::byte* read = snapshot->at(place.address, place.size);
    REQUIRE(read);
    CHECK(value_in<int>(read, 12) == round);
    const std::byte* part = snapshot->at(place.address + 12, 4);
    REQUIRE(part);
    CHECK(value_in<int>(part, 0) == round);
  }
}

TEST_CASE("what has gone since the walk before is not there, and the rest is", "[python]") {
  const auto snapshot = std::make_unique<Snapshot>();
  const std::vector<int> values(10, 1);
  std::uintptr_t gone;
  {
    const Edge edge;
    gone = edge.end() - 16;
    snapshot->begin();
    CHECK(snapshot->at(gone, 16));
    CHECK(snapshot->at(place_of(values).address, 4));
  }
  snapshot->begin();
  CHECK_FALSE(snapshot->at(gone, 16));
  CHECK(snapshot->at(place_of(values).address, 4));
}

TEST_CASE("what is in front is fetched no further than the page", "[python]") {
  const auto snapshot = std::make_unique<Snapshot>();
  const Edge edge;
  snapshot->begin();
  CHECK(snapshot->at(edge.end() - page_size + 8, 8, 2048));
  CHECK(snapshot->at(edge.end() - 8, 8, 2048));
  CHECK_FALSE(snapshot->at(edge.end() - 4, 8, 2048));
}

TEST_CASE("more than a snapshot has room for cannot be read", "[python]") {
  const auto snapshot = std::make_unique<Snapshot>();
  const std::vector<int> values(100'000, 3);
  snapshot->begin();
  CHECK_FALSE(snapshot->at(place_of(values).address, 400'000));
  std::size_t read = 0;
  for (std::uint32_t i = 0; i < 100'000 - 64; i += 64) {
    read += snapshot->at(place_of(values).address + i * 4, 256) ? 256u : 0u;
  }
  CHECK(read == 96 * 1024);
  snapshot->begin();
  CHECK(snapshot->at(place_of(values).address, 256));
}

TEST_CASE("a forked child reads its own memory and writes nobody else's", "[python]") {
  const auto snapshot = std::make_unique<Snapshot>();
  std::vector<int> values(10, 1);
  const Place place = place_of(values);
  snapshot->begin();
  const std::byte* const read = snapshot->at(place.address, place.size);
  test::Child child([&] {
    std::fill(values.begin(), values.end(), 2);
    snapshot->begin();
    const std::byte* mine = snapshot->at(place.address, place.size);
    return mine && value_in<int>(mine, 0) == 2 ? 0 : 1;
  });
  CHECK(child.wait().exit_status == 0);
  CHECK(value_in<int>(read, 0) == 1);
}

}  // namespace
}  // namespace lapscope::python_frames
