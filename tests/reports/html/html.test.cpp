#include <zlib.h>

#include <cmath>
#include <numeric>
#include <random>
#include <regex>
#include <sstream>

#include "reports/html/escape.h"
#include "reports/html/payload.h"
#include "reports/html/render_html.h"
#include "reports/html/thin.h"
#include "tests/catch.h"
#include "tests/reports/support/sample_reports.h"

namespace lapscope::reports {
namespace {

using analyzer::Timeline;

std::string page_of(const std::vector<analyzer::Report>& reports) {
  std::ostringstream out;
  render_html(reports, out);
  return out.str();
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_CASE("a name is text in an element and in an attribute") {
  CHECK(html_text("<a href=\"x\" b='y'>&amp;") ==
        "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;");
  CHECK(html_text("a\x01\u202e\xff") == "a???");
  CHECK(html_name("short", 10) == "<code>short</code>");
  CHECK(html_name("a long \"name\"", 7) ==
        "<code title=\"a long &quot;name&quot;\">a long…</code>");
}

TEST_CASE("base64 is that of RFC 4648") {
  CHECK(base64("").empty());
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("\xfb\xff\xfe") == "+//+");
}

TEST_CASE("what was deflated inflates to the same") {
  std::mt19937 random(1);
  for (const std::size_t size : {0UL, 1UL, 100'000UL, 1'000'000UL}) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random() % 11);
    std::string compressed = deflated(bytes);
    std::string inflated(size + 1, '\0');
    z_stream stream{};
    REQUIRE(::inflateInit2(&stream, -15) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(compressed.data());
    stream.avail_in = static_cast<uInt>(compressed.size());
    stream.next_out = reinterpret_cast<Bytef*>(inflated.data());
    stream.avail_out = static_cast<uInt>(inflated.size());
    CHECK(::inflate(&stream, Z_FINISH) == Z_STREAM_END);
    inflated.resize(stream.total_out);
    ::inflateEnd(&stream);
    CHECK((inflated == bytes));
  }
}

TEST_CASE("a page loads nothing, and says so to the browser") {
  std::string page = page_of({test::recorded_report("stream_pipeline-overlapped")});
  // uPlot says where it comes from, in a comment.
  const std::string comment = "/*! https://github.com/leeoniya/uPlot (v1.6.32) */";
  REQUIRE(count(page, comment) == 1);
  REQUIRE(count(page, "Copyright (c) 2022 Leon Sorokin") == 1);
  page.erase(page.find(comment), comment.size());
  for (const char* loads : {"http:", "https:", " src=", "url(", "@import", "<link", "<iframe"}) {
    INFO(loads);
    CHECK(page.find(loads) == std::string::npos);
  }
  CHECK(page.find("default-src 'none'") != std::string::npos);
  CHECK(page.find("unsafe-") == std::string::npos);
}

TEST_CASE("the critical path is drawn over the whole window, each part once") {
  const std::string page = page_of({test::report_with_findings()});
  const std::size_t begin = page.find("<figure class=\"strip way\">");
  REQUIRE(begin != std::string::npos);
  const std::string figure = page.substr(begin, page.find("</figure>", begin) - begin);
  const std::regex part("M([0-9.]+) ([0-9.]+)H([0-9.]+)V([0-9.]+)H");
  double area = 0;
  int parts = 0;
  for (std::sregex_iterator at(figure.begin(), figure.end(), part), end; at != end; ++at) {
    const auto number = [&at](std::size_t i) { return std::stod((*at)[i]); };
    REQUIRE(number(1) < number(3));
    REQUIRE(number(2) < number(4));
    area += (number(3) - number(1)) * (number(4) - number(2));
    ++parts;
  }
  REQUIRE(parts == 4);
  REQUIRE(std::abs(area - 1000) < 1);  // of 1000 by 1
  REQUIRE(figure.find("9 short parts") != std::string::npos);
  REQUIRE(page_of({test::recorded_report("stream_pipeline-overlapped")}).find("strip way") !=
          std::string::npos);
}

TEST_CASE("hostile names add no element to a page") {
  const std::string page = page_of({test::hostile_report()});
  CHECK(count(page, "<script") == 2);  // the data, and ours
  CHECK(count(page, "</script") == 2);
  CHECK(count(page, "<img") == 0);
  CHECK(count(page, "<code") == count(page, "</code>"));
}

TEST_CASE("the same reports give the same page") {
  const auto report = test::recorded_report("stream_pipeline-overlapped");
  CHECK((page_of({report}) == page_of({report})));
  CHECK((page_of({report}) != page_of({test::report_with_findings()})));
}

TEST_CASE("several traces are several timelines of one page, and links name theirs") {
  const auto report = test::report_with_findings();
  const std::string page = page_of({report, report});
  CHECK(count(page, "<section class=\"timeline\"") == 2);
  CHECK(count(page, "href=\"#r=0&amp;find=0\"") == 1);
  CHECK(count(page, "href=\"#r=1&amp;find=0\"") == 1);
}

TEST_CASE("a trace without GPU work has a page without a timeline") {
  analyzer::Report report;
  report.timeline.emplace();
  report.trust = analyzer::Trust::inconclusive;
  const std::string page = page_of({report});
  CHECK(page.find("<section class=\"timeline\"") == std::string::npos);
  CHECK(page.find("inconclusive") != std::string::npos);
}

// Two streams and a thread, with calls for the ops of the first.
Timeline random_timeline(unsigned seed) {
  std::mt19937 random(seed);
  const auto below = [&random](std::int64_t n) { return static_cast<std::int64_t>(random()) % n; };
  Timeline timeline;
  timeline.names = {"a", "b", "c"};
  timeline.threads.emplace_back();
  auto& calls = timeline.threads.front().calls;
  std::int64_t last = 0;
  for (int stream = 0; stream < 2; ++stream) {
    auto& lane = timeline.lanes.emplace_back();
    std::int64_t now = below(1000);
    for (int op = 0; op < 400; ++op) {
      lane.start.push_back(now);
      now += below(10) == 0 ? below(100'000) : below(3'000);
      lane.end.push_back(now);
      lane.bytes.push_back(below(5000));
      lane.name.push_back(static_cast<std::uint32_t>(below(3)));
      lane.call.push_back(stream == 0 ? static_cast<std::uint32_t>(op) : analyzer::no_index);
      if (stream == 0) {
        calls.start.push_back(lane.start.back() - below(500));
        calls.end.push_back(lane.start.back());
        calls.name.push_back(1);
      }
      now += below(2'000);
    }
    last = std::max(last, now);
  }
  timeline.extent = {0, last};
  return timeline;
}

std::int64_t bytes_of(const Timeline& timeline) {
  std::int64_t bytes = 0;
  for (const auto& lane : timeline.lanes) {
    bytes = std::accumulate(lane.bytes.begin(), lane.bytes.end(), bytes);
  }
  return bytes;
}

TEST_CASE("timelines of a page share its room, and what one does not need is the others'") {
  using Sizes = std::vector<std::size_t>;
  const auto shares = [](const Sizes& needs) { return shares_of(90, needs); };
  CHECK(shares({}).empty());
  CHECK(shares({200}) == Sizes{90});
  CHECK(shares({200, 200, 200}) == Sizes{30, 30, 30});
  CHECK(shares({200, 10, 200}) == Sizes{40, 30, 40});
  CHECK(shares({200, 40, 10}) == Sizes{40, 40, 30});
}

TEST_CASE("a timeline that fits is left as it is") {
  Timeline timeline = random_timeline(1);
  const Thinning thinning = thin(timeline, {800, 400});
  CHECK(thinning.shorter_op_ns == 0);
  CHECK(thinning.shorter_span_ns == 0);
  CHECK(thinning.kept == thinning.entries);
  CHECK(timeline.names.size() == 3);
}

TEST_CASE("thinning keeps long ops, all bytes, and what leads to calls") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    const Timeline before = random_timeline(seed);
    Timeline after = before;
    const Thinning thinning = thin(after, {300, 100});
    REQUIRE(after.ops() <= 300);
    REQUIRE(after.calls() <= 100);
    REQUIRE(thinning.entries == 1200);
    REQUIRE(thinning.kept == after.ops() + after.calls());
    REQUIRE(bytes_of(after) == bytes_of(before));
    for (std::size_t lane = 0; lane < before.lanes.size(); ++lane) {
      const auto& was = before.lanes[lane];
      const auto& is = after.lanes[lane];
      REQUIRE(is.start.front() == was.start.front());
      for (std::size_t op = 0; op < was.size(); ++op) {
        if (was.end[op] - was.start[op] < thinning.shorter_op_ns) continue;
        const auto found = std::find(is.start.begin(), is.start.end(), was.start[op]);
        REQUIRE(found != is.start.end());
        const auto at = static_cast<std::size_t>(found - is.start.begin());
        REQUIRE(is.end[at] == was.end[op]);
        REQUIRE(is.name[at] == was.name[op]);
        if (was.call[op] == analyzer::no_index) continue;
        // The call, or what it was joined to, was there when the op was issued.
        const auto& calls = after.threads.front().calls;
        REQUIRE(is.call[at] < calls.size());
        REQUIRE(calls.start[is.call[at]] <= before.threads.front().calls.start[was.call[op]]);
        REQUIRE(calls.end[is.call[at]] >= before.threads.front().calls.end[was.call[op]]);
      }
    }
  }
}

}  // namespace
}  // namespace lapscope::reports
