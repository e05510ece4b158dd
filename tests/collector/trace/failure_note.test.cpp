#include "collector/trace/failure_note.h"

#include <system_error>

#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::trace {
namespace {

TEST_CASE("no note is no failure", "[trace]") {
  const test::TemporaryFolder folder;
  CHECK(read_notes(folder / "note").empty());
}

TEST_CASE("a note has the latest of each trace", "[trace]") {
  const test::TemporaryFolder folder;
  const auto note = folder / "note";
  append_note(note, {"/data/a.sqlite", 10, "database or disk is full"});
  append_note(note, {"/data/b c.sqlite", 0, "Permission denied"});
  append_note(note, {"/data/a.sqlite", 700, "database or disk is full"});
  const auto failures = read_notes(note);
  REQUIRE(failures.size() == 2);
  CHECK(failures[0].trace == "/data/a.sqlite");
  CHECK(failures[0].lost == 700);
  CHECK(failures[0].why == "database or disk is full");
  CHECK(failures[1].trace == "/data/b c.sqlite");
  CHECK(failures[1].lost == 0);
  CHECK(failures[1].why == "Permission denied");
}

TEST_CASE("a note stays one line whatever it tells of", "[trace]") {
  const test::TemporaryFolder folder;
  append_note(folder / "note", {"/a\tb\nc", 1, "d\ne\tf"});
  const auto failures = read_notes(folder / "note");
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].trace == "/a b c");
  CHECK(failures[0].why == "d e f");
}

TEST_CASE("lines that are no notes are left out", "[trace]") {
  const test::TemporaryFolder folder;
  test::write_file(folder / "note", "\n1\ntext\nmany\t/a\tb\n2\t/c\td\n3\t/e");
  const auto failures = read_notes(folder / "note");
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].trace == "/c");
}

TEST_CASE("a note that cannot be written is an error", "[trace]") {
  const test::TemporaryFolder folder;
  REQUIRE_THROWS_AS(append_note(folder / "none" / "note", {"/a", 1, "b"}), std::system_error);
}

}  // namespace
}  // namespace lapscope::trace
