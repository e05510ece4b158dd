#include <dlfcn.h>

#include <string>
#include <vector>

#include "collector/python_frames/interpreter.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::python_frames {
namespace {

// Compares what is read of an interpreter's stacks with what it says itself, case by case.
void compare_stacks(const std::string& python, const std::string& release) {
  const std::string program =
      "import platform; print(platform.python_implementation(), '%s.%s' % "
      "platform.python_version_tuple()[:2])";
  if (python.empty() || test::run({python, "-c", program}).out != "CPython " + release + "\n") {
    test::skip_because("Python " + release + " is not installed");
  }
  const std::string script = LAPSCOPE_SOURCE_DIR "/tests/collector/python_frames/compare_stacks.py";
  const test::Finished done = test::run({python, script, LAPSCOPE_PYTHON_FRAMES_PROBE});
  INFO(done.out << done.err);
  CHECK(done.exit_status == 0);
  CHECK(done.out.find("an-interpreter-that-ends: ok") != std::string::npos);
}

TEST_CASE("stacks of Python 3.11 are read as it reads them itself", "[python]") {
  compare_stacks(LAPSCOPE_PYTHON_3_11, "3.11");
}

TEST_CASE("stacks of Python 3.12 are read as it reads them itself", "[python]") {
  compare_stacks(LAPSCOPE_PYTHON_3_12, "3.12");
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
