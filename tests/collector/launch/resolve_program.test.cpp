#include "collector/launch/child_program.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::launch {
namespace {

namespace fs = std::filesystem;
using test::ScopedVariable;
using test::TemporaryFolder;

TEST_CASE("a name with a slash is taken as it is", "[launch]") {
  const TemporaryFolder folder;
  test::write_script(folder / "app", "exit 0");
  const auto found = resolve_program((folder / "app").string());
  CHECK(found.path == folder / "app");
  CHECK(found.exit_status == 0);
  CHECK(found.problem.empty());
}

TEST_CASE("a bare name is searched for on PATH", "[launch]") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "a");
  fs::create_directory(folder / "b");
  fs::create_directory(folder / "a/app");                  // a folder is no match
  test::write_file(folder / "a/tool", "not for running");  // no match: not executable
  for (const char* name : {"b/app", "b/tool"}) test::write_script(folder / name, "exit 0");
  const std::string path =
      (folder / "none").string() + ":" + (folder / "a").string() + ":" + (folder / "b").string();
  const ScopedVariable variable("PATH", path.c_str());
  CHECK(resolve_program("app").path == folder / "b/app");
  CHECK(resolve_program("tool").path == folder / "b/tool");
}

TEST_CASE("the first match on PATH counts", "[launch]") {
  const TemporaryFolder folder;
  for (const char* name : {"a", "b"}) {
    fs::create_directory(folder / name);
    test::write_script(folder / name / "app", "exit 0");
  }
  const std::string path = (folder / "b").string() + ":" + (folder / "a").string();
  const ScopedVariable variable("PATH", path.c_str());
  CHECK(resolve_program("app").path == folder / "b/app");
}

TEST_CASE("an empty part of PATH is the working folder", "[launch]") {
  const TemporaryFolder folder;
  test::write_script(folder / "app", "exit 0");
  test::Child child([&] {
    fs::current_path(folder.path());
    const ScopedVariable variable("PATH", "/nowhere:");
    return resolve_program("app").path == "./app" ? 0 : 1;
  });
  CHECK(child.wait().exit_status == 0);
}

TEST_CASE("a bare name is not looked for in the working folder", "[launch]") {
  const TemporaryFolder folder;
  test::write_script(folder / "app", "exit 0");
  test::Child child([&] {
    fs::current_path(folder.path());
    const ScopedVariable variable("PATH", "/nowhere");
    return resolve_program("app").exit_status;
  });
  CHECK(child.wait().exit_status == 127);
}

TEST_CASE("what does not exist is reported as a shell does with 127", "[launch]") {
  for (const char* name : {"no-such-program-anywhere", "/no/such/program", ""}) {
    INFO(name);
    const auto found = resolve_program(name);
    CHECK(found.path.empty());
    CHECK(found.exit_status == 127);
    CHECK(found.problem.find("'" + std::string(name) + "'") != std::string::npos);
  }
}

TEST_CASE("what cannot be run is reported as a shell does with 126", "[launch]") {
  const TemporaryFolder folder;
  test::write_file(folder / "text", "not for running");
  fs::create_directory(folder / "folder");
  for (const char* name : {"text", "folder"}) {
    INFO(name);
    const auto found = resolve_program((folder / name).string());
    CHECK(found.path.empty());
    CHECK(found.exit_status == 126);
    CHECK(found.problem.find((folder / name).string()) != std::string::npos);
    const ScopedVariable variable("PATH", folder.path().c_str());
    CHECK(resolve_program(name).exit_status == 126);
  }
}

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
  // The test program has no such file beside it.
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
