#include <algorithm>
#include <cctype>
#include <sstream>

#include "reports/markdown/markdown_markup.h"
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
  CHECK(markdown_text("void f<int>(a*, b&)") == "void f\\<int>(a\\*, b&)");
  CHECK(markdown_text("a &lt; b < c") == "a \\&lt; b < c");
  CHECK(markdown_text("stamp_tile 'tile *'") == "stamp_tile 'tile \\*'");
  CHECK(markdown_text("thrust::cuda::par, --fix a_b") == "thrust::cuda::par, --fix a_b");
  CHECK(markdown_text("__f__") == "\\_\\_f\\_\\_");
  CHECK(markdown_text("www.x.y @me #12") == "www\\.x.y `@`me `#`12");
  CHECK(markdown_text("http://x") == "http\\://x");
  CHECK(markdown_text("- a") == "\\- a");
  CHECK(markdown_text("-0.5") == "-0.5");
  CHECK(markdown_text("---") == "\\---");
  CHECK(markdown_text("> a") == "\\> a");
  CHECK(markdown_text("1. a") == "1\\. a");
  CHECK(markdown_text("1) a") == "1\\) a");
  CHECK(markdown_text("1.5 ms: a.") == "1.5 ms: a.");
  CHECK(markdown_text("[a](b)") == "\\[a\\](b)");
  CHECK(markdown_text("a|b\n# c") == "a\\|b?# c");
  CHECK(markdown_text("\\* `x` ~y~ $z$") == "\\\\\\* \\`x\\` \\~y\\~ \\$z\\$");
}

TEST_CASE("code has a fence longer than any within, and no bar of it ends a cell") {
  CHECK(markdown_code("f<int>(a*)", 80) == "`f<int>(a*)`");
  CHECK(markdown_code("a`b", 80) == "``a`b``");
  CHECK(markdown_code("``", 80) == "``` `` ```");
  CHECK(markdown_code("", 80).empty());
  CHECK(markdown_table("ll", {"a", "b"}, {{"`x|y`", "x\\|y"}}) ==
        "| a | b |\n| :--- | :--- |\n| `x\\|y` | x\\|y |\n");
}

TEST_CASE("summaries are HTML") {
  CHECK(summary_text("1. f<int> & 'tile *' of @me") ==
        "1. f&lt;int&gt; &amp; 'tile *' of <code>@</code>me");
}

TEST_CASE("absolute paths lose their folders, and nothing else does") {
  CHECK(without_folders("/home/me/app --data /data/x -o=/tmp/y.json") == "app --data x -o=y.json");
  CHECK(without_folders("'/a b/c.sqlite' and \"/d/e\"") == "'c.sqlite' and \"e\"");
  CHECK(without_folders("./app in/out 1 / 2 http://x/y") == "./app in/out 1 / 2 http://x/y");
  CHECK(without_folders("/a/b/ (/c)") == "/a/b/ (c)");
}

// Returns the Markdown syntax in a text, without escaped characters, code and summaries (which are
// HTML).
std::string markup_in(std::string markdown) {
  for (auto at = markdown.find("<summary>"); at != std::string::npos;
       at = markdown.find("<summary>", at + 1)) {
    const std::size_t begin = at + std::string("<summary>").size();
    markdown.erase(begin, markdown.find("</summary>", begin) - begin);
  }
  std::string rest;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] == '\\' && i + 1 < markdown.size() && std::ispunct(markdown[i + 1]) != 0) {
      rest += "__";
      ++i;
    } else if (markdown[i] == '`') {
      const std::size_t end_of_fence =
          std::min(markdown.find_first_not_of('`', i), markdown.size());
      const std::string fence = markdown.substr(i, end_of_fence - i);
      std::size_t close = markdown.find(fence, end_of_fence);
      while (close != std::string::npos && close + fence.size() < markdown.size() &&
             markdown[close + fence.size()] == '`') {
        close = markdown.find(fence, markdown.find_first_not_of('`', close));
      }
      if (close == std::string::npos || markdown.find("\n\n", i) < close) {
        rest += fence;
        i = end_of_fence - 1;
        continue;
      }
      rest += "code";
      i = close + fence.size() - 1;
    } else {
      rest += markdown[i];
    }
  }
  return rest;
}

// Removes escaped bars, because an escaped bar does not end a cell of a table.
std::string without_escaped_bars(std::string line) {
  for (auto at = line.find("\\|"); at != std::string::npos; at = line.find("\\|", at)) {
    line.erase(at, 2);
  }
  return line;
}

TEST_CASE("no hostile name reaches a comment as markup") {
  const std::string text = rendered({test::hostile_report()});
  const std::string markup = markup_in(text);
  for (const char* hostile : {"<script", "<img", "javascript:", "](", "![", "{{"}) {
    const auto at = markup.find(hostile);
    INFO(hostile << " in " << markup.substr(at < 200 ? 0 : std::min(at - 100, markup.size()), 300));
    CHECK(at == std::string::npos);
  }
  for (const char* hostile : {"\x1b", "\xff", "\u202e"}) {
    CHECK(text.find(hostile) == std::string::npos);
  }
  // If a line has more cells than the header, a name has split a cell.
  std::istringstream lines(text);
  std::ptrdiff_t columns = 0;
  for (std::string line; std::getline(lines, line);) {
    line = without_escaped_bars(line);
    const auto bars = std::count(line.begin(), line.end(), '|');
    if (columns > 0 && bars > 0) CHECK(bars == columns);
    columns = bars;
  }
}

std::size_t times_in(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_CASE("a comment has one verdict, each finding once, and no entity where text is read") {
  analyzer::AnalyzeOptions options;
  SECTION("of a whole run") {
    const std::string text =
        rendered({test::recorded_report("default-stream-kernel-broken", options)});
    CHECK(times_in(text, "of the time could be saved: ") == 1);
    CHECK(times_in(text, "default-stream-barrier`: ") == 1);
    CHECK(times_in(text, "Issue this work to a stream") == 1);
  }
  SECTION("of a range, before the whole run, which is folded") {
    options.ranges = {"default-stream-kernel"};
    const std::string text =
        rendered({test::recorded_report("default-stream-kernel-broken", options)});
    CHECK(times_in(text, "default-stream-barrier`: ") == 1);
    CHECK(times_in(text, "Issue this work to a stream") == 1);
    CHECK(text.find("range 'default-stream-kernel' of device 0") < text.find("<details>"));
    CHECK(text.find("\ndevice 0 (NVIDIA H200): ") > text.find("<details>"));
    CHECK(times_in(text, "&#") == 0);
  }
}

TEST_CASE("a comment has no folders of the machine that recorded") {
  analyzer::Report report = test::report_with_findings();
  report.trace.file = "/home/me/run.sqlite";
  report.trace.command = "/home/me/app --data /data/me/x";
  const std::string text = rendered({report});
  CHECK(times_in(text, "/me") == 0);
  CHECK(times_in(text, "`run.sqlite`") == 1);
  CHECK(times_in(text, "`app --data x`") == 1);
}

TEST_CASE("what can be folded can be unfolded") {
  const std::string text = rendered({test::report_with_findings()});
  CHECK(times_in(text, "<details>") >= 5);
  CHECK(times_in(text, "<details>") == times_in(text, "</details>"));
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
