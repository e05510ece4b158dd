#include <algorithm>
#include <sstream>

#include "reports/markdown/markup.h"
#include "reports/renderer.h"
#include "tests/catch.h"
#include "tests/reports/support/sample_reports.h"

namespace lapscope::reports {
namespace {

std::string rendered(const std::vector<analyzer::Report>& reports) {
  std::ostringstream out;
  render_markdown(reports, out);
  return out.str();
}

TEST_CASE("names are shown by Markdown and do nothing") {
  CHECK(markdown_text("void f<int>(a*, b&)") == "void f&#60;int&#62;(a&#42;, b&#38;)");
  CHECK(markdown_text("stamp_tile") == "stamp_tile");
  CHECK(markdown_text("__f__") == "&#95;&#95;f&#95;&#95;");
  CHECK(markdown_text("www.x.y @me #12") == "www&#46;x.y &#64;me &#35;12");
  CHECK(markdown_text("http://x") == "http&#58;//x");
  CHECK(markdown_text("- a") == "&#45; a");
  CHECK(markdown_text("1. a") == "1&#46; a");
  CHECK(markdown_text("1.5 ms: a.") == "1.5 ms: a.");
  CHECK(markdown_text("[a](b)") == "&#91;a&#93;(b)");
  CHECK(markdown_text("a|b\n# c") == "a&#124;b?&#35; c");
}

TEST_CASE("no hostile name reaches a comment as markup") {
  const std::string text = rendered({test::hostile_report()});
  for (const char* markup :
       {"<script", "<img", "javascript:", "](", "![", "\x1b", "\xff", "\u202e", "``` ", "{{"}) {
    INFO(markup);
    CHECK(text.find(markup) == std::string::npos);
  }
  // Every line of a table has as many cells as its head: no name has broken one up.
  std::istringstream lines(text);
  std::ptrdiff_t columns = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto bars = std::count(line.begin(), line.end(), '|');
    if (columns > 0 && bars > 0) CHECK(bars == columns);
    columns = bars;
  }
}

TEST_CASE("what can be folded can be unfolded") {
  const std::string text = rendered({test::report_with_findings()});
  const auto count = [&text](const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  };
  CHECK(count("<details>") >= 5);
  CHECK(count("<details>") == count("</details>"));
}

TEST_CASE("a comment is never longer than GitHub takes, and says what it left out") {
  const analyzer::Report report = test::report_with_findings();
  const std::string details = rendered(std::vector<analyzer::Report>(12, report));
  CHECK(details.size() <= 65'536);
  CHECK(details.find("devices are left out") != std::string::npos);
  const std::string rest = rendered(std::vector<analyzer::Report>(100, report));
  CHECK(rest.size() <= 65'536);
  CHECK(rest.find("The rest is left out") != std::string::npos);
}

}  // namespace
}  // namespace lapscope::reports
