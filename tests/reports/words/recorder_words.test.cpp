#include "reports/words/recorder_words.h"

#include "analyzer/model/evidence.h"
#include "reports/words/accuracy.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::BareWall;

TEST_CASE("what recording adds to a range is said in one sentence") {
  BareWall bare;
  bare.recorded_ns = 9'200'000;
  bare.runs = 5;
  bare.median_ns = 7'700'000;
  bare.least_ns = 7'600'000;
  bare.most_ns = 7'800'000;
  bare.ended_synchronized = true;
  CHECK(bare_sentences(bare) ==
        "Recorded 9.20 ms, bare 7.70 ms (median of 5, 7.60 ms to 7.80 ms): recording adds "
        "19 %.");
  bare.recorded_ns = 7'315'000;
  CHECK(bare_sentences(bare).find("recording takes off 5 %.") != std::string::npos);
  bare.ended_synchronized = false;
  CHECK(bare_sentences(bare).find("ends before its GPU work does") != std::string::npos);
}

TEST_CASE("where there is no bare wall the reason is told") {
  BareWall bare;
  bare.recorded_ns = 9'200'000;
  bare.reason = "no bare run had such a range";
  CHECK(bare_sentences(bare) == "Bare n/a: no bare run had such a range.");
}

analyzer::ScopeResult corrected() {
  analyzer::ScopeResult scope;
  scope.causes.emplace();
  analyzer::Correction& correction = scope.causes->correction.emplace();
  correction.recorded_ns = 9'000'000;
  correction.corrected_ns = 7'500'000;
  scope.window = {0, 9'000'000};
  scope.causes->replay.wall_ns = 7'500'000;
  correction.calibrated = "2026-11-22T14:00:00Z";
  return scope;
}

TEST_CASE("what was taken off is said with where it is from") {
  analyzer::ScopeResult scope = corrected();
  CHECK(basis_sentences(scope) ==
        "Savings refer to 7.50 ms: recorded 9.00 ms less the recorder's own time. The recorder's "
        "own time: calibrated 2026-11-22.");
  scope.causes->correction->calibrated.clear();
  CHECK(basis_sentences(scope).find("time: by call costs of other machines.") != std::string::npos);
  scope.causes->correction->first_recorded = "launch-overhead";
  scope.causes->correction->first_corrected = "queue-alias";
  CHECK(basis_sentences(scope).ends_with(
      " The largest cause as recorded is launch-overhead, without the recorder queue-alias."));
  CHECK(basis_sentences(analyzer::ScopeResult{}).empty());
}

TEST_CASE("a corrected range is told beside its bare runs") {
  analyzer::ScopeResult scope = corrected();
  BareWall bare;
  bare.runs = 3;
  bare.median_ns = 7'700'000;
  bare.least_ns = 7'600'000;
  bare.most_ns = 7'800'000;
  bare.ended_synchronized = true;
  scope.causes->correction->host_recorded_ns = 9'200'000;
  scope.causes->correction->host_corrected_ns = 7'623'000;
  scope.causes->correction->bare_error = -0.01;
  CHECK(basis_sentences(scope, &bare)
            .ends_with("The host took 9.20 ms for it as recorded, 7.62 ms without the recorder's "
                       "own time; bare 7.70 ms (median of 3, 7.60 ms to 7.80 ms; -1.0 % off)."));
}

TEST_CASE("a correction that was fitted to iterations says what remains") {
  analyzer::ScopeResult scope = corrected();
  scope.causes->correction->factor = 1.4;
  scope.causes->correction->iterations_error = 0.02;
  CHECK(basis_sentences(scope).find("× 1.40 to fit the iterations before the capture. Without it, "
                                    "recorded iterations are +2.0 % off the iterations before the "
                                    "capture.") != std::string::npos);
}

TEST_CASE("which wall savings are of is told where it does not read as the recorded one") {
  analyzer::ScopeResult scope;
  scope.window = {0, 58'420'000};
  scope.causes.emplace().replay.wall_ns = 58'410'000;
  CHECK(wall_sentence(scope).empty());
  scope.causes->replay.wall_ns = 58'400'000;
  CHECK(wall_sentence(scope) ==
        "Savings refer to 58.40 ms, to which the model replays the recorded 58.42 ms.");
}

TEST_CASE("where nobody knows what recording adds, it is said to be much") {
  analyzer::ScopeResult scope;
  scope.causes.emplace().estimated_added = 0.344;
  scope.window = {0, 0};
  CHECK(basis_sentences(scope) ==
        "Recording adds about 34 %, by call costs of other machines. `lapscope record --bare 3` "
        "measures it.");
}

TEST_CASE("an answer that the recorder decides names what would settle it") {
  analyzer::CausesResult causes;
  causes.estimated_added = 0.344;
  causes.looked_for.push_back({"queue-alias", false, {}, {"DEVICE", analyzer::bare_runs}, true});
  const auto sentences = open_sentences(causes);
  REQUIRE(sentences.size() == 2);
  CHECK(sentences[0] ==
        "Unknown whether queue-alias cost time: recording adds about 34 %, by call costs of other "
        "machines, and the answer depends on it. Record with --bare 3.");
  CHECK(sentences[1].find("the trace has no records of DEVICE") != std::string::npos);
}

}  // namespace
}  // namespace lapscope::reports
