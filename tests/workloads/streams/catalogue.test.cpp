// Compares tests/traces/catalogue.json with the cases and the recorded traces. Traces have no bare
// wall times and no dates, so these are not compared.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "tests/catch.h"
#include "tests/support/json.h"
#include "workloads/streams/suite/case_registry.h"

namespace lapscope::workloads::streams {
namespace {

using Json = nlohmann::json;

constexpr std::uintmax_t most_bytes = 200'000;
constexpr std::uintmax_t most_bytes_in_all = 12'000'000;

const std::filesystem::path folder = LAPSCOPE_TEST_TRACES;

Json catalogue() { return test::read_json(folder / "catalogue.json"); }

// Returns a copy. A loop over catalogue()["traces"] would use a destroyed object.
Json entries() {
  Json all = catalogue()["traces"];
  REQUIRE_FALSE(all.empty());
  return all;
}

std::string name_of(const Json& entry) {
  return entry["case"].get<std::string>() + "-" + entry["variant"].get<std::string>();
}

// Analyzes the case's NVTX range, on the device with most work in it.
analyzer::ScopeResult range_of(const Json& entry) {
  analyzer::AnalyzeOptions options;
  options.ranges = {entry["case"].get<std::string>()};
  const auto trace = analyzer::read_trace(folder / entry["trace"].get<std::string>());
  analyzer::ScopeResult most;
  for (const auto& device : analyzer::analyze(trace, options).devices) {
    for (const auto& range : device.ranges) {
      if (range.scope.ops > most.ops) most = range.scope;
    }
  }
  return most;
}

double measure(const analyzer::ScopeResult& scope, const std::string& name) {
  for (const auto& result : scope.measures) {
    if (result.measure->name != name) continue;
    if (const auto* ns = std::get_if<analyzer::Nanoseconds>(&result.value)) {
      return static_cast<double>(ns->count);
    }
    return std::get<analyzer::Ratio>(result.value).value();
  }
  throw std::runtime_error("there is no measure " + name);
}

struct Shown {
  double wall_ms = 0;
  double overlap = 0;
};

Shown shown_by(const Json& entry) {
  static std::map<std::string, Shown> all;
  const auto [place, is_new] = all.try_emplace(name_of(entry));
  if (is_new) {
    const auto scope = range_of(entry);
    REQUIRE(scope.ops > 0);
    place->second = {measure(scope, "wall") / 1e6, measure(scope, "overlap_ratio")};
  }
  return place->second;
}

// Returns whether a value is within the tolerance, which is a share of the expected value if
// `relative`.
bool near(double value, const Json& expected, bool relative) {
  const double wanted = expected["value"].get<double>();
  const double tolerance = expected["tolerance"].get<double>();
  return std::abs(value - wanted) <= tolerance * (relative ? wanted : 1.0);
}

TEST_CASE("the catalogue has all variants of all cases", "[streams]") {
  const Json read = catalogue();
  REQUIRE(read["schema"] == "lapscope-catalogue/1");
  std::set<std::string> listed;
  for (const Json& entry : read["traces"]) REQUIRE(listed.insert(name_of(entry)).second);
  for (const Case& each : all_cases()) {
    for (const Variant& variant : each.variants) {
      INFO(each.name << " " << variant.name);
      REQUIRE(listed.erase(each.name + "-" + variant.name) == 1);
    }
  }
  REQUIRE(listed.empty());
}

TEST_CASE("an entry says of its variant what the program says", "[streams]") {
  for (const Json& entry : entries()) {
    INFO(name_of(entry));
    const Variant& variant = find_variant(find_case(entry["case"].get<std::string>()),
                                          entry["variant"].get<std::string>());
    std::vector<std::string> causes;
    for (const Cause cause : variant.causes) causes.emplace_back(cause_code(cause));
    REQUIRE(entry["causes"].get<std::vector<std::string>>() == causes);
    REQUIRE(entry["expected"]["wall_ms"]["tolerance"] == variant.wall_tolerance);
    const auto& overlap = entry["expected"]["overlap_ratio"];
    // The ratio is 1 - wall / sum.
    const double follows =
        (variant.wall_tolerance + variant.sum_tolerance) * (1 - overlap["value"].get<double>());
    REQUIRE(std::abs(overlap["tolerance"].get<double>() - follows) < 1e-3);
    REQUIRE(entry["bare_wall_ms"]["this"].get<double>() > 0);
    REQUIRE(entry["bare_wall_ms"]["expected"].get<double>() > 0);
  }
}

TEST_CASE("an entry says how it was recorded", "[streams]") {
  for (const Json& entry : entries()) {
    INFO(name_of(entry));
    for (const char* what : {"gpu", "driver", "date", "lapscope", "cupti", "cuda"}) {
      REQUIRE_FALSE(entry[what].get<std::string>().empty());
    }
    const auto record = entry["record"].get<std::string>();
    if (record == "n/a") continue;  // An older trace, without this member.
    REQUIRE(record.starts_with("bin/lapscope record "));
    REQUIRE(record.ends_with(" -- " + entry["command"].get<std::string>()));
  }
}

TEST_CASE("the traces are small", "[streams]") {
  std::uintmax_t total = 0;
  for (const Json& entry : entries()) {
    INFO(name_of(entry));
    const auto bytes = std::filesystem::file_size(folder / entry["trace"].get<std::string>());
    REQUIRE(bytes < most_bytes);
    total += bytes;
  }
  REQUIRE(total < most_bytes_in_all);
}

TEST_CASE("a trace shows what was expected of it", "[streams]") {
  for (const Json& entry : entries()) {
    INFO(name_of(entry));
    const Shown shown = shown_by(entry);
    const Json& expected = entry["expected"];
    INFO("wall " << shown.wall_ms << " ms, overlap " << shown.overlap);
    CHECK(near(shown.wall_ms, expected["wall_ms"], true));
    CHECK(near(shown.overlap, expected["overlap_ratio"], false));
  }
}

TEST_CASE("no trace shows what is expected of a variant that plants something else", "[streams]") {
  for (const Json& entry : entries()) {
    for (const Json& other : entries()) {
      if (other["case"] != entry["case"] || other["causes"] == entry["causes"]) continue;
      INFO("trace of " << name_of(entry) << ", expected of " << name_of(other));
      const Shown shown = shown_by(entry);
      const Json& expected = other["expected"];
      CHECK_FALSE((near(shown.wall_ms, expected["wall_ms"], true) &&
                   near(shown.overlap, expected["overlap_ratio"], false)));
    }
  }
}

}  // namespace
}  // namespace lapscope::workloads::streams
