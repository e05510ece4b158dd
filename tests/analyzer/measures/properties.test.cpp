#include <algorithm>
#include <numeric>
#include <random>

#include "analyzer/measures/activity.h"
#include "analyzer/measures/measure.h"
#include "tests/analyzer/support/bitmap.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

// Checks laws on random traces, and compares the figures with those of a bitmap with an entry for
// each nanosecond.
namespace lapscope::analyzer {
namespace {

using test::Bitmap;

constexpr unsigned traces = 3000;

template <class F>
void for_random_devices(F&& check) {
  for (unsigned seed = 0; seed < traces; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const Device device = test::random_device(random);
    check(device, random);
  }
}

Subject subject_of(const Device& device) {
  return Subject(device, test::random_device_communication());
}

std::vector<Value> values_of(const Device& device) {
  const Activity activity = activity_of(subject_of(device), whole(device.ops));
  std::vector<Value> values;
  for (const Measure* measure : measures()) values.push_back(measure->compute(activity));
  return values;
}

// Returns the same device with other ops.
Device with(const Device& device, const Ops& ops) {
  Device other = device;
  other.ops = test::in_order(ops);
  return other;
}

void append(Ops& ops, const Ops& from, std::size_t op) {
  std::apply([&](auto... column) { ((ops.*column).push_back((from.*column)[op]), ...); },
             Ops::columns());
}

TEST_CASE("every measure agrees with counting every nanosecond, of the whole and of any window") {
  std::size_t windows = 0;
  for_random_devices([&](const Device& device, std::mt19937& random) {
    const Subject subject = subject_of(device);
    const Interval window = test::random_window(device, random);
    const auto inside = within(device.ops, window);
    for (const Scope& scope : {whole(device.ops), inside.value_or(whole(device.ops))}) {
      windows += scope.window == window ? 1U : 0U;
      const Activity activity = activity_of(subject, scope);
      const auto expected = Bitmap(subject, scope.window).measures();
      for (const Measure* measure : measures()) {
        INFO(measure->name);
        REQUIRE(test::same(measure->compute(activity), expected.at(measure->name)));
      }
    }
    if (inside) return;
    REQUIRE(Bitmap(subject, window).count([](const auto& i) { return i.busy(); }) == 0);
  });
  REQUIRE(windows > traces / 2);
}

TEST_CASE("the state table agrees with counting, and sums to the wall") {
  for_random_devices([](const Device& device, std::mt19937&) {
    const Subject subject = subject_of(device);
    const Scope scope = whole(device.ops);
    const Bitmap bitmap(subject, scope.window);
    std::int64_t total = 0;
    for (const StateTime& state : state_table(activity_of(subject, scope))) {
      REQUIRE(state.ns == bitmap.count([&](const Bitmap::Instant& instant) {
        return std::all_of(all_engines.begin(), all_engines.end(),
                           [&](Engine engine) { return state.has(engine) == instant.has(engine); });
      }));
      total += state.ns;
    }
    REQUIRE(total == scope.window.length());
  });
}

TEST_CASE("shares are from 0 to 1, efficiency is at most 1, and busy and idle make the wall") {
  for_random_devices([](const Device& device, std::mt19937&) {
    const Activity activity = activity_of(subject_of(device), whole(device.ops));
    for (const Measure* share : {&copy_hidden, &h2d_hidden, &d2h_hidden, &bidirectional,
                                 &kernel_overlap, &comm_hidden, &idle_ratio, &busy_overlap_ratio}) {
      INFO(share->name);
      const Value value = share->compute(activity);
      if (std::holds_alternative<Undefined>(value)) continue;
      REQUIRE(0 <= std::get<Ratio>(value).numerator);
      REQUIRE(std::get<Ratio>(value).numerator <= std::get<Ratio>(value).denominator);
    }
    const Value efficiency = overlap_efficiency.compute(activity);
    if (const auto* ratio = std::get_if<Ratio>(&efficiency)) {
      REQUIRE(ratio->denominator > 0);
      REQUIRE(ratio->numerator <= ratio->denominator);
    }
    REQUIRE(activity.busy() + std::get<Nanoseconds>(idle.compute(activity)).count ==
            activity.window.length());
  });
}

TEST_CASE("of some of the ops, idle is when the device ran nothing, and other work is the rest") {
  std::size_t with_other_work = 0;
  for_random_devices([&](const Device& device, std::mt19937& random) {
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t op = 0; op < device.ops.size(); ++op) {
      if (random() % 2 == 0) chosen.push_back(op);
    }
    auto scope = of_ops(device.ops, std::move(chosen));
    if (!scope) return;
    const Subject subject = subject_of(device);
    const std::int64_t sum = activity_of(subject, *scope).sum;
    scope->device_busy = std::make_shared<IntervalSet>(busy_of(device.ops));
    const Activity activity = activity_of(subject, *scope);
    const Bitmap bitmap(subject, scope->window);
    const std::int64_t idle_ns = bitmap.count([](const auto& i) { return !i.busy(); });
    REQUIRE(std::get<Nanoseconds>(idle.compute(activity)).count == idle_ns);
    REQUIRE(activity.busy() + activity.other_work + idle_ns == scope->window.length());
    REQUIRE(activity.sum == sum);  // ops outside the scope change nothing else
    std::int64_t states = 0;
    for (const StateTime& state : state_table(activity)) {
      states += state.ns;
      if (state.is_other_work) REQUIRE(state.ns == activity.other_work);
    }
    REQUIRE(states == scope->window.length());
    with_other_work += activity.other_work > 0 ? 1U : 0U;
  });
  REQUIRE(with_other_work > traces / 2);
}

TEST_CASE("the order of the ops changes nothing") {
  for_random_devices([](const Device& device, std::mt19937& random) {
    std::vector<std::size_t> order(device.ops.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    Ops shuffled;
    shuffled.geometries = device.ops.geometries;
    for (const std::size_t op : order) append(shuffled, device.ops, op);
    REQUIRE(values_of(with(device, shuffled)) == values_of(device));
  });
}

TEST_CASE("shifting all times changes nothing") {
  for_random_devices([](const Device& device, std::mt19937&) {
    Ops later = device.ops;
    for (std::int64_t& start : later.start) start += 1'000'000'007;
    for (std::int64_t& end : later.end) end += 1'000'000'007;
    REQUIRE(values_of(with(device, later)) == values_of(device));
  });
}

TEST_CASE("if an op is split into two touching halves, only measures of op lengths change") {
  for_random_devices([](const Device& device, std::mt19937& random) {
    Ops split = device.ops;
    const std::size_t op = random() % split.size();
    append(split, split, op);
    split.end[op] = split.start.back() = std::midpoint(split.start[op], split.end[op]);
    const auto before = values_of(device);
    const auto after = values_of(with(device, split));
    for (std::size_t i = 0; i < before.size(); ++i) {
      INFO(measures()[i]->name);
      // These measures depend on the length of each kernel, because they use fitted demands or the
      // bound of the compute engine.
      const bool is_of_lengths = measures()[i] == &overlap_efficiency ||
                                 measures()[i] == &stretch || measures()[i] == &overlap_ratio_alone;
      if (!is_of_lengths) REQUIRE(after[i] == before[i]);
    }
  });
}

TEST_CASE("one more op never makes the device less busy") {
  for_random_devices([](const Device& device, std::mt19937& random) {
    const Device other = test::random_device(random);
    Ops more = device.ops;
    append(more, other.ops, 0);
    more.geometry.back() = no_index;
    const Device both = with(device, more);
    REQUIRE(activity_of(subject_of(both), whole(both.ops)).busy() >=
            activity_of(subject_of(device), whole(device.ops)).busy());
  });
}

}  // namespace
}  // namespace lapscope::analyzer
