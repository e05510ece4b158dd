#include "workloads/harness/device.h"

#include "tests/catch.h"

namespace lapscope::workloads {
namespace {

TEST_CASE("CUDA counts its versions in thousands and tens", "[workloads]") {
  REQUIRE(cuda_version_text(13000) == "13.0");
  REQUIRE(cuda_version_text(12080) == "12.8");
  REQUIRE(cuda_version_text(12120) == "12.12");
}

TEST_CASE("the driver's version is found in either wording", "[workloads]") {
  REQUIRE(parse_driver_version("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04"
                               "  Release Build  (dvs-builder@U16)\n"
                               "GCC version:  gcc version 13.3.0 (Ubuntu)\n") == "580.159.04");
  REQUIRE(parse_driver_version("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.54  Tue Jun 6 "
                               "01:02:03 UTC 2023\n") == "535.54");
}

TEST_CASE("the compiler's version is not the driver's", "[workloads]") {
  REQUIRE(parse_driver_version("NVRM version: built today\nGCC version: 13.3.0\n") == "unknown");
  REQUIRE(parse_driver_version("") == "unknown");
}

}  // namespace
}  // namespace lapscope::workloads
