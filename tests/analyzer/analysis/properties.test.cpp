#include <random>

#include "analyzer/analysis/device_tables.h"
#include "analyzer/analysis/series.h"
#include "analyzer/measures/measure.h"
#include "analyzer/scope/sweep.h"
#include "tests/analyzer/support/bitmap.h"
#include "tests/catch.h"

// Compares the tables of random devices with a bitmap that has one entry per nanosecond.
namespace lapscope::analyzer {
namespace {

using test::Bitmap;
using Instant = Bitmap::Instant;

// Calls `check` for random devices: first with all ops as the scope, then with a random window.
template <class F>
void for_random_scopes(F&& check) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const Device device = test::random_device(random);
    const Subject subject(device, test::random_device_communication());
    const Scope all = whole(device.ops);
    check(subject, all, Bitmap(subject, all.window));
    const auto part = within(device.ops, test::random_window(device, random));
    if (part) check(subject, *part, Bitmap(subject, part->window));
  }
}

bool runs(const Instant& instant, std::uint32_t stream, int least = 1) {
  const auto found = instant.in_stream.find(stream);
  return found != instant.in_stream.end() && found->second >= least;
}

TEST_CASE("busy and doubly busy time of streams agree with counting", "[laws]") {
  for_random_scopes([](const Subject& subject, const Scope& scope, const Bitmap& bitmap) {
    for (const StreamResult& result : streams_of(subject.device, scope)) {
      const std::uint32_t id = result.stream.id;
      REQUIRE(result.busy_ns == bitmap.count([=](const Instant& i) { return runs(i, id); }));
      REQUIRE(result.self_overlap_ns ==
              bitmap.count([=](const Instant& i) { return runs(i, id, 2); }));
    }
  });
}

TEST_CASE("pairs of streams agree with counting", "[laws]") {
  for_random_scopes([](const Subject& subject, const Scope& scope, const Bitmap& bitmap) {
    StreamOverlapObserver observer(subject.device, streams_of(subject.device, scope));
    sweep(subject.device.ops, scope, observer);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> found;
    for (const StreamOverlap& pair : observer.overlaps()) found[{pair.a.id, pair.b.id}] = pair.ns;
    for (std::uint32_t a = 0; a < 5; ++a) {
      for (std::uint32_t b = a + 1; b < 5; ++b) {
        const std::int64_t ns =
            bitmap.count([=](const Instant& i) { return runs(i, a) && runs(i, b); });
        const auto pair = found.find({a, b});
        REQUIRE((pair == found.end() ? 0 : pair->second) == ns);
      }
    }
  });
}

TEST_CASE("busy time of engines and pairs of classes agree with counting", "[laws]") {
  const auto is = [](std::string_view name, const Instant& i) {
    for (const Engine engine : all_engines) {
      if (name == name_of(engine)) return i.has(engine);
    }
    FAIL("no class " << name);
    return false;
  };
  for_random_scopes([&](const Subject& subject, const Scope& scope, const Bitmap& bitmap) {
    const Activity activity = activity_of(subject, scope);
    for (const EngineResult& engine : engines_of(activity)) {
      REQUIRE(engine.busy_ns ==
              bitmap.count([&](const Instant& i) { return i.has(engine.engine); }));
    }
    std::map<std::pair<std::string_view, std::string_view>, std::int64_t> found;
    for (const ClassOverlap& pair : class_overlaps_of(activity)) found[{pair.a, pair.b}] = pair.ns;
    for (const auto& [a, b] :
         std::vector<std::pair<std::string_view, std::string_view>>{{"compute", "h2d"},
                                                                    {"compute", "d2h"},
                                                                    {"compute", "other"},
                                                                    {"h2d", "d2h"},
                                                                    {"h2d", "other"},
                                                                    {"d2h", "other"},
                                                                    {"compute", "comm"},
                                                                    {"h2d", "comm"},
                                                                    {"d2h", "comm"},
                                                                    {"other", "comm"}}) {
      INFO(a << " and " << b);
      const std::int64_t ns =
          bitmap.count([&, a = a, b = b](const Instant& i) { return is(a, i) && is(b, i); });
      REQUIRE((found.count({a, b}) == 0 ? 0 : found.at({a, b})) == ns);
    }
  });
}

TEST_CASE("every measure of every stretch of a series agrees with counting", "[laws]") {
  for_random_scopes([](const Subject& subject, const Scope& scope, const Bitmap&) {
    for (const SeriesBin& bin : series_of(subject, scope, 7)) {
      const auto expected = Bitmap(subject, bin.window).measures();
      for (std::size_t i = 0; i < measures().size(); ++i) {
        INFO(measures()[i]->name << " from " << bin.window.start);
        REQUIRE(test::same(bin.values[i], expected.at(measures()[i]->name)));
      }
    }
  });
}

}  // namespace
}  // namespace lapscope::analyzer
