#include "analyzer/analysis/what_if.h"

#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "analyzer/reader/read_trace.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("a fix is asked for by its code, with a value where it takes one") {
  REQUIRE(asked_fix("stream-order").value == 0);
  REQUIRE(asked_fix("stream-order:1").value == 1);
  REQUIRE(asked_fix("stream-order:1000000").value == 1e6);
  REQUIRE(asked_fix("scale:h2d=0.001").value == 1e-3);
  REQUIRE(asked_fix("scale:compute=1000000").value == 1e6);
}

TEST_CASE("values that no program has are refused with what may be given") {
  for (const char* text :
       {"stream-order:0", "stream-order:0.5", "stream-order:1000001", "stream-order:4294967296",
        "stream-order:nan", "stream-order:inf", "stream-order:", "stream-order:-1"}) {
    INFO(text);
    REQUIRE_THROWS_WITH(asked_fix(text), test::Containing("from 1 to 1000000"));
  }
  for (const char* text :
       {"scale:compute=1e-30", "scale:compute=0", "scale:compute=1e7", "scale:compute=nan",
        "scale:compute=", "scale:compute", "scale:wings=2"}) {
    INFO(text);
    REQUIRE_THROWS_WITH(asked_fix(text), test::Containing("0.001 to 1000000"));
  }
}

// Nothing tells how fast M would be if its memory were page-locked.
TEST_CASE("a fix is inconclusive where what it changes is not known") {
  const test::Program program(R"(
    thread 1  mmmmmmmmmb...
    stream 1  .MMMMMMMM....
    stream 2  ..........BBB
    M = h2d, bytes 2097152, pageable
  )");
  const auto troubles = [&](const std::vector<const char*>& fixes) {
    std::vector<AskedFix> asked;
    for (const char* text : fixes) asked.push_back(asked_fix(text));
    std::string text;
    for (const HealthRow& row : what_if(program.trace, {}, asked).health) {
      if (row.severity == Severity::error) text += row.message;
    }
    return text;
  };
  REQUIRE_THAT(troubles({"pageable-copy"}), test::Containing("copied h2d is not known"));
  REQUIRE_THAT(troubles({"pageable-copy"}), test::Containing("--scale h2d="));
  REQUIRE(troubles({"pageable-copy", "scale:h2d=3"}).empty());
  REQUIRE(troubles({"host-sync"}).empty());
}

WhatIfScope of_queues(const char* trace, const char* fix) {
  AnalyzeOptions options;
  options.ranges = {"queue-alias"};
  const auto file = std::filesystem::path(LAPSCOPE_TEST_TRACES) / trace;
  return what_if(read_trace(file), options, {asked_fix(fix)}).scopes.at(0);
}

// The program was recorded with 8 connections and with 32, which differ by half. Dealt as many as
// it had the one trace is what it was, and dealt 8 the other is as slow as it was with these.
TEST_CASE("with other connections a program takes what it was recorded to take with these") {
  const WhatIfScope eight = of_queues("queue-alias-broken.sqlite", "queue-alias:8");
  REQUIRE(eight.predicted.wall_ns == eight.replay.wall_ns);
  const WhatIfScope fewer = of_queues("queue-alias-fixed.sqlite", "queue-alias:8");
  const auto recorded = static_cast<double>(eight.wall_ns);
  REQUIRE(static_cast<double>(fewer.wall_ns) < 0.7 * recorded);
  REQUIRE(std::abs(static_cast<double>(fewer.predicted.wall_ns) / recorded - 1) < 0.03);
}

}  // namespace
}  // namespace lapscope::analyzer
