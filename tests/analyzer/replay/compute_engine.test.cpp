#include "analyzer/replay/compute_engine.h"

#include "tests/analyzer/support/graph_tables.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// A device full of kernels that are ready in the order in which they are named.
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
        engine_(graph_) {}

  void enqueue(std::string_view name) { engine_.enqueue(task(name), ++now_); }
  void leave(std::string_view name) { engine_.leave(task(name)); }
  // The kernels that go ahead now, in their order.
  std::string admitted() {
    std::string names;
    for (std::uint32_t t = engine_.admit(); t != no_index; t = engine_.admit()) {
      names += test::name_of(program_, graph_, t);
    }
    return names;
  }

 private:
  std::uint32_t task(std::string_view name) const { return test::task_of(program_, graph_, name); }
  const test::Program program_;
  const Graph graph_;
  ComputeEngine engine_;
  std::int64_t now_ = 0;
};

TEST_CASE("kernels go ahead while their first block finds room") {
  Queue queue("A = fills 60\nB = fills 60\nC = fills 10");
  queue.enqueue("A");
  queue.enqueue("B");
  queue.enqueue("C");
  REQUIRE(queue.admitted() == "AB");  // together they take it all
  queue.leave("A");
  REQUIRE(queue.admitted() == "C");
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

TEST_CASE("a kernel of many waves leaves room to streams of higher priority only") {
  Queue queue("A = fills 300\nB = fills 10\nD = fills 10");
  queue.enqueue("A");
  REQUIRE(queue.admitted() == "A");
  queue.enqueue("B");
  REQUIRE(queue.admitted().empty());
  queue.enqueue("D");
  REQUIRE(queue.admitted() == "D");
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
