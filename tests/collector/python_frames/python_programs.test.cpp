#include <string>
#include <vector>

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
    SKIP_BECAUSE("Python " + release + " is not installed");
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

}  // namespace
}  // namespace lapscope::python_frames
