#include "tests/analyzer/findings/assumptions_table.h"
#include "reports/words/findings.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "analyzer/fixes/fix.h"
#include "analyzer/model/assumptions.h"
#include "tests/catch.h"

namespace lapscope::test {
namespace {

using analyzer::Assumption;

const std::filesystem::path source_root = LAPSCOPE_SOURCE_DIR;

std::string source_of(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(source_root / file).rdbuf();
  return text.str();
}

std::string replaced(const std::string& text, const char* pattern) {
  return std::regex_replace(text, std::regex(pattern), "");
}

// If this test fails, run tests/approve.sh BUILD_DIR and review the changed page.
TEST_CASE("docs/numbers.md has the numbers and rules that the analysis has") {
  const std::string page = source_of("docs/numbers.md");
  CHECK((page == with_assumptions(page)));
}

TEST_CASE("every number is in one table, and says what it is and why") {
  const std::regex declared(R"(inline constexpr (?:Long|Count|Real) (\w+)\()");
  std::set<std::string_view> all;
  for (const analyzer::AssumptionTable& table : analyzer::assumption_tables) {
    INFO(table.name);
    const std::string header =
        source_of("analyzer/model/numbers/" + std::string(table.name) + "_numbers.h");
    std::set<std::string> names;
    for (std::sregex_iterator at(header.begin(), header.end(), declared), end; at != end; ++at) {
      names.insert((*at)[1]);
    }
    CHECK(names.size() == table.numbers.size());
    for (const Assumption* one : table.numbers) {
      INFO(one->name);
      CHECK(names.count(std::string(one->name)) == 1);
      CHECK(all.insert(one->name).second);
      CHECK(!one->meaning.empty());
      CHECK(!one->source.empty());
      CHECK(one->meaning.find('|') == std::string_view::npos);
    }
  }
}

// The tables must not have a number that no function reads.
TEST_CASE("every number is used by a function") {
  std::set<std::string> asked;
  const std::regex number(R"(assumed::(\w+))");
  for (const char* folder : {"analyzer", "readers", "reports"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_root / folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      const std::string code = source_of(entry.path());
      for (std::sregex_iterator at(code.begin(), code.end(), number), end; at != end; ++at) {
        asked.insert((*at)[1]);
      }
    }
  }
  analyzer::for_each_assumption([&asked](const Assumption& one) {
    INFO(one.name);
    CHECK(asked.count(std::string(one.name)) == 1);
  });
}

// A fraction in the code, or a time of at least a microsecond, is an assumption, so it must be in
// analyzer/model/numbers. Other files may have only units, and margins against rounding.
TEST_CASE("no other file of the analyzer has numbers of its own") {
  const std::set<std::string> known = {"0.0",  "1.0",  "1.0F",  "0.5",   "1e3",  "1e6",      "1e9",
                                       "1e-9", "1e-3", "1e-3F", "1e-4F", "9e18", "1'000'000"};
  const std::regex number(R"(\b(\d+\.\d+F?|\d+e-?\d+F?|\d+'\d{3}['\d]*)(?!\w))");
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(source_root / "analyzer")) {
    const auto file = std::filesystem::relative(entry.path(), source_root);
    const bool is_source = file.extension() == ".cpp" || file.extension() == ".h";
    const bool is_table = file.parent_path().stem() == "numbers";
    if (!is_source || is_table || file.stem() == "recorded_accuracy") continue;
    const std::string code =
        replaced(replaced(source_of(file), R"(//[^\n]*)"), R"("(\\.|[^"\\\n])*")");
    for (std::sregex_iterator at(code.begin(), code.end(), number), end; at != end; ++at) {
      INFO(file << ": " << (*at)[1] << " belongs into analyzer/model/numbers");
      CHECK(known.count((*at)[1]) == 1);
    }
  }
}

TEST_CASE("what fixes do when no number is given is what is assumed") {
  const auto says = [](const analyzer::Fix& fix, std::uint32_t number) {
    return reports::number_of(fix.cause).find(std::to_string(number) + " if left out") !=
           std::string_view::npos;
  };
  CHECK(says(analyzer::split_streams, analyzer::assumed::streams_for_one));
  CHECK(says(analyzer::more_connections, analyzer::assumed::most_connections));
}

}  // namespace
}  // namespace lapscope::test
