#include "analyzer/kinds_file/kinds_file.h"

#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

TEST_CASE("rows of a kinds file are read in their order") {
  const auto rows = read_kinds_file(R"(
    [[kind]]
    kind = "data_loading"
    files = ["loader/*", "images.py"]
    reach = "below"

    [[kind]]
    kind = "lock"
    functions = "Pool.acquire"
    modules = "libpool.so*"
    states = ["lock", "polling"]

    [[kind]]
    kind = "sleep"
    states = "other"
  )",
                                    "kinds.toml");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].kind == HostKind::data_loading);
  CHECK(rows[0].files == std::vector<std::string>{"loader/*", "images.py"});
  CHECK(rows[0].reach == KindRow::Reach::below);
  CHECK(rows[1].functions == std::vector<std::string>{"Pool.acquire"});
  CHECK(rows[1].modules == std::vector<std::string>{"libpool.so*"});
  CHECK(rows[1].states == std::vector{ThreadState::lock, ThreadState::polling});
  CHECK(rows[1].reach == KindRow::Reach::anywhere);
  CHECK(rows[2].reach == KindRow::Reach::anywhere);
}

TEST_CASE("what is wrong in a kinds file is said with its place") {
  struct Case {
    const char* content;
    const char* message;
  };
  const Case cases[] = {
      {"[[kind]]\nkind = \"data_lading\"\nfiles = \"a\"", "k.toml:2:8: there is no 'data_lading'"},
      {"[[kind]]\nfiles = \"a\"", "a row says of which kind it is"},
      {"[[kind]]\nkind = \"user\"", "fits everything"},
      {"[[kind]]\nkind = \"user\"\nfiles = 3", "k.toml:3:9: this must be a text in quotes"},
      {"[[kind]]\nkind = \"user\"\nfile = \"a\"", "unknown key 'file'"},
      {"[[kind]]\nkind = \"user\"\nfiles = \"a\"\nreach = \"far\"", "reach is \"here\""},
      {"[[kind]]\nkind = \"user\"\nstates = [\"idle\"]", "there is no 'idle'"},
      {"[[kind]]\nkind = \"user\"\nfiles = \"a\"\nstates = \"lock\"\nreach = \"below\"",
       "k.toml:1:1: a row for the state 'lock' needs reach = \"anywhere\" or \"first\""},
      {"kind = 3", "only [[kind]] is known here"},
      {"[[kind]", "k.toml:1:"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.content);
    std::string message;
    try {
      read_kinds_file(one.content, "k.toml");
    } catch (const KindsFileError& error) {
      message = error.what();
    }
    CHECK(message.find(one.message) != std::string::npos);
  }
}

}  // namespace
}  // namespace lapscope::analyzer
