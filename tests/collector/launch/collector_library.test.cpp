#include "collector/launch/collector_library.h"

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::launch {
namespace {

using test::ScopedVariable;
using test::TemporaryFolder;

TEST_CASE("the variable names the collector library", "[launch]") {
  const TemporaryFolder folder;
  test::write_file(folder / "library.so", "");
  const ScopedVariable variable("LAPSCOPE_COLLECTOR", (folder / "library.so").c_str());
  CHECK(find_collector().path == folder / "library.so");
  CHECK(find_collector().problem.empty());
}

TEST_CASE("a relative name becomes an absolute path", "[launch]") {
  const TemporaryFolder folder;
  test::write_file(folder / "library.so", "");
  test::Child child([&] {
    std::filesystem::current_path(folder.path());
    const ScopedVariable variable("LAPSCOPE_COLLECTOR", "library.so");
    return find_collector().path == folder / "library.so" ? 0 : 1;
  });
  CHECK(child.wait().exit_status == 0);
}

TEST_CASE("a variable that names no file is a problem and not ignored", "[launch]") {
  const TemporaryFolder folder;
  const ScopedVariable variable("LAPSCOPE_COLLECTOR", (folder / "none.so").c_str());
  const auto found = find_collector();
  CHECK(found.path.empty());
  CHECK(found.problem.find("LAPSCOPE_COLLECTOR") != std::string::npos);
  CHECK(found.problem.find("none.so") != std::string::npos);
}

TEST_CASE("without a library beside the command the problem says what to do", "[launch]") {
  // This test program has none beside it.
  for (const char* value : {static_cast<const char*>(nullptr), ""}) {
    const ScopedVariable variable("LAPSCOPE_COLLECTOR", value);
    const auto found = find_collector();
    CHECK(found.path.empty());
    CHECK(found.problem.find("liblapscope_collector.so") != std::string::npos);
    CHECK(found.problem.find("toolkit") != std::string::npos);
  }
}

}  // namespace
}  // namespace lapscope::launch
