#include <algorithm>
#include <array>
#include <numeric>
#include <random>

#include "analyzer/measures/measure.h"
#include "analyzer/measures/states.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

// Laws that hold for every trace, checked on random ones against a second implementation that
// shares nothing with the first: a bitmap with one entry per nanosecond.
namespace lapscope::analyzer {
namespace {

using test::activity_of;
using test::add_op;

constexpr int traces = 2000;
constexpr std::int64_t length = 120;

Ops random_ops(std::mt19937& random) {
  const auto pick = [&random](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  Ops ops;
  const int count = pick(1, 25);
  for (int i = 0; i < count; ++i) {
    const std::int64_t start = pick(0, length - 1);
    const std::int64_t longest = pick(0, 3) == 0 ? length - start : 12;
    const std::int64_t end =
        std::min<std::int64_t>(length, start + pick(0, static_cast<int>(longest)));
    add_op(ops, {start, end}, all_engines[static_cast<std::size_t>(pick(0, 3))],
           static_cast<std::uint32_t>(pick(1, 4)));
  }
  return ops;
}

// For every nanosecond, which engines are active.
struct Bitmap {
  std::array<std::uint8_t, length> active{};
  std::int64_t first = length;
  std::int64_t last = 0;
  std::int64_t sum = 0;

  explicit Bitmap(const Ops& ops) {
    for (std::size_t op = 0; op < ops.size(); ++op) {
      first = std::min(first, ops.start[op]);
      last = std::max(last, ops.end[op]);
      for (std::int64_t t = ops.start[op]; t < ops.end[op]; ++t) {
        active[static_cast<std::size_t>(t)] |=
            static_cast<std::uint8_t>(1 << static_cast<int>(ops.engine[op]));
        ++sum;
      }
    }
  }
  template <class F>
  std::int64_t count(F&& f) const {
    return std::count_if(active.begin() + first, active.begin() + last, f);
  }
};

std::int64_t ns(const Measure& measure, const Activity& activity) {
  return std::get<Nanoseconds>(measure.compute(activity)).count;
}

std::vector<Value> all_values(const Ops& ops) {
  std::vector<Value> values;
  for (const Measure* measure : measures()) values.push_back(measure->compute(activity_of(ops)));
  return values;
}

template <class F>
void for_random_traces(F&& check) {
  for (unsigned seed = 0; seed < traces; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    check(random_ops(random), random);
  }
}

TEST_CASE("times agree with counting every nanosecond") {
  for_random_traces([](const Ops& ops, std::mt19937&) {
    const Activity activity = activity_of(ops);
    const Bitmap bitmap(ops);
    REQUIRE(ns(wall, activity) == bitmap.last - bitmap.first);
    REQUIRE(ns(sum, activity) == bitmap.sum);
    REQUIRE(ns(busy, activity) == bitmap.count([](auto bits) { return bits != 0; }));
    REQUIRE(ns(busy, activity) + ns(idle, activity) == ns(wall, activity));
  });
}

TEST_CASE("shares of copies agree with counting every nanosecond") {
  for_random_traces([](const Ops& ops, std::mt19937&) {
    const Activity activity = activity_of(ops);
    const Bitmap bitmap(ops);
    constexpr unsigned compute = 1, h2d = 2, d2h = 4, copies = 2 | 4 | 8;
    const auto hidden = [&](unsigned kinds) {
      return ratio_or(
          bitmap.count([=](unsigned bits) { return (bits & kinds) && (bits & compute); }),
          bitmap.count([=](unsigned bits) { return (bits & kinds) != 0; }), "");
    };
    const auto same = [](const Value& a, const Value& b) {
      return (std::holds_alternative<Undefined>(a) && std::holds_alternative<Undefined>(b)) ||
             a == b;
    };
    REQUIRE(same(copy_hidden.compute(activity), hidden(copies)));
    REQUIRE(same(h2d_hidden.compute(activity), hidden(h2d)));
    REQUIRE(same(d2h_hidden.compute(activity), hidden(d2h)));
    const std::int64_t both =
        bitmap.count([](unsigned bits) { return (bits & h2d) && (bits & d2h); });
    const std::int64_t smaller =
        std::min(bitmap.count([](unsigned bits) { return (bits & h2d) != 0; }),
                 bitmap.count([](unsigned bits) { return (bits & d2h) != 0; }));
    REQUIRE(same(bidirectional.compute(activity), ratio_or(both, smaller, "")));
  });
}

TEST_CASE("the state table agrees with counting, and sums to the wall") {
  for_random_traces([](const Ops& ops, std::mt19937&) {
    const Activity activity = activity_of(ops);
    const Bitmap bitmap(ops);
    std::int64_t total = 0;
    for (const StateTime& state : state_table(activity)) {
      REQUIRE(state.ns == bitmap.count([&](auto bits) { return bits == state.active; }));
      total += state.ns;
    }
    REQUIRE(total == ns(wall, activity));
  });
}

TEST_CASE("the order of the rows changes nothing") {
  for_random_traces([](const Ops& ops, std::mt19937& random) {
    std::vector<std::size_t> order(ops.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    Ops shuffled;
    for (const std::size_t op : order) {
      add_op(shuffled, ops.interval(op), ops.engine[op], ops.stream[op]);
    }
    REQUIRE(all_values(shuffled) == all_values(ops));
  });
}

TEST_CASE("shifting all times changes nothing") {
  for_random_traces([](const Ops& ops, std::mt19937&) {
    Ops later = ops;
    for (std::size_t op = 0; op < ops.size(); ++op) {
      later.start[op] += 1'000'000'007;
      later.end[op] += 1'000'000'007;
    }
    REQUIRE(all_values(later) == all_values(ops));
  });
}

TEST_CASE("an op split into two touching halves changes nothing") {
  for_random_traces([](const Ops& ops, std::mt19937& random) {
    Ops split = ops;
    const std::size_t op = random() % ops.size();
    const std::int64_t middle = std::midpoint(ops.start[op], ops.end[op]);
    split.end[op] = middle;
    add_op(split, {middle, ops.end[op]}, ops.engine[op], ops.stream[op]);
    REQUIRE(all_values(split) == all_values(ops));
  });
}

TEST_CASE("one more op never makes the device less busy") {
  for_random_traces([](const Ops& ops, std::mt19937& random) {
    const Ops other = random_ops(random);
    Ops more = ops;
    add_op(more, other.interval(0), other.engine[0]);
    REQUIRE(ns(busy, activity_of(more)) >= ns(busy, activity_of(ops)));
  });
}

}  // namespace
}  // namespace lapscope::analyzer
