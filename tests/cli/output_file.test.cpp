#include "cli/output_file.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/analyzer/support/trace_file.h"
#include "tests/catch.h"

namespace lapscope::cli {
namespace {

using test::TemporaryFolder;

bool knows_nameless_files(const TemporaryFolder& folder) {
  const int file = ::open(folder.path().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

TEST_CASE("nothing is left of a file whose process was killed before it was complete") {
  const TemporaryFolder folder;
  if (!knows_nameless_files(folder)) {
    SKIP_BECAUSE("the file system of the temporary folder has no nameless files");
  }
  for (const int signal : {SIGINT, SIGTERM, SIGKILL}) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::signal(signal, SIG_DFL);
      OutputFile file(folder / "r.html");
      file.stream() << "half of";
      ::kill(::getpid(), signal);
      ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    REQUIRE(WTERMSIG(status) == signal);
    CHECK(test::names_in(folder.path()).empty());
  }
}

TEST_CASE("a file appears when it is complete, and not before") {
  const TemporaryFolder folder;
  {
    OutputFile file(folder / "r.txt");
    file.stream() << "all of it";
    CHECK_FALSE(std::filesystem::exists(folder / "r.txt"));
    file.commit();
  }
  CHECK(test::names_in(folder.path()) == std::vector<std::string>{"r.txt"});
  CHECK(test::read_file(folder / "r.txt") == "all of it");
  { const OutputFile given_up(folder / "q.txt"); }
  CHECK(test::names_in(folder.path()) == std::vector<std::string>{"r.txt"});
}

}  // namespace
}  // namespace lapscope::cli
