#include "reports/words/health_words.h"

#include "reports/words/filled.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::Details;
using analyzer::HealthKind;
using analyzer::HealthRow;

constexpr std::int64_t operator""_n(unsigned long long number) {
  return static_cast<std::int64_t>(number);
}

TEST_CASE("of alternatives the first is said of one", "[health]") {
  CHECK(filled("{0} launch[|es], {1}", {1_n, "a"}) == "1 launch, a");
  CHECK(filled("{0} launch[|es], {1}", {2_n, "a"}) == "2 launches, a");
  CHECK(filled("'{0}' has {1} op[ in|s with] {2}.", {"a [x|y] {0}", 1_n, "b"}) ==
        "'a [x|y] {0}' has 1 op in b.");
  CHECK(filled("allow = [\"{0}\"], [no|none]", {"yielded"}) == "allow = [\"yielded\"], none");
  CHECK(filled("", {}).empty());
}

TEST_CASE("names are listed as a sentence has them", "[health]") {
  CHECK(listed({}).empty());
  CHECK(listed({"a"}) == "a");
  CHECK(listed({"a", "b", "c"}) == "a, b and c");
  CHECK(names_from({1_n, "a", 2_n, "b"}, 1) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("what a trace lacks is said with its figures and names", "[health]") {
  CHECK(message_of({HealthKind::cut_off, 1, {"200"}}).ends_with("the last 200 ms are missing."));
  CHECK(message_of({HealthKind::write_error, 7, {"write-error", "disk full"}}) ==
        "The trace could not be written to its end; 7 records are missing (disk full).");
  CHECK(message_of({HealthKind::iterations_slower,
                    20,
                    {"step", 7'500'000_n, 7'610'000_n, 7'800'000_n, 64_n, 7'000'000_n, 7'100'000_n,
                     7'200'000_n}}) ==
        "Recording makes iterations of 'step' 7 % longer. 20 recorded iterations took 7.61 ms "
        "each (middle half 7.50 ms to 7.80 ms), and 64 iterations before the capture took 7.10 "
        "ms each (7.00 ms to 7.20 ms).");
  CHECK(message_of({HealthKind::other_loss, 5, {"dropped-records"}}) == "5 records were lost.");
  CHECK(message_of({HealthKind::stacks_lost, 34, {90_n, 7_n, 0_n, 20_n, -1_n}}) ==
        "Some call stacks are missing or incomplete (90 calls have one): 7 have none because "
        "there was no room, 20 lack their outermost frames.");
  CHECK(message_of({HealthKind::host_samples_lost, 57, {900_n, 50_n, 7_n}})
            .find("besides 900 samples, 50 came late or not at all, and 7 stacks changed while "
                  "they were read.") != std::string::npos);
  CHECK(message_of({HealthKind::captured_part, 1, {1'500'000'000_n, "delay"}})
            .find("from 1.500 s (delay) to the end of the recording:") != std::string::npos);
  CHECK(message_of({HealthKind::captured_part, 1, {0_n, "x", 2'000'000'000_n, "y"}})
            .find("from 0.000 s (x) to 2.000 s (y):") != std::string::npos);
  CHECK(message_of({HealthKind::lost_records, 2, {9_n, "MEMCPY", "MEMCPY2"}}) ==
        "Of 9 records of MEMCPY and MEMCPY2 that lapscope received, 2 are not in the trace.");
  CHECK(message_of({HealthKind::invalid_op_ids, 4, {"A", 3_n, "B", 1_n}}).ends_with("(A 3, B 1)."));
  CHECK(message_of({HealthKind::impossible_ops, 1, {"T", 0_n, 1_n, 0_n}})
            .starts_with("1 row has impossible times in T: 1 end after the recording. No"));
  CHECK(message_of({HealthKind::tracing_overhead, 1, {2'049'999_n, 100'000'000_n}})
            .find("for 2.0 ms of 100.0 ms (2.0 %)") != std::string::npos);
  CHECK(message_of({HealthKind::launches_failed, 21, {222_n, 0_n}}) ==
        "21 launches failed with error 222 (unsupported PTX version); no kernel ran.");
  CHECK(message_of({HealthKind::some_transfers_failed, 1, {77777_n, 1_n}}) ==
        "1 call that copies or sets memory failed with error 77777; 1 copy or memset of other "
        "calls ran.");
  CHECK(message_of({HealthKind::fix_unknown, 1, {"h2d"}}).find("The speed of h2d copies") !=
        std::string::npos);
}

TEST_CASE("who asks for a range that is not there hears which ones are", "[health]") {
  const HealthRow none{HealthKind::range_absent, 1, {"nope"}};
  CHECK(message_of(none) == "No NVTX range that fits 'nope' caused GPU work.");
  CHECK(remedy_of(none).starts_with("No range did;"));
  CHECK(remedy_of({HealthKind::range_absent, 1, {"nope", "step *", "main"}}) ==
        "Ranges by GPU work: 'step *', 'main'.");
  CHECK(ranges_to_name({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}) ==
        "'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h' and 2 more");
}

TEST_CASE("the worst comes first, and of equals the one that was there before", "[health]") {
  const auto sorted = worst_first({{HealthKind::trailing_text},
                                   {HealthKind::without_time},
                                   {HealthKind::yielded},
                                   {HealthKind::foreign_calls}});
  std::vector<HealthKind> kinds;
  for (const HealthRow& row : sorted) kinds.push_back(row.kind);
  CHECK(kinds == std::vector{HealthKind::without_time, HealthKind::foreign_calls,
                             HealthKind::yielded, HealthKind::trailing_text});
}

}  // namespace
}  // namespace lapscope::reports
