#include <set>

#include "analyzer/measures/measure.h"
#include "analyzer/model/cause.h"
#include "tests/analyzer/examples/example.h"
#include "tests/analyzer/examples/page.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::test {
namespace {

std::vector<Topic> all_topics() {
  std::vector<Topic> all;
  for (const auto& topics : {scope_topics(), measure_topics(), table_topics(), cause_topics(),
                             gap_topics(), edge_topics()}) {
    all.insert(all.end(), topics.begin(), topics.end());
  }
  return all;
}

TEST_CASE("every worked example has the figures that are worked out for it") {
  const TemporaryFolder folder;
  for (const Topic& topic : all_topics()) {
    for (const Example& example : topic.examples) {
      INFO(topic.title << "\n" << example.title << "\n" << example.drawing);
      const auto values = computed(example, folder.path());
      REQUIRE_FALSE(example.figures.empty());
      for (std::size_t i = 0; i < values.size(); ++i) {
        INFO(example.figures[i].name);
        CHECK(values[i] == example.figures[i].value);
      }
    }
  }
}

TEST_CASE("every measure has an example that shows it, and a note") {
  const auto topics = measure_topics();
  REQUIRE(topics.size() == analyzer::measures().size());
  for (std::size_t i = 0; i < topics.size(); ++i) {
    INFO(topics[i].title);
    REQUIRE(topics[i].title == analyzer::measures()[i]->name);
    REQUIRE_FALSE(topics[i].note.empty());
    std::set<std::string_view> shown;
    for (const Example& example : topics[i].examples) {
      for (const Figure& figure : example.figures) shown.insert(figure.name);
    }
    REQUIRE(shown.count(topics[i].title) == 1);
  }
}

TEST_CASE("every cause of gaps has an example in which it occurs") {
  std::set<std::string_view> codes;
  for (const Topic& topic : cause_topics()) {
    INFO(topic.title);
    REQUIRE(codes.insert(topic.title).second);
    for (const Example& example : topic.examples) {
      if (&example != &topic.examples.front()) continue;
      REQUIRE(example.figures[0].value.find(topic.title) != std::string_view::npos);
    }
  }
  REQUIRE(codes == std::set(analyzer::cause_codes.begin(), analyzer::cause_codes.end()));
}

TEST_CASE("docs/measures.md is up to date") {
  const std::string written = read_file(LAPSCOPE_SOURCE_DIR "/docs/measures.md");
  INFO(
      "docs/measures.md differs from the examples. Regenerate it from the repository's root with: "
      "tests/approve.sh BUILD_DIR, and read the difference.");
  CHECK((written == measures_page()));  // the parentheses prevent Catch2 from printing both pages
}

}  // namespace
}  // namespace lapscope::test
