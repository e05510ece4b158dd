#include "collector/schema/reference_page.h"

#include <sstream>

#include "collector/schema/enumeration.h"
#include "tests/catch.h"
#include "tests/collector/support/rows.h"
#include "tests/collector/support/temporary_folder.h"

namespace lapscope::schema {
namespace {

TEST_CASE("the reference page in docs is up to date", "[schema]") {
  const std::string written = test::read_file(LAPSCOPE_SOURCE_DIR "/docs/trace-format.md");
  INFO(
      "docs/trace-format.md differs from the declarations. Regenerate it from the repository's "
      "root with: build/dev/collector/schema/lapscope_trace_format_page > docs/trace-format.md");
  CHECK((written == reference_page()));  // the parentheses prevent Catch2 from printing both pages
}

TEST_CASE("the reference page names every table and column and code", "[schema]") {
  const std::string page = reference_page();
  const auto has = [&page](std::string_view text) { return page.find(text) != std::string::npos; };
  for (const TableInfo& table : all_tables()) {
    CHECK(has("\n## " + std::string(table.name) + "\n"));
    for (const ColumnInfo& column : table.columns) {
      INFO(table.name << "." << column.name);
      CHECK(has("\n| " + std::string(column.name) + " | "));
    }
  }
  for (const Enumeration& each : enumerations()) {
    CHECK(has("\n### " + std::string(each.table) + "\n"));
    for (const Enumerator& value : each.values) CHECK(has(value.name));
  }
}

// A bar in a description would end its cell.
TEST_CASE("every line of a table on the reference page has as many cells as the first",
          "[schema]") {
  std::istringstream page(reference_page());
  std::size_t expected = 0;
  for (std::string line; std::getline(page, line);) {
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    }
    INFO(line);
    if (line.starts_with("| ")) {
      if (expected == 0) expected = bars;
      CHECK(bars == expected);
    } else {
      expected = 0;
    }
  }
}

}  // namespace
}  // namespace lapscope::schema
