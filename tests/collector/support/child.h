#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/collector/support/temporary_folder.h"

namespace lapscope::test {

struct Finished {
  int exit_status = 0;  // 128 + n if signal n ended it
  bool timed_out = false;
  std::string out;
  std::string err;
};

// A forked child process, which exits with the result of a function. It has its own standard
// streams. Use it for code that is killed, changes the environment or loses its standard input.
class Child {
 public:
  explicit Child(const std::function<int()>& body, const std::string& input = {});
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t pid() const { return pid_; }
  void signal(int number) const;
  void signal_group(int number) const;  // the child must be the leader of its group
  // Waits until the child ends. After `patience`, kills it, so that a hang fails the test.
  Finished wait(std::chrono::seconds patience = std::chrono::seconds(20));

 private:
  TemporaryFolder streams_;
  pid_t pid_ = -1;
};

using Environment = std::vector<std::pair<std::string, std::string>>;

// Runs a program, in this process's environment plus `added`.
Finished run(const std::vector<std::string>& command, const Environment& added = {},
             const std::string& input = {});

// Waits for the condition. Returns false if it does not hold within five seconds.
bool eventually(const std::function<bool()>& condition);

// Sets an environment variable, or unsets it if the value is null. The destructor restores it.
class ScopedVariable {
 public:
  ScopedVariable(std::string name, const char* value);
  ~ScopedVariable();
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  void set(const char* value) const;

  std::string name_;
  std::string before_;
  bool was_set_;
};

}  // namespace lapscope::test
