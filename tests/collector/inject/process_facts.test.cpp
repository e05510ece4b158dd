#include "collector/inject/process_facts.h"

#include "collector/trace/output_name.h"

#include <dlfcn.h>

#include <set>

#include "collector/environment.h"
#include "collector/process/clock.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::inject {
namespace {

namespace fs = std::filesystem;
using test::ScopedVariable;

TEST_CASE("plain arguments are not quoted", "[inject]") {
  for (const char* plain : {"app", "--size=4096", "/usr/bin/a_b.c-d", "user@host:1%2+3,4"}) {
    CHECK(shell_quoted(plain) == plain);
  }
}

TEST_CASE("a shell reads a quoted argument back", "[inject]") {
  for (const char* argument : {"", " ", "a b", "it's", "''", "$HOME", "`id`", "a\\b", "\"x\"", "*",
                               "a\nb", "~", "a;b", "#x", "\xC3\xA4"}) {
    INFO(argument);
    const auto read = test::run({"sh", "-c", "printf '%s' " + shell_quoted(argument)});
    CHECK(read.out == argument);
  }
}

TEST_CASE("a quoted command line can be told from a plain one", "[inject]") {
  CHECK(shell_quoted("a b") == "'a b'");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
  CHECK(shell_quoted("") == "''");
}

TEST_CASE("the command line begins with this program", "[inject]") {
  CHECK(command_line().find("collector_inject_test") != std::string::npos);
  CHECK(fs::path(executable()).filename() == "collector_inject_test");
  CHECK_FALSE(trace::host_name().empty());
}

TEST_CASE("only listed variables are stored", "[inject]") {
  const ScopedVariable listed("CUDA_DEVICE_MAX_CONNECTIONS", "32");
  const ScopedVariable empty("CUDA_MODULE_LOADING", "");
  const ScopedVariable unset("NCCL_ALGO", nullptr);
  const ScopedVariable secret("AWS_SECRET_ACCESS_KEY", "not-for-traces");
  const ScopedVariable similar("CUDA_DEVICE_MAX_CONNECTIONS_TOKEN", "not-for-traces");
  const std::set<std::string> allowed(std::begin(environment::stored),
                                      std::end(environment::stored));
  bool found_listed = false;
  bool found_empty = false;
  for (const auto& row : stored_environment()) {
    INFO(row.name);
    CHECK(allowed.contains(row.name));
    CHECK(row.name != "NCCL_ALGO");
    found_listed |= row.name == "CUDA_DEVICE_MAX_CONNECTIONS" && row.value == "32";
    found_empty |= row.name == "CUDA_MODULE_LOADING" && row.value.empty();
  }
  CHECK(found_listed);
  CHECK(found_empty);
}

// If this test fails for a new variable, add its prefix here only if it cannot hold a credential.
TEST_CASE("no listed variable is one that could hold a credential", "[inject]") {
  for (const std::string_view name : environment::stored) {
    INFO(name);
    CHECK((name.starts_with("CUDA_") || name.starts_with("NCCL_") || name.starts_with("PYTORCH_") ||
           name.starts_with("TORCH_")));
    for (const char* part : {"TOKEN", "KEY", "SECRET", "PASS", "URL", "PATH"}) {
      CHECK(name.find(part) == std::string_view::npos);
    }
  }
}

TEST_CASE("the driver's version is absent without a driver", "[inject]") {
  CHECK_FALSE(driver_version().has_value());
}

TEST_CASE("the driver's version is that of the file behind libcuda", "[inject]") {
  const test::TemporaryFolder folder;
  test::Child child([&] {
    // lapscope uses only the name of this library.
    fs::copy_file(LAPSCOPE_COLLECTOR_LIBRARY, folder / "libcuda.so.580.159.04");
    fs::create_symlink("libcuda.so.580.159.04", folder / "libcuda.so.1");
    if (!::dlopen((folder / "libcuda.so.1").c_str(), RTLD_NOW | RTLD_LOCAL)) return 2;
    return driver_version() == "580.159.04" ? 0 : 1;
  });
  CHECK(child.wait().exit_status == 0);
}

TEST_CASE("clocks are read together and in nanoseconds", "[inject]") {
  const auto first = read_clocks("start");
  const auto second = read_clocks("end");
  CHECK(first.label == "start");
  constexpr std::int64_t year_2020 = 1'577'836'800'000'000'000;
  CHECK(first.realtime > year_2020);
  CHECK(first.monotonic > 0);
  CHECK(second.monotonic >= first.monotonic);
  CHECK(second.monotonicRaw >= first.monotonicRaw);
  CHECK(second.boottime >= first.boottime);
}

TEST_CASE("instants are written for people in UTC", "[inject]") {
  CHECK(process::iso_utc(0) == "1970-01-01T00:00:00Z");
  CHECK(process::iso_utc(1'795'230'245'999'999'999) == "2026-11-21T03:04:05Z");
}

}  // namespace
}  // namespace lapscope::inject
