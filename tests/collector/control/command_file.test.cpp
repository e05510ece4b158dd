#include "collector/control/command_file.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "tests/catch.h"
#include "tests/collector/support/child.h"

namespace lapscope::control {
namespace {

using Verb = Command::Verb;

Command starting(std::int64_t iterations) {
  Command command;
  command.verb = Verb::start;
  command.iterations = iterations;
  return command;
}

//   file      none   20     20     20 again
//   read    -      20     -      20
TEST_CASE("each command in the file is read once") {
  const test::TemporaryFolder folder;
  CommandFile file(folder.path());
  CHECK_FALSE(file.next());
  write_command_file(folder.path(), starting(20));
  const auto command = file.next();
  REQUIRE(command);
  CHECK(command->verb == Verb::start);
  CHECK(command->iterations == 20);
  CHECK_FALSE(file.next());
  write_command_file(folder.path(), starting(20));
  CHECK(file.next());
}

TEST_CASE("a command of an earlier run is not read") {
  const test::TemporaryFolder folder;
  write_command_file(folder.path(), starting(20));
  CommandFile file(folder.path());
  CHECK_FALSE(file.next());
  write_command_file(folder.path(), {});
  CHECK(file.next()->verb == Verb::status);
}

TEST_CASE("a file that no command stands in is passed over") {
  const test::TemporaryFolder folder;
  CommandFile file(folder.path());
  for (const char* const text : {"", "one line", "first\nbegin\n", "first\nstart"}) {
    INFO(text);
    std::ofstream(folder.path() / "command") << text;
    CHECK_FALSE(file.next());
  }
}

TEST_CASE("the file is there before a command is") {
  const test::TemporaryFolder folder;
  make_command_file(folder.path());
  CHECK(std::filesystem::exists(folder.path() / "command"));
  CommandFile file(folder.path());
  CHECK_FALSE(file.next());
  write_command_file(folder.path(), starting(20));
  make_command_file(folder.path());
  CHECK(file.next()->iterations == 20);
}

TEST_CASE("a folder that does not exist is an error of the writer") {
  const test::TemporaryFolder folder;
  CHECK_THROWS_AS(write_command_file(folder.path() / "none", {}), std::system_error);
  CommandFile file(folder.path() / "none");
  CHECK_FALSE(file.next());
}

TEST_CASE("nothing but the command is left in the folder") {
  const test::TemporaryFolder folder;
  write_command_file(folder.path(), starting(1));
  CHECK(folder.names() == std::vector<std::string>{"command"});
}

TEST_CASE("a folder in which a process has a socket stays") {
  const test::TemporaryFolder folder;
  write_command_file(folder.path(), starting(1));
  std::ofstream(folder.path() / "host.1") << "";
  remove_unused(folder.path());
  CHECK(folder.names().size() == 2);
  std::filesystem::remove(folder.path() / "host.1");
  remove_unused(folder.path());
  CHECK_FALSE(std::filesystem::exists(folder.path()));
  remove_unused(folder.path());
}

}  // namespace
}  // namespace lapscope::control
