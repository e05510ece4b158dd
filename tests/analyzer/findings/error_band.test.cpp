#include "analyzer/findings/error_band.h"

#include <array>
#include <cmath>

#include "analyzer/findings/recorded_accuracy.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t unchanged = 2'000'000;
constexpr std::int64_t predicted_ns = 1'000'000;
constexpr std::string_view gpu = "NVIDIA H200";

constexpr std::array<Residuals, 5> groups{{
    {PredictionKind::fix, "host-sync", FixClass::host, 19, 30, 0.02, 0.95, 1.05},
    {PredictionKind::fix_class, "", FixClass::device, 20, 20, 0.02, 0.9, 1.1},
    {PredictionKind::estimate, "", FixClass::host, 40, 60, 0.02, 0.8, 1.2},
    {PredictionKind::saving, "", FixClass::host, 45, 65, 0.02, 0.75, 1.5},
    {PredictionKind::any, "", FixClass::host, 50, 70, 0.02, 0.4, 1.6},
}};
constexpr std::array<std::string_view, 1> gpus{gpu};
constexpr RecordedAccuracy known{groups, gpus, 1.25, {50, 0.9}};

Prediction predicted_with(std::vector<Cause> fixes) {
  Prediction predicted;
  predicted.wall_ns = predicted.least_wall_ns = predicted_ns;
  predicted.changed.fixes = std::move(fixes);
  return predicted;
}

Validity judged(const Prediction& predicted, std::string_view on = gpu) {
  return validity_of(predicted, {unchanged, 0}, on, known);
}

PredictionKind kind_of(const Prediction& predicted) {
  const Validity validity = judged(predicted);
  REQUIRE(validity.band);
  return validity.band->like.kind;
}

bool has_ends(const Validity& validity, double low, double high) {
  REQUIRE(validity.band);
  return std::abs(static_cast<double>(validity.band->low_ns) - low) <= 1 &&
         std::abs(static_cast<double>(validity.band->high_ns) - high) <= 1;
}

TEST_CASE("a band is of the narrowest kind of predictions that is known") {
  CHECK(kind_of(predicted_with({Cause::host_sync})) == PredictionKind::fix);
  CHECK(kind_of(predicted_with({Cause::stream_order})) == PredictionKind::fix_class);
  CHECK(kind_of(predicted_with({Cause::pageable_copy})) == PredictionKind::estimate);
  CHECK(kind_of(predicted_with({Cause::host_compute})) == PredictionKind::saving);
  // A prediction with several fixes has the kind of its least predictable fix.
  CHECK(kind_of(predicted_with({Cause::stream_order, Cause::event_wait})) ==
        PredictionKind::fix_class);
  CHECK(kind_of(predicted_with({Cause::stream_order, Cause::host_sync})) ==
        PredictionKind::estimate);
  CHECK(kind_of(predicted_with({Cause::host_sync, Cause::host_compute})) == PredictionKind::saving);
}

TEST_CASE("predictions that save too little for a finding have a kind of their own") {
  Prediction little = predicted_with({Cause::host_sync});
  little.wall_ns = little.least_wall_ns = unchanged * 98 / 100;
  CHECK(kind_of(little) == PredictionKind::any);
  little.least_wall_ns = unchanged / 2;
  CHECK(kind_of(little) == PredictionKind::fix);
}

TEST_CASE("a band reaches out from both ends of a prediction, each side for itself") {
  Prediction predicted = predicted_with({Cause::stream_order});
  CHECK(has_ends(judged(predicted), 0.9 * predicted_ns, 1.1 * predicted_ns));
  predicted.least_wall_ns = predicted_ns / 2;
  CHECK(has_ends(judged(predicted), 0.45 * predicted_ns, 1.1 * predicted_ns));
}

TEST_CASE("on a GPU that no program was recorded on a band is wider on both sides") {
  const Validity other = judged(predicted_with({Cause::stream_order}), "another GPU");
  CHECK(has_ends(other, 0.72 * predicted_ns, 1.375 * predicted_ns));
  CHECK(other.band->is_of_other_gpu);
  CHECK_FALSE(judged(predicted_with({Cause::stream_order})).band->is_of_other_gpu);
}

TEST_CASE("a saving is measured where the band is below the unchanged run") {
  Prediction predicted = predicted_with({Cause::stream_order});
  CHECK(judged(predicted).certainty == Certainty::measured);
  predicted.wall_ns = unchanged * 95 / 100;
  CHECK(judged(predicted).certainty == Certainty::unknown);
  CHECK(judged(predicted_with({Cause::host_compute})).certainty == Certainty::upper_bound);
}

TEST_CASE("a prediction has no band if no program can be recorded with its change") {
  for (const NotValidated reason : {NotValidated::one_site, NotValidated::faster_engine}) {
    Prediction predicted = predicted_with({Cause::host_sync});
    predicted.changed.special = reason;
    const Validity validity = judged(predicted);
    CHECK_FALSE(validity.band);
    CHECK(validity.not_for == reason);
    CHECK(validity.certainty == Certainty::unknown);
  }
}

TEST_CASE("every other prediction has a band, and lies within this band") {
  for (std::size_t a = 0; a < cause_count; ++a) {
    for (std::size_t b = 0; b < cause_count; ++b) {
      for (const std::int64_t wall : {unchanged / 4, unchanged, 2 * unchanged}) {
        Prediction predicted = predicted_with({Cause(a)});
        if (a != b) predicted.changed.fixes.push_back(Cause(b));
        predicted.wall_ns = wall;
        predicted.least_wall_ns = wall / 2;
        const auto band = validity_of(predicted, {unchanged, 0}, gpu).band;
        REQUIRE(band);
        REQUIRE(band->low_ns <= predicted.least_wall_ns);
        REQUIRE(band->high_ns >= predicted.wall_ns);
      }
    }
  }
}

// The residuals of n programs are sorted. A band ends at the residual at position 0.95 (n + 1).
// With fewer than 19 programs, this position is greater than n.
TEST_CASE("recorded programs are enough for their bands") {
  REQUIRE(!recorded_residuals.empty());
  CHECK(recorded_residuals.back().kind == PredictionKind::any);
  for (const Residuals& group : recorded_residuals) CHECK(group.programs >= 19);
}

}  // namespace
}  // namespace lapscope::analyzer
