#include <cstdlib>
#include <string>

#include "tests/catch.h"
#include "workloads/harness/guard.h"
#include "workloads/streams/suite/case_registry.h"
#include "workloads/streams/suite/run_case.h"

namespace lapscope::workloads::streams {
namespace {

TEST_CASE("a variant sets its variables for the process", "[streams]") {
  setenv("LAPSCOPE_TEST_VARIABLE", "before", 1);
  set_environment({.name = "fixed", .environment = {{"LAPSCOPE_TEST_VARIABLE", "after"}}});
  REQUIRE(std::string(std::getenv("LAPSCOPE_TEST_VARIABLE")) == "after");
}

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr Shape large{.tiles = 40, .tile_mib = 16};

Memory needed_by(const char* name) { return memory_needed(find_case(name).needs, large); }

TEST_CASE("the host holds an input and an output, and what a case adds", "[streams]") {
  const std::size_t tiles = std::size_t{40} * 16 * mib;
  const std::size_t two = needed_by("pipeline").host_bytes;
  REQUIRE(two >= 2 * tiles);
  REQUIRE(needed_by("register-in-loop").host_bytes - two == tiles);
  // The calibration of these cases copies half of its additional tiles. It writes the other half
  // only to clear the caches.
  for (const char* name : {"pageable-copy", "pageable-registered", "pageable-output"}) {
    REQUIRE(needed_by(name).host_bytes - two == 2 * tiles);
  }
}

TEST_CASE("a device holds the tiles, and what a case allocates for each", "[streams]") {
  const std::size_t plain = needed_by("pipeline").device_bytes;
  REQUIRE(plain >= std::size_t{40} * 16 * mib);
  REQUIRE(needed_by("alloc-in-loop").device_bytes - plain == 40 * 4 * mib);
}

TEST_CASE("a case is skipped where it has too little memory, on any of its GPUs", "[streams]") {
  const auto fits = [](const char* name, const FreeMemory& free) {
    try {
      require_memory(needed_by(name), free, "use less");
    } catch (const SkippedError&) {
      return false;
    }
    return true;
  };
  // 40 tiles of 16 MiB are 640 MiB.
  const FreeMemory roomy{4096 * mib, {4096 * mib, 4096 * mib}};
  REQUIRE(fits("pageable-copy", roomy));
  REQUIRE(fits("pipeline", {2048 * mib, {2048 * mib}}));
  REQUIRE_FALSE(fits("pageable-copy", {2048 * mib, {2048 * mib}}));
  REQUIRE_FALSE(fits("multi-gpu-fan-out", {4096 * mib, {4096 * mib, 512 * mib}}));
}

}  // namespace

}  // namespace lapscope::workloads::streams
