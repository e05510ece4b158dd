#include "workloads/streams/suite/planted.h"

#include <filesystem>
#include <fstream>

#include "tests/catch.h"
#include "workloads/streams/suite/case_registry.h"

namespace lapscope::workloads::streams {
namespace {

std::string text_of(const SourceLine& where) {
  std::ifstream file(std::filesystem::path(LAPSCOPE_SOURCE_DIR) / where.file);
  REQUIRE(file);
  std::string line;
  for (int i = 0; i < where.line; ++i) REQUIRE(std::getline(file, line));
  return line;
}

bool is_broken(const Case& each) { return each.variants.front().name == "broken"; }

TEST_CASE("every broken case knows the lines of its mistake", "[streams]") {
  for (const Case& each : all_cases()) {
    INFO(each.name);
    REQUIRE(planted_lines(each.name).empty() != is_broken(each));
    for (const SourceLine& where : planted_lines(each.name)) {
      const std::string line = text_of(where);
      INFO(where.file << ":" << where.line << ": " << line);
      REQUIRE(line.find("PLANTED(") != std::string::npos);
      REQUIRE(line.find(each.name) != std::string::npos);
    }
  }
}

int twice(int number) { return 2 * number; }

TEST_CASE("a marked call has its value, and all names have its line", "[streams]") {
  const int line = __LINE__ + 1;
  const int four = PLANTED("one-test, other-test", twice(2));
  REQUIRE(four == 4);
  for (const char* name : {"one-test", "other-test"}) {
    REQUIRE(planted_lines(name).size() == 1);
    REQUIRE(planted_lines(name)[0].line == line);
  }
  REQUIRE(planted_lines("no-test").empty());
}

TEST_CASE("a mistake may be several calls", "[streams]") {
  PLANTED("two-calls", twice(1));
  PLANTED("two-calls", twice(2));
  const auto lines = planted_lines("two-calls");
  REQUIRE(lines.size() == 2);
  REQUIRE(lines[0].line + 1 == lines[1].line);
}

}  // namespace
}  // namespace lapscope::workloads::streams
