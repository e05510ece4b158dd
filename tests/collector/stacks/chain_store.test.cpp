#include "collector/stacks/chain_store.h"

#include <thread>
#include <vector>

#include "tests/catch.h"

namespace lapscope::stacks {
namespace {

std::vector<Frame> chain_of(std::uint64_t first, std::size_t count) {
  std::vector<Frame> frames;
  for (std::size_t i = 0; i < count; ++i) frames.push_back({first + i, 1, 0});
  return frames;
}

TEST_CASE("equal stacks are one chain", "[stacks]") {
  ChainStore store(100, 1000);
  const auto number = store.add(chain_of(10, 5));
  CHECK(number != 0);
  CHECK(store.add(chain_of(10, 5)) == number);
  CHECK(store.add(chain_of(10, 4)) != number);
  CHECK(store.add(chain_of(11, 5)) != number);
  const auto kept = store.chain(number);
  const auto added = chain_of(10, 5);
  CHECK(std::vector<Frame>(kept.begin(), kept.end()) == added);
}

TEST_CASE("the same addresses in another module are another chain", "[stacks]") {
  ChainStore store(100, 1000);
  const Frame one{42, 1, 0};
  const Frame other{42, 2, 0};
  const Frame line{42, 1, 7};
  CHECK(store.add(std::span(&one, 1)) != store.add(std::span(&other, 1)));
  CHECK(store.add(std::span(&one, 1)) != store.add(std::span(&line, 1)));
}

TEST_CASE("a full store says so and keeps what it has", "[stacks]") {
  SECTION("of chains") {
    ChainStore store(3, 1000);
    for (std::uint64_t first = 1; first <= 3; ++first) CHECK(store.add(chain_of(first, 2)) != 0);
    CHECK(store.add(chain_of(4, 2)) == 0);
    CHECK(store.add(chain_of(2, 2)) != 0);
  }
  SECTION("of frames") {
    ChainStore store(100, 10);
    CHECK(store.add(chain_of(1, 8)) != 0);
    CHECK(store.add(chain_of(100, 4)) == 0);
    CHECK(store.add(chain_of(200, 2)) != 0);
    CHECK(store.add(chain_of(1, 8)) != 0);
  }
}

TEST_CASE("threads that add the same stacks get the same numbers", "[stacks]") {
  constexpr std::size_t stacks = 2000;
  ChainStore store(20'000, 200'000);
  std::vector<std::vector<std::uint32_t>> numbers(8, std::vector<std::uint32_t>(stacks));
  std::vector<std::thread> threads;
  for (auto& own : numbers) {
    threads.emplace_back([&own, &store] {
      for (std::size_t i = 0; i < stacks; ++i) own[i] = store.add(chain_of(i * 100, 3 + i % 5));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& own : numbers) CHECK(own == numbers[0]);
  for (std::size_t i = 0; i < stacks; ++i) {
    REQUIRE(numbers[0][i] != 0);
    const auto kept = store.chain(numbers[0][i]);
    CHECK(std::vector<Frame>(kept.begin(), kept.end()) == chain_of(i * 100, 3 + i % 5));
  }
}

}  // namespace
}  // namespace lapscope::stacks
