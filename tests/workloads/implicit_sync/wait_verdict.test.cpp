#include "workloads/implicit_sync/wait_verdict.h"

#include "tests/catch.h"
#include "tests/workloads/implicit_sync/observations.h"

namespace lapscope::workloads::implicit_sync {
namespace {

Behaviour certain(HostWait host, Follower non_blocking, Follower blocking) {
  return {{host, 5, 5}, {non_blocking, 5, 5}, {non_blocking, 5, 5}, {blocking, 5, 5}};
}

TEST_CASE("a call that returned while the kernel ran did not wait, however long it took",
          "[implicit_sync]") {
  Observation seen = overlapping();
  seen.call_ms = 100;
  REQUIRE(host_waited(seen, idle_ms) == false);
}

TEST_CASE(
    "a call that returned after the kernel waited if it took over 1 ms and twice its idle time",
    "[implicit_sync]") {
  Observation seen = blocking_host();
  seen.call_ms = 1.21;
  REQUIRE(host_waited(seen, 0.1) == true);
  seen.call_ms = 1.2;
  REQUIRE(host_waited(seen, 0.1) == std::nullopt);
  seen.call_ms = 1.19;
  REQUIRE(host_waited(seen, 0.1) == std::nullopt);
}

TEST_CASE("a call that begins soon after the kernel and returns after it is always told to wait",
          "[implicit_sync]") {
  constexpr double soon_ms = 0.5;
  for (const double idle : {0.0, 0.001, 0.1, 1.0, 10.0, 100.0}) {
    const double length_ms = static_cast<double>(kernel_length(idle).count()) / 1e6;
    Observation seen = blocking_host();
    seen.call_ms = length_ms - soon_ms;
    INFO(idle);
    REQUIRE(host_waited(seen, idle) == true);
  }
}

TEST_CASE("what the host waits for is told by where the kernel was", "[implicit_sync]") {
  REQUIRE(host_wait(overlapping(), overlapping(), idle_ms) == HostWait::none);
  REQUIRE(host_wait(overlapping(), blocking_host(), idle_ms) == HostWait::its_stream);
  REQUIRE(host_wait(blocking_host(), blocking_host(), idle_ms) == HostWait::device);
  REQUIRE(host_wait(late(), overlapping(), idle_ms) == std::nullopt);
  REQUIRE(host_wait(overlapping(), late(), idle_ms) == std::nullopt);
}

TEST_CASE("kernels overlap if the one after starts before the one before ends", "[implicit_sync]") {
  Observation seen = waiting();
  seen.after.start_ns = seen.before.end_ns - 1;
  REQUIRE(follower(seen, idle_ms) == Follower::overlaps);
  seen.after.start_ns = seen.before.end_ns;
  REQUIRE(follower(seen, idle_ms) == Follower::waits);
}

TEST_CASE("a kernel issued near the end of the one before tells nothing", "[implicit_sync]") {
  Observation seen = waiting();
  seen.left_ms = 0.2;
  REQUIRE(follower(seen, idle_ms) == Follower::waits);
  seen.left_ms = 0.19;
  REQUIRE(follower(seen, idle_ms) == std::nullopt);
}

TEST_CASE("a launch that itself takes until the kernel before ends waits", "[implicit_sync]") {
  Observation seen = waiting();
  seen.left_ms = -0.01;
  seen.issue_ms = 0.5;
  REQUIRE(follower(seen, idle_ms) == Follower::waits);
  seen.issue_ms = 0.49;
  REQUIRE(follower(seen, idle_ms) == std::nullopt);
}

TEST_CASE("after a call that blocks the host nothing can overlap", "[implicit_sync]") {
  REQUIRE(follower(blocking_host(), idle_ms) == Follower::host_waited);
  REQUIRE(follower(late(), idle_ms) == std::nullopt);
}

TEST_CASE("the majority counts, and disagreement is told", "[implicit_sync]") {
  using enum Follower;
  const auto agreed = majority<Follower>({waits, waits, waits});
  REQUIRE(agreed.value == waits);
  REQUIRE_FALSE(agreed.varies());

  const auto split = majority<Follower>({overlaps, waits, overlaps, host_waited, overlaps});
  REQUIRE(split.value == overlaps);
  REQUIRE(split.agreeing == 3);
  REQUIRE(split.clear == 5);
  REQUIRE(split.varies());
}

TEST_CASE("of equally frequent answers the stronger one counts", "[implicit_sync]") {
  using enum Follower;
  REQUIRE(majority<Follower>({overlaps, waits}).value == waits);
  REQUIRE(majority<Follower>({waits, overlaps}).value == waits);
  REQUIRE(majority<Follower>({host_waited, overlaps, waits}).value == host_waited);
}

TEST_CASE("repeats that cannot tell have no vote", "[implicit_sync]") {
  using enum Follower;
  const auto some = majority<Follower>({std::nullopt, waits, std::nullopt});
  REQUIRE(some.value == waits);
  REQUIRE(some.clear == 1);
  REQUIRE_FALSE(some.varies());
  REQUIRE_FALSE(majority<Follower>({std::nullopt}).value.has_value());
  REQUIRE_FALSE(majority<Follower>({}).value.has_value());
}

TEST_CASE("each question is answered from its own arrangement", "[implicit_sync]") {
  Observations seen = always(overlapping());
  in(seen, Arrangement::own) = std::vector<Observation>(5, blocking_host());
  in(seen, Arrangement::marker) = std::vector<Observation>(5, waiting());
  in(seen, Arrangement::blocking)[0] = waiting();
  const Behaviour behaviour = judge(seen, idle_ms);
  REQUIRE(behaviour.host.value == HostWait::its_stream);
  REQUIRE(behaviour.own_stream.value == Follower::waits);
  REQUIRE(behaviour.non_blocking.value == Follower::overlaps);
  REQUIRE_FALSE(behaviour.non_blocking.varies());
  REQUIRE(behaviour.blocking.value == Follower::overlaps);
  REQUIRE(behaviour.blocking.varies());
}

TEST_CASE("claims about the host are compared with the host", "[implicit_sync]") {
  using enum HostWait;
  constexpr auto says = [](Documented claim, HostWait host) {
    return as_documented(claim, certain(host, Follower::overlaps, Follower::overlaps));
  };
  REQUIRE(says(Documented::host_waits_for_device, device) == "yes");
  REQUIRE(says(Documented::host_waits_for_device, its_stream) == "no");
  REQUIRE(says(Documented::host_waits_for_stream, device) == "yes");
  REQUIRE(says(Documented::host_waits_for_stream, its_stream) == "yes");
  REQUIRE(says(Documented::host_waits_for_stream, none) == "no");
  REQUIRE(says(Documented::asynchronous, none) == "yes");
  REQUIRE(says(Documented::asynchronous, its_stream) == "no");
}

TEST_CASE("claims about streams are compared with both kinds of streams", "[implicit_sync]") {
  using enum Follower;
  constexpr auto says = [](Documented claim, Follower non_blocking, Follower blocking) {
    return as_documented(claim, certain(HostWait::none, non_blocking, blocking));
  };
  REQUIRE(says(Documented::separates_streams, waits, waits) == "yes");
  REQUIRE(says(Documented::separates_streams, host_waited, waits) == "yes");
  REQUIRE(says(Documented::separates_streams, overlaps, waits) == "blocking only");
  REQUIRE(says(Documented::separates_streams, waits, overlaps) == "non-blocking only");
  REQUIRE(says(Documented::separates_streams, overlaps, overlaps) == "no");
  REQUIRE(says(Documented::leaves_streams_alone, overlaps, overlaps) == "yes");
  REQUIRE(says(Documented::leaves_streams_alone, overlaps, waits) == "non-blocking only");
  REQUIRE(says(Documented::leaves_streams_alone, waits, waits) == "no");
}

TEST_CASE("what claims nothing certain cannot be wrong", "[implicit_sync]") {
  for (const auto claim : {Documented::may_wait, Documented::not_named, Documented::control}) {
    REQUIRE(as_documented(claim, certain(HostWait::device, Follower::waits, Follower::waits)) ==
            "-");
  }
}

TEST_CASE("a claim about what no repeat could tell is unclear", "[implicit_sync]") {
  for (const auto claim : {Documented::host_waits_for_device, Documented::asynchronous,
                           Documented::separates_streams, Documented::leaves_streams_alone}) {
    REQUIRE(as_documented(claim, judge(always(late()), idle_ms)) == "unclear");
  }
}

}  // namespace
}  // namespace lapscope::workloads::implicit_sync
