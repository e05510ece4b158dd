#include "workloads/streams/suite/planted_cause.h"

#include <set>

#include "tests/catch.h"

namespace lapscope::workloads::streams {
namespace {

TEST_CASE("every cause has a code of its own", "[streams]") {
  std::set<std::string_view> codes;
  for (std::size_t i = 0; i < cause_count; ++i) codes.insert(cause_code(static_cast<Cause>(i)));
  REQUIRE(codes.size() == cause_count);
  REQUIRE(codes.count("default-stream-barrier") == 1);
}

TEST_CASE("a list of causes reads as one", "[streams]") {
  REQUIRE(cause_codes({}) == "none");
  REQUIRE(cause_codes({Cause::event_wait}) == "event-wait");
  REQUIRE(cause_codes({Cause::stream_order, Cause::host_sync}) == "stream-order, host-sync");
}

}  // namespace
}  // namespace lapscope::workloads::streams
