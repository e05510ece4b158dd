#include "reports/ranks/straggler_words.h"

#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::ComparedKernel;
using analyzer::LateBy;

// Ten steps of four ranks.
RunReport ten_steps() {
  RunReport report;
  for (const char* name : {"0", "1", "2", "3"}) {
    report.run.ranks.emplace_back();
    report.run.ranks.back().name = name;
  }
  for (int border = 0; border <= 10; ++border) report.run.steps.push_back(border);
  report.run.collectives_in_step = 2;
  return report;
}

analyzer::RunFinding late_by(LateBy by, std::vector<std::uint32_t> ranks, double late,
                             double others) {
  analyzer::RunFinding finding;
  finding.ranks = std::move(ranks);
  finding.late_by = by;
  finding.kernel = ComparedKernel{"gemm", {}, {late, 9'000}, {others, 1'000}};
  return finding;
}

std::string counts(double late, double others) {
  const auto finding = late_by(LateBy::more_kernels, {1}, late, others);
  const std::string sentence = straggler_sentence(finding, ten_steps());
  const std::string_view before = "other kernels: gemm ";
  const std::size_t at = sentence.find(before);
  REQUIRE(at != std::string::npos);
  return sentence.substr(at + before.size());
}

TEST_CASE("how often a kernel runs is said in numbers that differ", "[ranks]") {
  CHECK(counts(80, 20) == "8 times a step, on the other ranks 2 times a step.");
  CHECK(counts(25, 0) == "2.5 times a step, on the other ranks never.");
  CHECK(counts(10, 5) == "once a step, on the other ranks 0.5 times a step.");
  // Less than once in ten steps.
  CHECK(counts(10, 0.3) == "once a step, on the other ranks 0.3 times in all.");
  CHECK(counts(0.9, 0.01) == "0.9 times in all, on the other ranks less than 0.1 times in all.");
  // Rounded alike.
  CHECK(counts(124, 116) == "12.4 times a step, on the other ranks 11.6 times a step.");
  CHECK(counts(10.3, 9.9) == "10 times in all, on the other ranks 9.9 times in all.");
}

TEST_CASE("several late ranks are compared on average", "[ranks]") {
  const RunReport report = ten_steps();
  const auto longer = late_by(LateBy::longer_kernels, {1, 2}, 3, 1);
  CHECK_THAT(straggler_sentence(longer, report),
             test::Containing("On average, their kernels take longer than kernels of the same name "
                              "and shape elsewhere: gemm 3.00 us, on the other ranks 1.00 us."));
  CHECK_THAT(straggler_fix(longer, report), test::Containing("the late GPUs"));
  CHECK_THAT(straggler_fix(longer, report), test::Containing("the late ranks have more data"));
  const auto more = late_by(LateBy::more_kernels, {1, 2}, 80, 20);
  CHECK_THAT(straggler_sentence(more, report),
             test::Containing("On average, they run more, larger or other kernels: gemm 8 times"));
}

TEST_CASE("a kernel that the others never run may be another choice", "[ranks]") {
  const RunReport report = ten_steps();
  CHECK(straggler_fix(late_by(LateBy::more_kernels, {1}, 80, 20), report) ==
        "Give each rank equally much work.");
  CHECK_THAT(straggler_fix(late_by(LateBy::more_kernels, {1}, 80, 0), report),
             test::Containing("the late rank may also have chosen it for the same work"));
}

TEST_CASE("longer kernels on another device are no reason to compare clocks", "[ranks]") {
  RunReport report = ten_steps();
  const auto longer = late_by(LateBy::longer_kernels, {1}, 80, 80);
  CHECK_THAT(straggler_fix(longer, report), test::Containing("Compare clocks"));
  report.run.ranks[1].device_name = "NVIDIA T4";
  CHECK(straggler_fix(longer, report) == "Use equal devices, or divide the work by their speed.");
}

}  // namespace
}  // namespace lapscope::reports
