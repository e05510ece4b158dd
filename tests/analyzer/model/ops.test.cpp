#include "analyzer/model/ops.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// Values of ENUM_CUDA_MEMCPY_OPER and ENUM_LAPSCOPE_CHANNEL_TYPE.
constexpr std::int64_t host_to_device = 1;
constexpr std::int64_t device_to_host = 2;
constexpr std::int64_t device_to_device = 8;
constexpr std::int64_t peer_to_peer = 10;
constexpr std::int64_t unknown_channel = 0;
constexpr std::int64_t compute_channel = 1;
constexpr std::int64_t copy_channel = 2;

TEST_CASE("copies on a copy channel occupy the engine of their direction") {
  REQUIRE(engine_of_copy(host_to_device, copy_channel) == Engine::h2d);
  REQUIRE(engine_of_copy(device_to_host, copy_channel) == Engine::d2h);
  REQUIRE(engine_of_copy(device_to_device, copy_channel) == Engine::other_copy);
  REQUIRE(engine_of_copy(peer_to_peer, copy_channel) == Engine::other_copy);
}

TEST_CASE("a copy on a compute channel competes with kernels, whatever its direction") {
  REQUIRE(engine_of_copy(host_to_device, compute_channel) == Engine::compute);
  REQUIRE(engine_of_copy(device_to_device, compute_channel) == Engine::compute);
}

TEST_CASE("without a channel the kind of the copy decides") {
  for (const std::optional<std::int64_t> channel :
       {std::optional<std::int64_t>{}, std::optional<std::int64_t>{unknown_channel}}) {
    REQUIRE(engine_of_copy(host_to_device, channel) == Engine::h2d);
    REQUIRE(engine_of_copy(device_to_host, channel) == Engine::d2h);
    REQUIRE(engine_of_copy(device_to_device, channel) == Engine::compute);
    REQUIRE(engine_of_copy(peer_to_peer, channel) == Engine::other_copy);
  }
}

TEST_CASE("memsets are compute work unless on a copy channel") {
  REQUIRE(engine_of_memset(std::nullopt) == Engine::compute);
  REQUIRE(engine_of_memset(compute_channel) == Engine::compute);
  REQUIRE(engine_of_memset(copy_channel) == Engine::other_copy);
}

TEST_CASE("only a copy between devices is a peer copy") {
  for (std::int64_t kind = 0; kind <= 15; ++kind) {
    INFO(kind);
    REQUIRE((kind_of_copy(kind) == OpKind::peer_copy) == (kind == peer_to_peer));
  }
}

}  // namespace
}  // namespace lapscope::analyzer
