#include "tests/collector/support/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <thread>

namespace lapscope::test {
namespace {

using Clock = std::chrono::steady_clock;

void replace_stream(int stream, const std::filesystem::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags, 0600);
  if (descriptor < 0 || ::dup2(descriptor, stream) < 0) ::_exit(125);
  ::close(descriptor);
}

void pause_briefly() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

}  // namespace

Child::Child(const std::function<int()>& body, const std::string& input) {
  write_file(streams_ / "in", input);
  pid_ = ::fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ > 0) return;
  replace_stream(STDIN_FILENO, streams_ / "in", O_RDONLY);
  replace_stream(STDOUT_FILENO, streams_ / "out", O_WRONLY | O_CREAT);
  replace_stream(STDERR_FILENO, streams_ / "err", O_WRONLY | O_CREAT);
  int status = 125;
  try {
    status = body();
  } catch (const std::exception& error) {
    // This failure cannot be reported.
    if (::write(STDERR_FILENO, error.what(), std::string(error.what()).size()) < 0) ::_exit(98);
  }
  ::_exit(status);  // skips destructors, which belong to the test process
}

Child::~Child() {
  if (pid_ > 0) wait(std::chrono::seconds(0));
}

void Child::signal(int number) const { ::kill(pid_, number); }

void Child::signal_group(int number) const { ::kill(-pid_, number); }

Finished Child::wait(std::chrono::seconds patience) {
  Finished finished;
  const auto deadline = Clock::now() + patience;
  int status = 0;
  while (::waitpid(pid_, &status, WNOHANG) == 0) {
    if (!finished.timed_out && Clock::now() >= deadline) {
      finished.timed_out = true;
      ::kill(pid_, SIGKILL);
    }
    pause_briefly();
  }
  pid_ = -1;
  finished.exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  finished.out = read_file(streams_ / "out");
  finished.err = read_file(streams_ / "err");
  return finished;
}

Finished run(const std::vector<std::string>& command, const Environment& added,
             const std::string& input) {
  return Child(
             [&] {
               for (const auto& [name, value] : added) ::setenv(name.c_str(), value.c_str(), 1);
               std::vector<std::string> texts = command;
               std::vector<char*> argv;
               for (std::string& text : texts) argv.push_back(text.data());
               argv.push_back(nullptr);
               ::execvp(argv.front(), argv.data());
               return 127;
             },
             input)
      .wait();
}

bool eventually(const std::function<bool()>& condition) {
  const auto deadline = Clock::now() + std::chrono::seconds(5);
  while (!condition()) {
    if (Clock::now() >= deadline) return false;
    pause_briefly();
  }
  return true;
}

ScopedVariable::ScopedVariable(std::string name, const char* value) : name_(std::move(name)) {
  const char* before = std::getenv(name_.c_str());
  was_set_ = before != nullptr;
  if (before) before_ = before;
  set(value);
}

ScopedVariable::~ScopedVariable() { set(was_set_ ? before_.c_str() : nullptr); }

void ScopedVariable::set(const char* value) const {
  if (value) {
    ::setenv(name_.c_str(), value, 1);
  } else {
    ::unsetenv(name_.c_str());
  }
}

}  // namespace lapscope::test
