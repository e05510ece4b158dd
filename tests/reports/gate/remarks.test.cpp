
#include "reports/diff/diff_words.h"
#include "reports/gate/gate_words.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::Remark;
using analyzer::RemarkKind;

std::string said(RemarkKind kind, const analyzer::Details& details = {}) {
  return sentence_of(Remark{kind, details});
}

TEST_CASE("a remark is said with its figures and names", "[remarks]") {
  CHECK(said(RemarkKind::none).empty());
  CHECK(said(RemarkKind::unsound_for, {"a.sqlite", "5 records were lost."}) ==
        "'a.sqlite' cannot be relied on: 5 records were lost.");
  CHECK(said(RemarkKind::incomplete, {"a.sqlite", "Its end is missing.", "cut-off"}) ==
        "'a.sqlite' is not the whole run. Its end is missing. To evaluate it as it is, use --allow "
        "cut-off, or allow = [\"cut-off\"] in the gate file.");
  CHECK(said(RemarkKind::few_ops, {"a", std::int64_t{1}, std::int64_t{2}}) ==
        "'a' has 1 op there, fewer than 2.");
  CHECK(said(RemarkKind::replay_off, {"a", 12.34, 10.0}).find("off by 12.3 %, more than 10.0 %") !=
        std::string::npos);
  CHECK(said(RemarkKind::unexplained, {"a", 12.34}).starts_with("12.3 % of the time of 'a'"));
  CHECK(said(RemarkKind::too_little, {10.0}) == "It takes less than 10 us, which is no finding.");
  CHECK(said(RemarkKind::wall_as_recorded, {"device 0", 7.7}).find("device 0 takes 7.700 ms") !=
        std::string::npos);
}

TEST_CASE("what a remark lists reads as a list", "[remarks]") {
  CHECK(said(RemarkKind::cause_not_recorded, {"a", "event-wait", "CUDA_EVENT", "MARKER"}) ==
        "'a' does not hold records of CUDA_EVENT and MARKER, without which event-wait may not be "
        "seen.");
  CHECK(
      said(RemarkKind::causes_not_recorded, {"a", "X", "Y", "Z"}).find("records of X, Y and Z,") !=
      std::string::npos);
  CHECK(said(RemarkKind::findings_not_compared, {"a", "DEVICE", "bare runs"})
            .starts_with("'a' lacks records of DEVICE, bare runs, without"));
}

TEST_CASE("a scope without words is the whole run, and a GPU without a name is unknown",
          "[remarks]") {
  CHECK(
      said(RemarkKind::unlike_scopes, {"a", "", "b", "NVTX range 'x'"})
          .starts_with("The default scopes are not alike: of 'a' it is the whole run, of 'b' NVTX "
                       "range 'x';"));
  CHECK(said(RemarkKind::other_scope, {"steady", "a", ""})
            .find("of 'a' the default scope is the "
                  "whole run;") != std::string::npos);
  CHECK(said(RemarkKind::baseline_other_gpu, {"", "H200"}).find("unknown instead of H200;") !=
        std::string::npos);
  analyzer::Comparison comparison;
  CHECK(scope_sentence(comparison).empty());
  comparison.default_scopes = {""};
  CHECK(scope_sentence(comparison) ==
        "Scope: the whole run; it has no profiler brackets, loop or NVTX range.");
  comparison.default_scopes = {"NVTX range 'x'", ""};
  CHECK(scope_sentence(comparison) ==
        "Scope: NVTX range 'x'; the whole run (--whole: the whole run).");
}

TEST_CASE("of a baseline that is said first", "[remarks]") {
  CHECK(sentence_of(Remark{RemarkKind::no_such_work, {"a"}, true}) ==
        "Of the baseline: 'a' has no such work.");
}

TEST_CASE("what explains a failure without a finding is said, too", "[remarks]") {
  using analyzer::Explanation;
  CHECK(sentence_of(Explanation{Explanation::Kind::idle, "host-sync", 0.3}) ==
        "host-sync (30.0 %): The device was idle for it.");
  CHECK(sentence_of(Explanation{Explanation::Kind::little, "lock", 0.012}) ==
        "lock (1.2 %): It saves less than makes a finding. `lapscope analyze --min-saving 0` shows "
        "where it comes from.");
}

}  // namespace
}  // namespace lapscope::reports
