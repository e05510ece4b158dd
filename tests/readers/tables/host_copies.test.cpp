#include "readers/tables/read_ops.h"

#include <vector>

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

struct Op {
  std::uint32_t stream = 0;
  Interval interval;
  std::uint8_t memory = 0;
};

std::vector<std::int64_t> starts_of(const std::vector<Op>& drawn) {
  Ops ops;
  for (const Op& op : drawn) {
    ops.stream.push_back(op.stream);
    ops.start.push_back(op.interval.start);
    ops.end.push_back(op.interval.end);
    ops.memory.push_back(op.memory);
  }
  start_behind_work_ahead(ops);
  return ops.start;
}

//   stream 1    KKKK KKK       becomes   KKKK KKK        K kernels, C the copy within the host
//             CCCCCCCCCCCC                       CCC
TEST_CASE("a copy within the host starts when the work ahead of it has ended") {
  CHECK(starts_of({{1, {0, 12}, between_host}, {1, {2, 6}}, {1, {7, 10}}}) ==
        std::vector<std::int64_t>{10, 2, 7});
}

//   stream 1  CCCCCC    KKKK
TEST_CASE("an op that ends later is not ahead of a copy within the host") {
  CHECK(starts_of({{1, {0, 6}, between_host}, {1, {4, 14}}}) == std::vector<std::int64_t>{0, 4});
}

//   stream 1  CCCCCC CC     two copies C, and a kernel K in another stream
//   stream 2   KKK
TEST_CASE("a copy within the host waits for an earlier one, but not for ops of other streams") {
  CHECK(starts_of({{1, {0, 6}, between_host}, {1, {2, 9}, between_host}, {2, {1, 4}}}) ==
        std::vector<std::int64_t>{0, 6, 1});
}

TEST_CASE("other copies stay where they are recorded") {
  CHECK(starts_of({{1, {0, 12}, source_pageable}, {1, {2, 6}}}) == std::vector<std::int64_t>{0, 2});
}

}  // namespace
}  // namespace lapscope::analyzer
