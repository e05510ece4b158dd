#include "readers/tables/row_limit.h"

#include "analyzer/model/limits.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Containing;
using test::TemporaryFolder;
using trace::TraceWriter;

// A trace file with this many kernels. `fill` adds further rows.
class Written {
 public:
  Written(std::int64_t kernels, const std::function<void(TraceWriter&)>& fill) {
    test::write_trace(path_, [&](TraceWriter& trace) {
      for (std::int64_t i = 0; i < kernels; ++i) trace.insert(test::kernel(2 * i, 2 * i + 1));
      fill(trace);
    });
  }
  explicit Written(std::int64_t kernels) : Written(kernels, [](TraceWriter&) {}) {}

  std::size_t ops_within(std::int64_t limit) const {
    return read_trace(path_, nullptr, {limit}).devices.at(0).ops.size();
  }

 private:
  const TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "t.sqlite";
};

TEST_CASE("a trace is read where it takes the memory of as many ops as are allowed") {
  const Written file(2'000);
  CHECK(file.ops_within(2'100) == 2'000);
  CHECK_THROWS_AS(file.ops_within(1'000), UnreadableTrace);
}

TEST_CASE("the sentence has the file, what it holds, the limit and the next step") {
  CHECK_THROWS_WITH(Written(2'000).ops_within(1'000),
                    Containing("/t.sqlite' is too large: 2000 ops, 0 calls, 0 ranges, ") &&
                        Containing(" and --max-ops allows 1000. Record a shorter part of the "
                                   "run, or raise --max-ops if there is memory: about 170 bytes "
                                   "per op."));
}

TEST_CASE("rows that are no ops count by what they take") {
  const Written calls(10, [](TraceWriter& trace) {
    for (int i = 0; i < 10'000; ++i) trace.insert(schema::ApiCallRow{});
  });
  CHECK(calls.ops_within(3'000) == 10);
  CHECK_THROWS_WITH(calls.ops_within(1'000), Containing("10000 calls"));
  const Written ranges(10, [](TraceWriter& trace) {
    for (int i = 0; i < 10'000; ++i) trace.insert(schema::NvtxRow{});
  });
  CHECK_THROWS_WITH(ranges.ops_within(5'000), Containing("10000 ranges"));
}

TEST_CASE("a few names may be as large as many ops") {
  const Written file(10, [](TraceWriter& trace) {
    for (char c = 'a'; c <= 'z'; ++c) trace.intern(std::string(100'000, c));
  });
  CHECK(file.ops_within(20'000) == 10);
  CHECK_THROWS_WITH(file.ops_within(10'000), Containing("more than ") && Containing(" names"));
}

// After rows were deleted, row ids can be larger than the number of rows.
TEST_CASE("row ids above the number of rows are no reason to refuse a trace") {
  const Written file(10, [](TraceWriter& trace) {
    trace.database().execute(
        "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET rowid = rowid + 1000000 WHERE rowid = 10");
  });
  CHECK(file.ops_within(1'000) == 10);
}

}  // namespace
}  // namespace lapscope::analyzer
