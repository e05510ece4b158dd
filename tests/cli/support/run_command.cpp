#include "tests/cli/support/run_command.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "tests/analyzer/support/trace_file.h"

namespace lapscope::test {
namespace {

void redirect(int descriptor, const char* path, int flags) {
  const int file = ::open(path, flags, 0600);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(99);
}

}  // namespace

CommandResult run_lapscope(std::vector<std::string> arguments,
                           const std::vector<std::pair<std::string, std::string>>& environment) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  arguments.insert(arguments.begin(), LAPSCOPE_COMMAND);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT);
    redirect(STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT);
    ::execv(argv[0], argv.data());
    ::_exit(99);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), read_file(out),
          read_file(err)};
}

}  // namespace lapscope::test
