#include <dlfcn.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "collector/python_frames/interpreter.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::python_frames {
namespace {

// Returns the folders to search for interpreters: /usr/bin, those of PATH, and those of pyenv.
std::vector<std::filesystem::path> folders_of_interpreters() {
  std::vector<std::filesystem::path> folders = {"/usr/bin"};
  const char* const path = std::getenv("PATH");
  std::istringstream listed(path ? path : "");
  for (std::string folder; std::getline(listed, folder, ':');) folders.emplace_back(folder);
  const char* const home = std::getenv("HOME");
  const std::filesystem::path versions =
      std::filesystem::path(home ? home : "/") / ".pyenv/versions";
  std::error_code none;
  for (const auto& version : std::filesystem::directory_iterator(versions, none)) {
    folders.push_back(version.path() / "bin");
  }
  return folders;
}

// Returns the path of a working interpreter of a release, or "". "3.13t" is the free-threaded 3.13.
std::string interpreter_of(const std::string& release) {
  const std::string program =
      "import platform, sysconfig; print(platform.python_implementation(), '%s.%s' % "
      "platform.python_version_tuple()[:2] + 't' * "
      "bool(sysconfig.get_config_var('Py_GIL_DISABLED')))";
  for (const std::filesystem::path& folder : folders_of_interpreters()) {
    const std::string python = folder / ("python" + release);
    if (::access(python.c_str(), X_OK) != 0) continue;
    if (test::run({python, "-c", program}).out == "CPython " + release + "\n") return python;
  }
  return "";
}

// Runs compare_stacks.py with an interpreter of this release.
void compare_stacks(const std::string& release) {
  const std::string python = interpreter_of(release);
  if (python.empty()) test::skip_because("Python " + release + " is not installed");
  const std::string script = LAPSCOPE_SOURCE_DIR "/tests/collector/python_frames/compare_stacks.py";
  // The program runs for many seconds, and up to 120 s on a busy machine.
  test::Child program([&] {
    ::execl(python.c_str(), python.c_str(), script.c_str(), LAPSCOPE_PYTHON_FRAMES_PROBE, nullptr);
    return 127;
  });
  const test::Finished done = program.wait(std::chrono::seconds(120));
  INFO(python << "\n" << done.out << done.err);
  CHECK(done.exit_status == 0);
  CHECK(done.out.find("an-interpreter-that-ends: ok") != std::string::npos);
}

TEST_CASE("stacks of Python 3.10 are read as it reads them itself", "[python]") {
  compare_stacks("3.10");
}

TEST_CASE("stacks of Python 3.11 are read as it reads them itself", "[python]") {
  compare_stacks("3.11");
}

TEST_CASE("stacks of Python 3.12 are read as it reads them itself", "[python]") {
  compare_stacks("3.12");
}

TEST_CASE("stacks of Python 3.13 are read as it reads them itself", "[python]") {
  compare_stacks("3.13");
}

TEST_CASE("stacks of Python 3.14 are read as it reads them itself", "[python]") {
  compare_stacks("3.14");
}

TEST_CASE("stacks of Python 3.15 are read as it reads them itself", "[python]") {
  compare_stacks("3.15");
}

TEST_CASE("stacks of a free-threaded Python 3.13 are read as it reads them itself", "[python]") {
  compare_stacks("3.13t");
}

TEST_CASE("stacks of a free-threaded Python 3.14 are read as it reads them itself", "[python]") {
  compare_stacks("3.14t");
}

TEST_CASE("stacks of a free-threaded Python 3.15 are read as it reads them itself", "[python]") {
  compare_stacks("3.15t");
}

TEST_CASE("the loop of PyTorch's autograd threads is found where PyTorch is loaded", "[python]") {
  CHECK_FALSE(find_autograd_loop());
  void* torch = ::dlopen(LAPSCOPE_FAKE_TORCH, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(torch);
  const auto loop = find_autograd_loop();
  REQUIRE(loop);
  const auto begin = reinterpret_cast<std::uintptr_t>(
      ::dlsym(torch, "_ZN5torch8autograd6Engine11thread_mainERKSt10shared_ptrINS0_9GraphTaskEE"));
  CHECK(loop->begin == begin);
  CHECK(loop->contains(begin + 1));
  CHECK(loop->end < begin + 4096);
}

TEST_CASE("a program without Python has no interpreter", "[python]") {
  const FoundInterpreter found = find_interpreter();
  CHECK_FALSE(found.interpreter);
  CHECK_FALSE(found.is_python);
  CHECK(found.why_not == "There is no Python in this process.");
}

}  // namespace
}  // namespace lapscope::python_frames
