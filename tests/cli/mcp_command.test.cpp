#include <filesystem>
#include <fstream>
#include <string>

#include "tests/catch.h"
#include "tests/cli/support/run_command.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::test {
namespace {

namespace fs = std::filesystem;

TEST_CASE("mcp becomes the server of the Python package, with the folders", "[mcp]") {
  const TemporaryFolder folder;
  const fs::path server = folder / "lapscope-mcp";
  std::ofstream(server) << "#!/bin/sh\necho \"$# $1 $2\"\nexit 7\n";
  fs::permissions(server, fs::perms::owner_all);
  const CommandResult result =
      run_lapscope({"mcp", "a b", "c"}, {{"PATH", folder.path().string() + ":/usr/bin:/bin"}});
  CHECK(result.status == 7);
  CHECK(result.out == "2 a b c\n");
}

TEST_CASE("where there is no server, a sentence says how to get it", "[mcp]") {
  const CommandResult result = run_lapscope({"mcp", "."}, {{"PATH", "/nowhere"}});
  CHECK(result.status == 4);
  CHECK(result.out.empty());
  CHECK_THAT(on_one_line(result.err), Containing("pip install 'lapscope[mcp]'"));
  CHECK(run_lapscope({"mcp"}).status == 2);
}

}  // namespace
}  // namespace lapscope::test
