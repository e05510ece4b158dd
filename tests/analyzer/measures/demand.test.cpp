#include "analyzer/measures/demand.h"

#include <ctime>

#include "tests/analyzer/support/picture.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

// Returns the demands on a device with 100 multiprocessors.
Demands demands_of(Program& program, std::int64_t blocks_on_each = 32) {
  program.trace.devices[0].limits = {100, 32, blocks_on_each, blocks_on_each, 0, 0};
  return measure_demands(program.trace.devices[0], {});
}

// Returns the class of the kernel with this letter.
const KernelClass& class_of(const Program& program, const Demands& demands, std::string_view name) {
  for (std::size_t op = 0; op < program.ops[0].size(); ++op) {
    if (program.ops[0][op] == name) return demands.classes[demands.class_of[op]];
  }
  throw std::invalid_argument("no such op");
}

bool is_near(double a, double b) { return std::abs(a - b) < 1e-6; }

bool is_range(const Demand& demand, double least, double most) {
  return is_near(demand.least, least) && is_near(demand.most, most);
}

// A launch of A takes 4 characters alone, and 7 characters beside another launch of A. So both
// launches together demand 7/4 of the throughput.
TEST_CASE("the demand of a kernel follows from its length beside kernels of its own class") {
  Program program(R"(
    stream 1  AAAA.AAAA.AAAA.AAAAAAA.AAAAAAA
    stream 2  ...............AAAAAAA.AAAAAAA
  )");
  const Demands demands = demands_of(program);
  REQUIRE(demands.classes.size() == 1);
  const KernelClass& one = demands.classes[0];
  REQUIRE(one.is_fitted);
  REQUIRE(one.alone == 3);
  REQUIRE(one.beside == 4);
  REQUIRE(one.length_alone == 4 * program.unit);
  REQUIRE(is_range(one.demand, 0.875, 0.875));
}

// If two launches of A overlap, each takes 6 characters: 2 at full speed while it runs alone, and 4
// at half speed. A launch that is always alone takes 2 + 4 / 2 characters.
TEST_CASE("the demand is fitted to the part of the time in which kernels ran beside each other") {
  Program program(R"(
    stream 1  AAAA.AAAA.AAAA.AAAAAA...AAAAAA..
    stream 2  .................AAAAAA...AAAAAA
  )");
  REQUIRE(is_range(demands_of(program).classes[0].demand, 1, 1));
}

// Two launches of A at the same time do not slow each other down, but more than two could. So the
// demand is not fitted, and stays between 0 and 1.
TEST_CASE("if kernels of one class do not slow each other down, their demand is not known") {
  Program program(R"(
    stream 1  AAAA.AAAA.AAAA.AAAA.AAAA
    stream 2  ...............AAAA.AAAA
  )");
  const KernelClass one = demands_of(program).classes[0];
  REQUIRE_FALSE(one.is_fitted);
  REQUIRE(is_range(one.demand, 0, 1));
}

// Both kernels take longer side by side. The trace does not show how much each of them demands.
TEST_CASE("two kernels that were only seen beside each other are not fitted") {
  Program program(R"(
    stream 1  AAAA.AAAA.AAAA.BBBB.BBBB.BBBB.AAAAAA.AAAAAA.AAAAAA
    stream 2  ..............................BBBBBB.BBBBBB.BBBBBB
    A = fills 100
    B = fills 20
  )");
  const Demands demands = demands_of(program);
  REQUIRE_FALSE(class_of(program, demands, "A").is_fitted);
  REQUIRE(is_range(class_of(program, demands, "A").demand, 0, 1));
  REQUIRE(is_range(class_of(program, demands, "B").demand, 0, 0.8));
}

// Side by side, both kernels take longer by the same factor: the sum of their demands. A takes 5
// alone and 10 beside B, so the sum would be 2. B takes 8 alone and 10 beside A, so the sum would
// be 1.25.
TEST_CASE("demands are not fitted if the slowdowns of two kernels contradict each other") {
  Program program(R"(
    stream 1  AAAAA.AAAAA.AAAAA.BBBBBBBB.BBBBBBBB.BBBBBBBB.AAAAAAAAAA.AAAAAAAAAA.AAAAAAAAAA
    stream 2  .............................................BBBBBBBBBB.BBBBBBBBBB.BBBBBBBBBB
  )");
  const Demands demands = demands_of(program);
  for (const KernelClass& one : demands.classes) REQUIRE(is_range(one.demand, 0, 1));
}

// A demands the whole throughput but does not slow B down, so the two may use different resources.
// No two launches of B overlap, so the demand of B is unknown.
TEST_CASE("a kernel that another kernel does not slow down may still demand throughput") {
  Program program(R"(
    stream 1  AAAA.AAAA.AAAA.BBBB.BBBB.BBBB.AAAAAAAA.AAAAAAAA.AAAA.AAAA.AAAA
    stream 2  ..............................AAAAAAAA.AAAAAAAA.BBBB.BBBB.BBBB
  )");
  const Demands demands = demands_of(program);
  REQUIRE(class_of(program, demands, "A").is_fitted);
  REQUIRE_FALSE(class_of(program, demands, "B").is_fitted);
  REQUIRE(is_range(class_of(program, demands, "B").demand, 0, 1));
}

// A kernel takes 4 characters alone. Two launches of A at once take 6 characters, so they demand
// 6/4, and A demands 3/4. A and B at once take 5 characters, so they demand 5/4, and B demands 1/2.
TEST_CASE("the known demand of one kernel gives the demand of the kernel beside it") {
  Program program(R"(
    stream 1  AAAA.AAAA.AAAA.BBBB.BBBB.BBBB.AAAAAA.AAAAAA.AAAAA.AAAAA.AAAAA
    stream 2  ..............................AAAAAA.AAAAAA.BBBBB.BBBBB.BBBBB
    A = fills 100
    B = fills 90
  )");
  const Demands demands = demands_of(program);
  REQUIRE(is_range(class_of(program, demands, "A").demand, 0.75, 0.75));
  REQUIRE(is_range(class_of(program, demands, "B").demand, 0.5, 0.5));
}

TEST_CASE(
    "what was not seen beside others demands all, four shares of its multiprocessors, or less") {
  Program program(R"(
    stream 1  AAAA.AAAA.AAAA.BBBB.BBBB.BBBB.CCCC.CCCC.CCCC.DDDD.DDDD.DDDD
    A = fills 20
    B = fills 30
    D = fills 20, named ncclDevKernel_AllReduce
  )");
  std::vector<bool> communicates;
  const Device& device = program.trace.devices[0];
  program.trace.devices[0].limits = {100, 32, 32, 32, 0, 0};
  communicates.resize(device.ops.name.back() + 1);
  communicates.back() = true;
  const Demands demands = measure_demands(device, communicates);
  for (const KernelClass& one : demands.classes) REQUIRE_FALSE(one.is_fitted);
  REQUIRE(is_range(class_of(program, demands, "A").demand, 0, 0.8));
  REQUIRE(is_range(class_of(program, demands, "B").demand, 0, 1));
  REQUIRE(is_range(class_of(program, demands, "C").demand, 0, 1));  // its grid is not known
  REQUIRE(is_range(demands.classes[demands.class_of.back()].demand, 0, 0.2));
}

TEST_CASE("kernels of different lengths do different things, and are no examples of each other") {
  Program program(R"(
    stream 1  AAAA.AAAAAAAA.AAAAAAAAAAAA.AAAAAAA.AAAAAAA
    stream 2  ...........................AAAAAAA.AAAAAAA
  )");
  const KernelClass one = demands_of(program).classes[0];
  REQUIRE(one.alone == 3);
  REQUIRE(one.length_alone == 0);
  REQUIRE(is_range(one.demand, 0, 1));
}

TEST_CASE("two launches show nothing") {
  Program alone(R"(
    stream 1  AAAA.AAAA.AAAAAAA.AAAAAAA
    stream 2  ..........AAAAAAA.AAAAAAA
  )");
  REQUIRE(is_range(demands_of(alone).classes[0].demand, 0, 1));
  Program beside(R"(
    stream 1  AAAA.AAAA.AAAA.AAAAAAA
    stream 2  ...............AAAAAAA
  )");
  REQUIRE(is_range(demands_of(beside).classes[0].demand, 0, 1));
}

// If each multiprocessor has room for only one block, the kernels do not fit beside each other.
// They take longer because their blocks wait for room.
TEST_CASE("kernels that wait for room do not show their demand") {
  constexpr const char* drawing = R"(
    stream 1  AAAAA.AAAAA.AAAAA.AAAAAA.AAAAAA
    stream 2  ..................AAAAAA.AAAAAA
    A = fills 60
  )";
  Program with_room(drawing);
  REQUIRE(is_range(demands_of(with_room).classes[0].demand, 0.6, 0.6));
  Program without_room(drawing);
  REQUIRE(is_range(demands_of(without_room, 1).classes[0].demand, 0, 1));
}

TEST_CASE("what takes longer than one after the other is not fitted") {
  Program program(R"(
    stream 1  AAAA.AAAA.AAAA.AAAAAAAAA.AAAAAAAAA
    stream 2  ...............AAAAAAAAA.AAAAAAAAA
    A = fills 10
  )");
  const KernelClass one = demands_of(program).classes[0];
  REQUIRE_FALSE(one.is_fitted);
  REQUIRE(is_range(one.demand, 0, 0.4));
}

// A grid on half of the multiprocessors can use the whole bandwidth.
TEST_CASE("a small grid can demand more than its share of the multiprocessors") {
  Program program(R"(
    stream 1  AAAA.AAAA.AAAA.AAAAAAA.AAAAAAA
    stream 2  ...............AAAAAAA.AAAAAAA
    A = fills 50
  )");
  REQUIRE(is_range(demands_of(program).classes[0].demand, 0.875, 0.875));
}

// 100,000 short kernels run in a row beside a long kernel, so the long kernel runs alone and beside
// a short one by turns. The analysis must examine each of these two cases only once.
TEST_CASE("a kernel beside very many others is examined in linear time") {
  Device device;
  device.limits = {132, 32, 64, 32, 65'536, 233'472};
  const auto add = [&device](std::int64_t start, std::int64_t end, std::uint32_t name) {
    test::add_op(device.ops, {start, end}, Engine::compute, name);
    device.ops.name.back() = name;
  };
  constexpr std::int64_t others = 100'000;
  constexpr std::int64_t length = 3 * others;
  for (std::int64_t i = 0; i < 3; ++i) add(2 * i * length, 2 * i * length + length, 0);
  for (std::int64_t i = 6; i < 9; ++i) {
    add(2 * i * length, 2 * i * length + length, 0);
    for (std::int64_t k = 0; k < others; ++k) {
      add(2 * i * length + 3 * k, 2 * i * length + 3 * k + 2, 1);
    }
  }
  const std::clock_t start = std::clock();
  const Demands demands = measure_demands(device, {});
  const std::clock_t took = std::clock() - start;
  REQUIRE(demands.classes.size() == 2);
  REQUIRE(demands.classes[0].beside == 3);
  // A quadratic algorithm would take minutes.
  CHECK(took < 5 * CLOCKS_PER_SEC);
}

TEST_CASE("communication, which waits for other devices, is not fitted") {
  Program program(R"(
    stream 1  AAAA.AAAA.AAAA.AAAAAAA.AAAAAAA
    stream 2  ...............AAAAAAA.AAAAAAA
  )");
  const Device& device = program.trace.devices[0];
  std::vector<bool> communicates(device.ops.name[0] + 1, true);
  REQUIRE_FALSE(measure_demands(device, communicates).classes[0].is_fitted);
}

TEST_CASE("memsets and copies demand nothing") {
  Program program(R"(
    stream 1  AAAA.BBBB.CCCC
    B = memset
    C = h2d
  )");
  const Demands demands = demands_of(program);
  REQUIRE(demands.classes.size() == 1);
  REQUIRE(demands.class_of == std::vector<std::uint32_t>{0, no_index, no_index});
}

}  // namespace
}  // namespace lapscope::analyzer
