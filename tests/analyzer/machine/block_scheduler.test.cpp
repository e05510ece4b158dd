#include "analyzer/machine/block_scheduler.h"

#include "analyzer/model/assumptions.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Kernels that wait for room on a full device, in the order of their names.
class Queue {
 public:
  explicit Queue(std::string_view legend)
      : program_(
            "thread 1            abcd....\n"
            "stream 1            .A......\n"
            "stream 2            ..B.....\n"
            "stream 3            ...C....\n"
            "stream 4 priority -1 ....D...\n" +
            std::string(legend)),
        graph_(test::graph_of(program_.trace)),
        scheduler_(graph_, workload_of(graph_, graph_)) {}

  void enqueue(std::string_view name) { scheduler_.enqueue(task(name), ++now_); }
  void pass(std::int64_t ns) { now_ += ns; }
  bool starts_with_all_room(std::string_view name) { return scheduler_.start(task(name), now_); }
  // Returns the time from now until the scheduler looks for room again.
  std::int64_t look_again_in() const { return scheduler_.look_again(now_) - now_; }
  std::string crowded() {
    std::string names;
    for (const std::uint32_t t : scheduler_.take_crowded()) {
      names += test::name_of(program_, graph_, t);
    }
    return names;
  }
  // Forbids kernels with the shape of `kernel` to start beside kernels with the shape of `holder`.
  void keep_out(std::string_view kernel, std::string_view holder) {
    graph_.kept_out.push_back(
        {graph_.tasks[task(kernel)].geometry, graph_.tasks[task(holder)].geometry});
  }
  void leave(std::string_view name) { scheduler_.leave(task(name)); }
  // Returns the kernels that start now, in their order.
  std::string admitted() {
    std::string names;
    while (true) {
      const std::uint32_t t = scheduler_.admit(now_).task;
      if (t == no_index) break;
      names += test::name_of(program_, graph_, t);
    }
    return names;
  }

 private:
  std::uint32_t task(std::string_view name) const { return test::task_of(program_, graph_, name); }
  const test::Program program_;
  Graph graph_;
  BlockScheduler scheduler_;
  std::int64_t now_ = 0;
};

TEST_CASE("kernels go ahead while their first block finds room") {
  Queue queue("A = fills 60\nB = fills 60\nC = fills 10");
  queue.enqueue("A");
  queue.enqueue("B");
  queue.enqueue("C");
  REQUIRE(queue.admitted() == "AB");  // together A and B fill the device
  queue.leave("A");
  REQUIRE(queue.admitted() == "C");
}

// The kernels share a stream, but the test decides when each is ready.
TEST_CASE("no more kernels run at once than a GPU holds, however little room each takes") {
  constexpr std::uint32_t count = 200;
  MachineParameters machine;
  machine.uses.resize(1);
  machine.uses[0].covers = 0.001F;
  machine.traits.resize(1);
  std::vector<Task> tasks(count);
  for (Task& task : tasks) task.geometry = 0;
  const std::vector<Lengths> lengths(count);
  const std::vector<CallLoad> calls;
  const std::vector<GraphStream> streams(1);
  const std::vector<Rank> ranks;
  const std::vector<CollectiveRanks> collectives;
  const Workload work{tasks, lengths, calls, streams, ranks, collectives};
  BlockScheduler scheduler(machine, work);
  for (std::uint32_t t = 0; t < count; ++t) scheduler.enqueue(t, t);
  std::uint32_t running = 0;
  while (scheduler.admit(count).task != no_index) ++running;
  CHECK(running == assumed::kernels_at_once);
  scheduler.leave(7);
  CHECK(scheduler.admit(count).task == assumed::kernels_at_once);
  CHECK(scheduler.admit(count).task == no_index);
}

TEST_CASE("one that finds no room holds up those behind it") {
  Queue queue("A = fills 100\nB = fills 100\nC = fills 10");
  queue.enqueue("A");
  REQUIRE(queue.admitted() == "A");
  queue.enqueue("B");
  queue.enqueue("C");
  REQUIRE(queue.admitted().empty());
  queue.leave("A");
  REQUIRE(queue.admitted() == "B");
  queue.leave("B");
  REQUIRE(queue.admitted() == "C");
}

TEST_CASE("streams of a higher priority go first, though they became ready later") {
  Queue queue("ABCD = fills 100");
  queue.enqueue("A");
  REQUIRE(queue.admitted() == "A");
  queue.enqueue("B");
  queue.enqueue("D");
  queue.leave("A");
  REQUIRE(queue.admitted() == "D");
}

// A takes 10 us: three waves of 3,333 ns.
TEST_CASE("the next wave of a kernel waits for streams of higher priority, and for no other") {
  Queue queue("A = fills 300\nB = fills 10\nD = fills 10");
  queue.enqueue("A");
  REQUIRE(queue.admitted() == "A");
  queue.pass(2'000);
  queue.enqueue("B");
  REQUIRE(queue.admitted().empty());
  queue.enqueue("D");
  REQUIRE(queue.admitted().empty());
  REQUIRE(queue.look_again_in() == 3'333 - 2'002);
  queue.pass(3'333 - 2'002);
  REQUIRE(queue.admitted() == "D");
  REQUIRE(queue.starts_with_all_room("D"));
}

TEST_CASE("a kernel of higher priority goes first while blocks of another one are dealt out") {
  Queue queue("A = fills 100\nD = fills 10");
  queue.enqueue("A");
  REQUIRE(queue.admitted() == "A");
  REQUIRE(queue.starts_with_all_room("A"));
  SECTION("meanwhile") {
    queue.pass(assumed::dealing_out - 1);
    queue.enqueue("D");
    REQUIRE(queue.admitted() == "D");
    REQUIRE(queue.crowded() == "A");
    REQUIRE_FALSE(queue.starts_with_all_room("A"));
  }
  SECTION("later") {
    queue.pass(assumed::dealing_out);
    queue.enqueue("D");
    REQUIRE(queue.admitted().empty());
    REQUIRE(queue.crowded().empty());
  }
}

TEST_CASE("a kernel that another one keeps out waits for it, though there is room") {
  Queue queue("A = fills 80\nB = fills 10\nC = fills 10");
  queue.keep_out("B", "A");
  SECTION("unless its shape ran when the other one started") {
    queue.enqueue("C");
    queue.enqueue("A");
    REQUIRE(queue.admitted() == "CA");
    queue.leave("C");
    queue.enqueue("B");
    REQUIRE(queue.admitted() == "B");
  }
  SECTION("which started before") {
    queue.enqueue("A");
    REQUIRE(queue.admitted() == "A");
    queue.enqueue("B");
    REQUIRE(queue.admitted().empty());
    queue.leave("A");
    REQUIRE(queue.admitted() == "B");
  }
}

TEST_CASE("a kernel of unknown shape takes no room and needs none") {
  Queue queue("A = fills 100\nC = fills 100");
  queue.enqueue("A");
  queue.enqueue("B");
  REQUIRE(queue.admitted() == "AB");
  queue.enqueue("C");
  queue.leave("B");
  REQUIRE(queue.admitted().empty());
  queue.leave("A");
  REQUIRE(queue.admitted() == "C");
}

}  // namespace
}  // namespace lapscope::analyzer
