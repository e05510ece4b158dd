#include <algorithm>

#include "tests/catch.h"
#include "tests/cli/support/run_command.h"

namespace lapscope::test {
namespace {

TEST_CASE("doctor fits one screen and its status says what its last line does") {
  const CommandResult result = run_lapscope({"doctor"});
  const bool works = result.out.find("Nothing stands in the way") != std::string::npos;
  REQUIRE(result.status == (works ? 0 : 1));
  REQUIRE(result.err == "");
  REQUIRE(std::count(result.out.begin(), result.out.end(), '\n') <= 24);
  for (const char* subject : {"driver", "GPU", "CUPTI", "collector", "space"}) {
    REQUIRE(result.out.find(subject) != std::string::npos);
  }
}

TEST_CASE("what doctor finds in the way makes its status 1") {
  const CommandResult tool =
      run_lapscope({"doctor"}, {{"CUDA_INJECTION64_PATH", "/opt/other/libtool.so"}});
  REQUIRE(tool.status == 1);
  REQUIRE(tool.out.find("/opt/other/libtool.so") != std::string::npos);
  const CommandResult folder = run_lapscope({"doctor", "--folder", "/no/such/folder"});
  REQUIRE(folder.status == 1);
  REQUIRE(folder.out.find("/no/such/folder") != std::string::npos);
  REQUIRE(run_lapscope({"doctor", "--cupti", "/none/libcupti.so"}).status == 1);
}

TEST_CASE("doctor names the error of the driver and what hides the devices") {
  const auto doctor = [](std::vector<std::pair<std::string, std::string>> more) {
    more.emplace_back("LD_LIBRARY_PATH", LAPSCOPE_FAKE_LIBCUDA);
    return run_lapscope({"doctor"}, more);
  };
  const CommandResult hidden = doctor({{"FAKE_CUDA_ERROR", "100"}, {"CUDA_VISIBLE_DEVICES", "7"}});
  CHECK(hidden.status == 1);
  CHECK_THAT(hidden.out, Containing("cuInit fails with CUDA_ERROR_NO_DEVICE (100): no CUDA-capable "
                                    "device is detected\n") &&
                             Containing("CUDA_VISIBLE_DEVICES is '7'"));
  CHECK_THAT(doctor({}).out, Containing("cuInit works"));
  // doctor does not load another tool, but reports it.
  const CommandResult tool = doctor({{"CUDA_INJECTION64_PATH", "/opt/other/libtool.so"}});
  CHECK(tool.status == 1);
  CHECK_THAT(tool.out, Containing("/opt/other/libtool.so") && Containing("cuInit works"));
}

}  // namespace
}  // namespace lapscope::test
