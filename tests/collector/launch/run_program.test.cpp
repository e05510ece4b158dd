#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "collector/launch/child_program.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::launch {
namespace {

using test::Child;
using test::TemporaryFolder;

Ended run_shell(const std::string& script, const Variables& added = {}) {
  return run_program("/bin/sh", {"sh", "-c", script}, added);
}

TEST_CASE("the exit status is the program's", "[launch]") {
  for (const int status : {0, 1, 3, 255}) {
    const Ended ended = run_shell("exit " + std::to_string(status));
    CHECK(ended.exit_status == status);
    CHECK(ended.problem.empty());
    CHECK(ended.elapsed_ns > 0);
  }
}

TEST_CASE("a program that a signal ended has 128 and the signal's number", "[launch]") {
  for (const int signal : {SIGKILL, SIGSEGV, SIGTERM, SIGINT}) {
    CHECK(run_shell("kill -" + std::to_string(signal) + " $$").exit_status == 128 + signal);
  }
}

TEST_CASE("the time measured is the program's", "[launch]") {
  const Ended ended = run_shell("sleep 0.05");
  CHECK(ended.elapsed_ns >= 50'000'000);
  CHECK(ended.elapsed_ns < 5'000'000'000);
}

TEST_CASE("a program that cannot be started is no crash", "[launch]") {
  const TemporaryFolder folder;
  const Ended missing = run_program(folder / "none", {"none"}, {});
  CHECK(missing.exit_status == 127);
  CHECK(missing.problem.find("none") != std::string::npos);
  test::write_file(folder / "garbage",
                   "\x7f"
                   "ELF and nothing more");
  std::filesystem::permissions(folder / "garbage", std::filesystem::perms::owner_all);
  const Ended garbage = run_program(folder / "garbage", {"garbage"}, {});
  CHECK(garbage.exit_status == 126);
  CHECK_FALSE(garbage.problem.empty());
}

TEST_CASE("variables are added or replaced and the rest is handed on", "[launch]") {
  const test::ScopedVariable old("LAPSCOPE_TEST_OLD", "old");
  const test::ScopedVariable kept("LAPSCOPE_TEST_OLDER", "kept");
  Child child([] {
    return run_shell(
               "echo \"$LAPSCOPE_TEST_OLD,$LAPSCOPE_TEST_OLDER,$LAPSCOPE_TEST_NEW\"; "
               "env | grep -c ^LAPSCOPE_TEST_OLD=",
               {{"LAPSCOPE_TEST_OLD", "replaced"}, {"LAPSCOPE_TEST_NEW", "a=b c"}})
        .exit_status;
  });
  CHECK(child.wait().out == "replaced,kept,a=b c\n1\n");
}

TEST_CASE("arguments arrive as they are", "[launch]") {
  Child child([] {
    return run_program("/bin/sh", {"name", "-c", "printf '%s|' \"$0\" \"$@\"", "a b", "", "*"}, {})
        .exit_status;
  });
  CHECK(child.wait().out == "a b||*|");
}

TEST_CASE("the standard streams are the launcher's own", "[launch]") {
  Child child([] { return run_shell("cat; echo oops >&2").exit_status; }, "some input");
  const auto finished = child.wait();
  CHECK(finished.exit_status == 0);
  CHECK(finished.out == "some input");
  CHECK(finished.err == "oops\n");
}

TEST_CASE("a signal sent to the launcher reaches the program", "[launch]") {
  for (const int signal :
       {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGXCPU, SIGPIPE, SIGVTALRM, SIGABRT}) {
    INFO(signal);
    const TemporaryFolder folder;
    const std::string ready = (folder / "ready").string();
    Child launcher([&] {
      return run_shell("trap 'exit 7' TERM INT HUP USR1 XCPU PIPE VTALRM ABRT; touch " + ready +
                       "; while :; do sleep 0.01; done")
          .exit_status;
    });
    REQUIRE(test::eventually([&] { return std::filesystem::exists(ready); }));
    launcher.signal(signal);
    CHECK(launcher.wait().exit_status == 7);
  }
}

// Returns a script that writes a line for each signal. It ends when the file `stop` exists.
std::string counting_script(const TemporaryFolder& folder) {
  const std::string got = (folder / "got").string();
  return "trap 'echo got >> " + got + "' TERM INT HUP; touch " + (folder / "ready").string() +
         "; while ! [ -e " + (folder / "stop").string() + " ]; do sleep 0.01; done; exit 9";
}

std::size_t lines_in(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return 0;
  const std::string text = test::read_file(path);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

//   kill(group)  ->  launcher, program          each gets it from the kernel
//   kill(launcher)  ->  launcher  ->  program   passed on
TEST_CASE("a signal to the whole process group reaches the program once", "[launch]") {
  const TemporaryFolder folder;
  const std::string script = counting_script(folder);
  Child launcher([&script] {
    ::setpgid(0, 0);
    return run_shell(script).exit_status;
  });
  REQUIRE(test::eventually([&] { return std::filesystem::exists(folder / "ready"); }));
  std::size_t expected = 0;
  // The third signal goes only to the launcher, which must pass it to the program. The others go to
  // the group.
  for (const bool whole_group : {true, true, false, true}) {
    INFO(expected);
    whole_group ? launcher.signal_group(SIGTERM) : launcher.signal(SIGTERM);
    ++expected;
    REQUIRE(test::eventually([&] { return lines_in(folder / "got") >= expected; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // time for an additional signal
    CHECK(lines_in(folder / "got") == expected);
  }
  test::write_file(folder / "stop", "");
  CHECK(launcher.wait().exit_status == 9);
}

TEST_CASE("a program that has left the process group gets what is sent to the group", "[launch]") {
  const TemporaryFolder folder;
  test::write_file(folder / "script", counting_script(folder));
  Child launcher([&folder] {
    ::setpgid(0, 0);
    return run_shell("exec setsid -w sh " + (folder / "script").string()).exit_status;
  });
  REQUIRE(test::eventually([&] { return std::filesystem::exists(folder / "ready"); }));
  launcher.signal_group(SIGHUP);
  CHECK(test::eventually([&] { return lines_in(folder / "got") == 1; }));
  test::write_file(folder / "stop", "");
  CHECK(launcher.wait().exit_status == 9);
}

constexpr int asked = 100;  // added to the exit status by InTerminal

// A launcher that leads a session, in the foreground of its terminal. Its exit status is the
// program's, plus `asked` if a signal asked the program to end.
class InTerminal {
 public:
  explicit InTerminal(const std::string& script) {
    REQUIRE(::grantpt(terminal_) == 0);
    REQUIRE(::unlockpt(terminal_) == 0);
    const std::string name = ::ptsname(terminal_);
    launcher_.emplace([&name, &script, this] {
      ::close(terminal_);
      ::setsid();
      ::open(name.c_str(), O_RDWR);  // becomes the terminal of the new session
      const Ended ended = run_shell(script);
      return ended.exit_status + (ended.asked_to_end ? asked : 0);
    });
  }
  ~InTerminal() { hang_up(); }
  InTerminal(const InTerminal&) = delete;
  InTerminal& operator=(const InTerminal&) = delete;

  void type(char key) const { REQUIRE(::write(terminal_, &key, 1) == 1); }
  void hang_up() {
    if (terminal_ >= 0) ::close(terminal_);
    terminal_ = -1;
  }
  Child& launcher() { return *launcher_; }

 private:
  int terminal_ = ::posix_openpt(O_RDWR | O_NOCTTY);
  std::optional<Child> launcher_;
};

constexpr char ctrl_c = '\x03';

// `timeout` makes its own process group, which Ctrl-C does not reach.
TEST_CASE("Ctrl-C reaches a program that has left the process group", "[launch]") {
  const TemporaryFolder folder;
  test::write_file(folder / "script", "trap 'exit 7' INT; touch " + (folder / "ready").string() +
                                          "; while :; do sleep 0.01; done");
  InTerminal terminal("exec timeout 20 sh " + (folder / "script").string());
  REQUIRE(test::eventually([&] { return std::filesystem::exists(folder / "ready"); }));
  terminal.type(ctrl_c);
  const auto finished = terminal.launcher().wait(std::chrono::seconds(5));
  CHECK_FALSE(finished.timed_out);
  CHECK(finished.exit_status == 7 + asked);
}

TEST_CASE("Ctrl-C reaches a program of the process group once", "[launch]") {
  const TemporaryFolder folder;
  InTerminal terminal(counting_script(folder));
  REQUIRE(test::eventually([&] { return std::filesystem::exists(folder / "ready"); }));
  terminal.type(ctrl_c);
  CHECK(test::eventually([&] { return lines_in(folder / "got") == 1; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // time for an additional signal
  CHECK(lines_in(folder / "got") == 1);
  test::write_file(folder / "stop", "");
  CHECK(terminal.launcher().wait().exit_status == 9 + asked);
}

// Linux sends SIGHUP to the leader of the session. Without lapscope, the program is the leader.
TEST_CASE(
    "if the launcher leads the session and the terminal hangs up, the program gets one signal",
    "[launch]") {
  const TemporaryFolder folder;
  InTerminal terminal(counting_script(folder));
  REQUIRE(test::eventually([&] { return std::filesystem::exists(folder / "ready"); }));
  terminal.hang_up();
  CHECK(test::eventually([&] { return lines_in(folder / "got") == 1; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // time for an additional signal
  CHECK(lines_in(folder / "got") == 1);
  test::write_file(folder / "stop", "");
  CHECK(terminal.launcher().wait().exit_status == 9 + asked);
}

TEST_CASE("a program with a session of its own survives that the terminal hangs up", "[launch]") {
  const TemporaryFolder folder;
  test::write_file(folder / "script", counting_script(folder));
  InTerminal terminal("exec setsid -w sh " + (folder / "script").string());
  REQUIRE(test::eventually([&] { return std::filesystem::exists(folder / "ready"); }));
  terminal.hang_up();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK(lines_in(folder / "got") == 0);
  test::write_file(folder / "stop", "");
  CHECK(terminal.launcher().wait().exit_status == 9);  // no signal asked the program to end
}

TEST_CASE("the launcher tells whether a signal asked for the end", "[launch]") {
  const TemporaryFolder folder;
  const std::string ready = (folder / "ready").string();
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) {
    INFO(signal);
    std::filesystem::remove(ready);
    Child launcher([&] {
      const Ended ended = run_shell("trap 'exit 0' TERM INT USR1; touch " + ready +
                                    "; while :; do sleep 0.01; done");
      return ended.exit_status == 0 && ended.asked_to_end == (signal != SIGUSR1) ? 0 : 1;
    });
    REQUIRE(test::eventually([&] { return std::filesystem::exists(ready); }));
    launcher.signal(signal);
    CHECK(launcher.wait().exit_status == 0);
  }
}

TEST_CASE("a signal that nohup makes the launcher ignore asks for nothing", "[launch]") {
  const TemporaryFolder folder;
  Child launcher([&folder] {
    ::signal(SIGHUP, SIG_IGN);
    const Ended ended = run_shell(counting_script(folder));
    return ended.exit_status == 9 && !ended.asked_to_end ? 0 : 1;
  });
  REQUIRE(test::eventually([&] { return std::filesystem::exists(folder / "ready"); }));
  launcher.signal(SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  test::write_file(folder / "stop", "");
  CHECK(launcher.wait().exit_status == 0);
}

TEST_CASE("the launcher leaves no process behind", "[launch]") {
  const TemporaryFolder folder;
  Child launcher([&folder] {
    ::setpgid(0, 0);
    test::write_file(folder / "group", std::to_string(::getpgrp()));
    return run_shell("exit 3").exit_status;
  });
  CHECK(launcher.wait().exit_status == 3);
  const pid_t group = std::stoi(test::read_file(folder / "group"));
  CHECK(test::eventually([group] { return ::kill(-group, 0) != 0; }));
}

TEST_CASE("the launcher outlives a signal that the program survives", "[launch]") {
  const TemporaryFolder folder;
  const std::string ready = (folder / "ready").string();
  const std::string got = (folder / "got").string();
  Child launcher([&] {
    return run_shell("trap 'touch " + got + "' TERM; touch " + ready + "; while ! [ -e " + got +
                     " ]; do sleep 0.01; done; exit 9")
        .exit_status;
  });
  REQUIRE(test::eventually([&] { return std::filesystem::exists(ready); }));
  launcher.signal(SIGTERM);
  CHECK(launcher.wait().exit_status == 9);
}

TEST_CASE("signals are blocked neither in the program nor afterwards", "[launch]") {
  sigset_t before;
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  // SigBlk is hexadecimal. dash blocks no signals.
  Child child([] { return run_shell("grep SigBlk /proc/self/status").exit_status; });
  CHECK(child.wait().out == "SigBlk:\t0000000000000000\n");
  run_shell("exit 0");
  ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    CHECK(sigismember(&before, signal) == sigismember(&after, signal));
  }
}

TEST_CASE("a parent that ignored SIGCHLD does not make the launcher hang", "[launch]") {
  Child child([] {
    ::signal(SIGCHLD, SIG_IGN);
    return run_shell("exit 5").exit_status;
  });
  CHECK(child.wait().exit_status == 5);
}

TEST_CASE("a real-time signal sent to the launcher reaches the program", "[launch]") {
  const TemporaryFolder folder;
  Child launcher([&folder] {
    return run_shell("trap 'exit 7' " + std::to_string(SIGRTMAX) + "; touch " +
                     (folder / "ready").string() + "; while :; do sleep 0.01; done")
        .exit_status;
  });
  REQUIRE(test::eventually([&] { return std::filesystem::exists(folder / "ready"); }));
  launcher.signal(SIGRTMAX);
  CHECK(launcher.wait().exit_status == 7);
}

// A timer of alarm() survives exec. The launcher gets its signal, and must pass it to the program.
TEST_CASE("a timer that was set before goes on to the program", "[launch]") {
  Child child([] {
    ::alarm(1);
    return run_shell("sleep 20").exit_status;
  });
  CHECK(child.wait().exit_status == 128 + SIGALRM);
}

}  // namespace
}  // namespace lapscope::launch
