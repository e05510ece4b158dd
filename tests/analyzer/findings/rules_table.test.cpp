#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "analyzer/fixes/fix.h"
#include "analyzer/graph/constraint.h"
#include "analyzer/model/rules.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

const std::filesystem::path analyzer_folder = LAPSCOPE_SOURCE_DIR "/analyzer";

std::string text_of(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

std::set<std::string> names_of_rules() {
  std::set<std::string> names;
  for (const Rule* one : rules()) names.emplace(one->name);
  return names;
}

bool is_declared(const Rule* one) { return one->name.find(':') == one->name.npos; }

TEST_CASE("every rule is in the table once, holds, and says what is behind it") {
  CHECK(names_of_rules().size() == rules().size());
  for (const Rule* one : rules()) {
    INFO(one->name);
    CHECK(*one);
    CHECK(!one->fact.empty());
    CHECK(!one->source.empty());
    CHECK(one->fact.find('|') == std::string_view::npos);
  }
  const std::string text = text_of(analyzer_folder / "model/rules.h");
  const std::regex declared(R"(inline constexpr Rule (\w+)\{\s*"(\w+)\")");
  std::size_t count = 0;
  for (std::sregex_iterator at(text.begin(), text.end(), declared), end; at != end; ++at, ++count) {
    INFO((*at)[1]);
    CHECK((*at)[1] == (*at)[2]);
    CHECK(names_of_rules().count((*at)[1]) == 1);
  }
  CHECK(count ==
        static_cast<std::size_t>(std::count_if(rules().begin(), rules().end(), is_declared)));
}

// The table must not have a rule that no function reads.
TEST_CASE("every rule is used by a function") {
  std::set<std::string> asked;
  const std::regex rule(R"(rule::(\w+))");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(analyzer_folder)) {
    if (!entry.is_regular_file() || entry.path().stem() == "rules") continue;
    const std::string code = text_of(entry.path());
    for (std::sregex_iterator at(code.begin(), code.end(), rule), end; at != end; ++at) {
      asked.insert((*at)[1]);
    }
  }
  for (const Rule* one : rules()) {
    INFO(one->name);
    if (is_declared(one)) CHECK(asked.count(std::string(one->name)) == 1);
  }
}

// A new rule must be in two places: in a registry and in the table.
TEST_CASE("constraints and fixes are rules by their registration") {
  std::set<std::string> registered;
  for (const Constraint* one : constraints()) {
    registered.insert("constraint:" + std::string(code_of(one->cause)));
  }
  for (const Fix* one : fixes()) registered.insert("fix:" + std::string(code_of(one->cause)));
  std::set<std::string> in_table;
  for (const std::string& name : names_of_rules()) {
    if (name.find(':') != std::string::npos) in_table.insert(name);
  }
  CHECK(registered == in_table);
}

}  // namespace
}  // namespace lapscope::analyzer
