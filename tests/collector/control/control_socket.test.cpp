#include "collector/control/control_socket.h"

#include <poll.h>
#include <sys/stat.h>

#include <system_error>

#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::control {
namespace {

using namespace std::chrono_literals;

Socket accepted(const Socket& listening) {
  pollfd wanted{listening.descriptor(), POLLIN, 0};
  REQUIRE(::poll(&wanted, 1, 5'000) == 1);
  return accept_on(listening);
}

TEST_CASE("lines go both ways, through folders with longer names than a socket may have") {
  const test::TemporaryFolder folder;
  const auto deep = folder / std::string(120, 'd') / std::string(120, 'e');
  std::filesystem::create_directories(deep);
  const Socket listening = listen_at(deep, "host.4711");
  const Socket caller = connect_to(deep, "host.4711");
  const Socket called = accepted(listening);
  REQUIRE(called);
  const auto until = Clock::now() + 5s;
  CHECK(write_line(caller, "start 5000", until));
  CHECK(read_line(called, until) == "start 5000");
  CHECK(write_line(called, "armed", until));
  CHECK(read_line(caller, until) == "armed");
}

TEST_CASE("who says nothing, or too much, has said no line") {
  const test::TemporaryFolder folder;
  const Socket listening = listen_at(folder.path(), "s");
  {
    const Socket silent = connect_to(folder.path(), "s");
    CHECK_FALSE(read_line(accepted(listening), Clock::now() + 20ms));
  }
  {
    Socket gone = connect_to(folder.path(), "s");
    const Socket called = accepted(listening);
    gone = Socket();
    CHECK_FALSE(read_line(called, Clock::now() + 5s));
    write_line(called, "nobody is there", Clock::now() + 5s);  // no signal may end the process
  }
  const Socket loud = connect_to(folder.path(), "s");
  const Socket called = accepted(listening);
  CHECK(write_line(loud, std::string(5'000, 'x'), Clock::now() + 5s));
  CHECK_FALSE(read_line(called, Clock::now() + 5s));
}

TEST_CASE("nobody listens any more at the socket of a process that has ended") {
  const test::TemporaryFolder folder;
  { const Socket listening = listen_at(folder.path(), "s"); }
  try {
    connect_to(folder.path(), "s");
    FAIL("connected");
  } catch (const std::system_error& error) {
    CHECK(error.code() == std::errc::connection_refused);
  }
  CHECK_NOTHROW(listen_at(folder.path(), "s"));
}

TEST_CASE("a folder that others may enter is refused") {
  const test::TemporaryFolder folder;
  const auto wanted = folder / "sockets";
  CHECK_FALSE(claim_folder(wanted));
  struct stat status {};
  REQUIRE(::stat(wanted.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  CHECK_FALSE(claim_folder(wanted));
  ::chmod(wanted.c_str(), 0750);
  const auto why = claim_folder(wanted);
  REQUIRE(why);
  CHECK(why->find("others may enter") != std::string::npos);
  CHECK(claim_folder(folder / "no such" / "folder"));
}

}  // namespace
}  // namespace lapscope::control
