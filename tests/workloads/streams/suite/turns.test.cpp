#include "workloads/streams/suite/turns.h"

#include <thread>
#include <vector>

#include "tests/catch.h"

namespace lapscope::workloads::streams {
namespace {

TEST_CASE("three threads take their turns in order", "[streams]") {
  Turns turns;
  std::vector<std::size_t> taken;
  std::vector<std::thread> threads;
  // The threads start in the wrong order on purpose.
  for (const std::size_t first : {2U, 1U, 0U}) {
    threads.emplace_back([&, first] {
      for (std::size_t turn = first; turn < 30; turn += 3) {
        const Turns::Turn mine = turns.take(turn);
        taken.push_back(turn);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  REQUIRE(taken.size() == 30);
  for (std::size_t turn = 0; turn < taken.size(); ++turn) REQUIRE(taken[turn] == turn);
}

}  // namespace
}  // namespace lapscope::workloads::streams
