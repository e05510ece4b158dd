#include "collector/doctor/checks.h"

#include <unistd.h>

#include <cerrno>

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::doctor {
namespace {

namespace fs = std::filesystem;
using test::ScopedVariable;
using test::TemporaryFolder;

void place(const TemporaryFolder& root, const char* path, const std::string& text) {
  fs::create_directories((root / path).parent_path());
  test::write_file(root / path, text);
}

Finding only(const Findings& findings) {
  REQUIRE(findings.size() == 1);
  return findings[0];
}

TEST_CASE("a machine without a driver cannot record", "[doctor]") {
  const TemporaryFolder root;
  CHECK(only(check_driver(root.path())).level == Level::bad);
  CHECK(only(check_gpus(root.path())).level == Level::bad);
  CHECK(check_permissions(root.path()).empty());  // there are no devices
}

TEST_CASE("the driver's version and the GPUs are told", "[doctor]") {
  const TemporaryFolder root;
  place(root, "proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build\n"
        "GCC version:  gcc version 15.3.0 (GCC)\n");
  for (const char* gpu : {"0000:01:00.0", "0000:02:00.0"}) {
    place(root, ("proc/driver/nvidia/gpus/" + std::string(gpu) + "/information").c_str(),
          "Model: \t\t NVIDIA H200\nIRQ:   \t\t 64\n");
  }
  CHECK(only(check_driver(root.path())).state == "580.159.04");
  CHECK(only(check_driver(root.path())).level == Level::good);
  CHECK(only(check_gpus(root.path())).state == "2 x NVIDIA H200");
}

TEST_CASE("profiling that is restricted is a note for users that are not root", "[doctor]") {
  const TemporaryFolder root;
  place(root, "dev/nvidiactl", "");
  place(root, "proc/driver/nvidia/params",
        "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\n");
  const Finding finding = only(check_permissions(root.path()));
  CHECK(finding.level == (::geteuid() == 0 ? Level::good : Level::note));
  place(root, "proc/driver/nvidia/params", "RmProfilingAdminOnly: 0\n");
  CHECK(only(check_permissions(root.path())).level == Level::good);
}

TEST_CASE("native frames that the kernel refuses are a note with the reason", "[doctor]") {
  CHECK(only(check_native_frames(0)).level == Level::good);
  const Finding refused = only(check_native_frames(EACCES));
  CHECK(refused.level == Level::note);
  CHECK(refused.state == "no native frames of threads that run: perf_event_open: EACCES");
  CHECK_FALSE(refused.remedy.empty());
}

TEST_CASE("CUPTI's version tells its CUDA", "[doctor]") {
  CHECK(cuda_of_cupti(130001) == 13000);
  CHECK(cuda_of_cupti(130200) == 13020);
  CHECK(cuda_of_cupti(28) == 12090);
  CHECK(cuda_of_cupti(22) == 12040);
  CHECK(cuda_of_cupti(18) == 12000);
  CHECK_FALSE(cuda_of_cupti(17).has_value());
}

TEST_CASE("a driver older than CUPTI is bad across a major version, else a note", "[doctor]") {
  CHECK(only(check_versions(12080, 13000)).level == Level::bad);
  CHECK(only(check_versions(12080, 12090)).level == Level::note);
  CHECK(only(check_versions(13000, 13000)).level == Level::good);
  CHECK(only(check_versions(13010, 12040)).level == Level::good);
  CHECK(only(check_versions(13010, std::nullopt)).level == Level::good);
  CHECK(only(check_versions(std::nullopt, 13000)).level == Level::bad);
  CHECK(only(check_versions(12080, 13000)).state == "for CUDA 12.8, and CUPTI is of CUDA 13.0");
}

TEST_CASE("a CUPTI that cannot be used is bad and says why", "[doctor]") {
  CHECK(only(check_cupti({std::nullopt, "", "", "it is not there"})).level == Level::bad);
  CHECK(only(check_cupti({130000, "/a/libcupti.so.13", "", "it can crash"})).state ==
        "it can crash");
  // Without a driver, libcupti returns no version, so this is only a note.
  CHECK(only(check_cupti({0, "/a/libcupti.so.13", "", "it does not say"})).level == Level::note);
  const Finding good = only(check_cupti({130001, "/a/libcupti.so.13", "in a wheel", ""}));
  CHECK(good.level == Level::good);
  CHECK(good.state.find("in a wheel: /a/libcupti.so.13") != std::string::npos);
}

TEST_CASE("other tools in the environment are named", "[doctor]") {
  const ScopedVariable nothing[] = {{"NVTX_INJECTION64_PATH", nullptr},
                                    {"CUDA_INJECTION64_PATH", nullptr},
                                    {"CUDA_LAUNCH_BLOCKING", nullptr},
                                    {"LD_PRELOAD", nullptr}};
  CHECK(only(check_injections()).level == Level::good);
  {
    const ScopedVariable other("CUDA_INJECTION64_PATH", "/opt/tool.so");
    const Finding finding = only(check_injections());
    CHECK(finding.level == Level::bad);
    CHECK(finding.state.find("/opt/tool.so") != std::string::npos);
  }
  const ScopedVariable blocking("CUDA_LAUNCH_BLOCKING", "1");
  CHECK(only(check_injections()).level == Level::note);
}

TEST_CASE("too little space is a note, none at all bad", "[doctor]") {
  constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
  CHECK(only(check_space("/a", 2 * gibibyte, true)).level == Level::good);
  CHECK(only(check_space("/a", gibibyte / 2, true)).level == Level::note);
  CHECK(only(check_space("/a", 2 * gibibyte, false)).level == Level::bad);
  CHECK(only(check_space("/a", std::nullopt, false)).level == Level::bad);
  const TemporaryFolder folder;
  CHECK(only(check_space(folder.path())).level != Level::bad);
  CHECK(only(check_space(folder / "none")).level == Level::bad);
}

TEST_CASE("whatever is bad or may surprise comes with a next step", "[doctor]") {
  const TemporaryFolder root;
  for (const Findings& findings :
       {check_driver(root.path()), check_gpus(root.path()), check_versions(std::nullopt, 13000),
        check_versions(12080, 13000), check_cupti({std::nullopt, "", "", "no"}),
        check_space("/a", 0, true)}) {
    for (const Finding& finding : findings) {
      CHECK(finding.level != Level::good);
      CHECK(finding.remedy.ends_with('.'));
    }
  }
}

}  // namespace
}  // namespace lapscope::doctor
