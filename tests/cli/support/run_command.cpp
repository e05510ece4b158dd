#include "tests/cli/support/run_command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string_view>

#include "cli/command_line.h"
#include "tests/analyzer/support/trace_file.h"

namespace lapscope::test {
namespace {

// Starts a process with posix_spawn. Under AddressSanitizer, fork would copy large page tables,
// which takes longer than most commands.
class Spawn {
 public:
  Spawn() { ::posix_spawn_file_actions_init(&actions_); }
  ~Spawn() { ::posix_spawn_file_actions_destroy(&actions_); }
  Spawn(const Spawn&) = delete;
  Spawn& operator=(const Spawn&) = delete;

  void open(int descriptor, const char* path, int flags) {
    ::posix_spawn_file_actions_addopen(&actions_, descriptor, path, flags, 0600);
  }
  // Returns the exit status, or 128 + n after signal n.
  int run(char** argv, char** environment) {
    pid_t child = 0;
    if (::posix_spawn(&child, argv[0], &actions_, nullptr, argv, environment) != 0) {
      throw std::runtime_error("cannot start " + std::string(argv[0]));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  posix_spawn_file_actions_t actions_{};
};

// During its lifetime, redirects a descriptor of this process to a file.
class Redirected {
 public:
  Redirected(int descriptor, const std::string& path)
      : descriptor_(descriptor), kept_(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) {
    flush();
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || kept_ < 0) throw std::runtime_error("cannot redirect to " + path);
    ::dup2(file, descriptor_);
    ::close(file);
  }
  ~Redirected() {
    flush();
    ::dup2(kept_, descriptor_);
    ::close(kept_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  static void flush() {
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
  }
  int descriptor_;
  int kept_;
};

// Returns the environment of this process with changed variables.
std::vector<std::string> with(const std::vector<std::pair<std::string, std::string>>& settings) {
  std::vector<std::string> variables;
  for (const auto& [name, value] : settings) variables.push_back(name + "=" + value);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const bool is_set_anew =
        std::any_of(settings.begin(), settings.end(),
                    [text](const auto& setting) { return text.starts_with(setting.first + "="); });
    if (!is_set_anew) variables.emplace_back(text);
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

CommandResult run_lapscope(std::vector<std::string> arguments,
                           const std::vector<std::pair<std::string, std::string>>& environment) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  arguments.insert(arguments.begin(), LAPSCOPE_COMMAND);
  std::vector<std::string> variables = with(environment);
  if (std::none_of(environment.begin(), environment.end(),
                   [](const auto& setting) { return setting.first == "XDG_CONFIG_HOME"; })) {
    variables.insert(variables.begin(), "XDG_CONFIG_HOME=/none");
  }

  Spawn spawn;
  spawn.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  spawn.open(STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT);
  spawn.open(STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT);
  const int status = spawn.run(pointers(arguments).data(), pointers(variables).data());
  return {status, read_file(out), read_file(err)};
}

CommandResult run_in_process(std::vector<std::string> arguments) {
  ::setenv("XDG_CONFIG_HOME", "/none", 1);
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  int status = 0;
  {
    const Redirected redirected_out(STDOUT_FILENO, out);
    const Redirected redirected_err(STDERR_FILENO, err);
    status = cli::run(std::move(arguments));
  }
  return {status, read_file(out), read_file(err)};
}

std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char letter : text) {
    const bool is_space = letter == ' ' || letter == '\n';
    if (!is_space) {
      line += letter;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

}  // namespace lapscope::test
