#include "collector/control/armed_processes.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "collector/control/control_socket.h"
#include "collector/trace/output_name.h"
#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::control {
namespace {

using namespace std::chrono_literals;

TEST_CASE("a socket's name has the host and the process") {
  const std::string name = socket_name("node7.cluster", 4711);
  CHECK(name == "node7.cluster.4711");
  CHECK(process_of(name, "node7.cluster") == 4711);
  CHECK_FALSE(process_of(name, "node8.cluster"));
  CHECK_FALSE(process_of("node7.cluster.x", "node7.cluster"));
  CHECK_FALSE(process_of("node7.cluster.", "node7.cluster"));
}

// Acts as an armed process in this state, and answers one request.
int answer_as(const std::filesystem::path& folder, const State& state) {
  const Socket listening = listen_at(folder, socket_name(trace::host_name(), ::getpid()));
  pollfd wanted{listening.descriptor(), POLLIN, 0};
  if (::poll(&wanted, 1, 10'000) != 1) return 1;
  const Socket caller = accept_on(listening);
  const auto until = Clock::now() + 5s;
  if (!read_line(caller, until)) return 2;
  return write_line(caller, line_of(state), until) ? 0 : 3;
}

TEST_CASE("all processes of this host answer, those that have ended do not") {
  const test::TemporaryFolder folder;
  test::Child first([&] { return answer_as(folder.path(), {false, 0, "", ""}); });
  test::Child second([&] { return answer_as(folder.path(), {true, 2, "/t.2.sqlite", ""}); });
  { const Socket ended = listen_at(folder.path(), socket_name(trace::host_name(), 1)); }
  { const Socket elsewhere = listen_at(folder.path(), socket_name("another-host", 2)); }
  // Until a socket listens, its name begins with a dot.
  REQUIRE(test::eventually([&] {
    const auto names = folder.names();
    return names.size() == 4 && std::ranges::none_of(names, [](const std::string& name) {
             return name.starts_with('.');
           });
  }));
  const auto answers = ask(folder.path(), {});
  REQUIRE(answers.size() == 2);
  CHECK(answers[0].process < answers[1].process);
  const Answer& of_second = answers[answers[0].process == second.pid() ? 0 : 1];
  REQUIRE(of_second.state);
  CHECK(of_second.state->captures == 2);
  CHECK(first.wait().exit_status == 0);
  CHECK(second.wait().exit_status == 0);
  CHECK(folder.names().size() == 3);  // the process that has ended is not asked again
}

// Acts as a process that listens and ends. Its child keeps the socket until the socket's file is
// gone.
int leave_socket_to_child(const std::filesystem::path& folder) {
  const std::string name = socket_name(trace::host_name(), ::getpid());
  const Socket listening = listen_at(folder, name);
  if (::fork() != 0) return 0;
  ::alarm(20);
  while (std::filesystem::exists(folder / name)) std::this_thread::sleep_for(1ms);
  return 0;
}

TEST_CASE("a process that has ended is not waited for, even if its child has its socket") {
  const test::TemporaryFolder folder;
  test::Child ended([&] { return leave_socket_to_child(folder.path()); });
  CHECK(ended.wait().exit_status == 0);
  REQUIRE(folder.names().size() == 1);
  CHECK(ask(folder.path(), {}).empty());
  CHECK(folder.names().empty());
}

TEST_CASE("a process that has ended is not waited for, even if its parent has not noticed it") {
  const test::TemporaryFolder folder;
  test::Child ended([&] { return leave_socket_to_child(folder.path()); });
  siginfo_t seen{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(ended.pid()), &seen, WEXITED | WNOWAIT) == 0);
  CHECK(ask(folder.path(), {}).empty());
  CHECK(folder.names().empty());
  CHECK(ended.wait().exit_status == 0);
}

TEST_CASE("a process that was not started armed has no folder") {
  CHECK_FALSE(folder_of(::getpid()));
  CHECK_FALSE(folder_of(0));
}

}  // namespace
}  // namespace lapscope::control
