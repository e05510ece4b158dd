#include "workloads/harness/free_memory.h"

#include "tests/catch.h"
#include "workloads/harness/guard.h"

namespace lapscope::workloads {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr Memory needed{.host_bytes = 100 * mib, .device_bytes = 50 * mib};

// Returns the message that refuses a machine with this much memory, or "".
std::string skipped(const FreeMemory& free) {
  try {
    require_memory(needed, free, "use fewer --tiles");
  } catch (const SkippedError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("what suffices to the byte suffices", "[harness]") {
  CHECK(skipped({100 * mib, {50 * mib, 50 * mib}}).empty());
}

TEST_CASE("too little host memory is said, with what to do", "[harness]") {
  CHECK(skipped({100 * mib - 1, {50 * mib}}) ==
        "this needs 100 MiB of host memory, and 99 MiB are free: use fewer --tiles");
}

TEST_CASE("every GPU that is used must have the memory", "[harness]") {
  CHECK(skipped({100 * mib, {50 * mib, 40 * mib}}) ==
        "this needs 50 MiB of memory of GPU 1, and 40 MiB are free: use fewer --tiles");
}

}  // namespace
}  // namespace lapscope::workloads
