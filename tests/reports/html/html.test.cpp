#include <zlib.h>

#include <cmath>
#include <numeric>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include "analyzer/analysis/verdict.h"
#include "reports/html/encode_timeline.h"
#include "reports/html/html_markup.h"
#include "reports/html/thin.h"
#include "reports/html/timeline_sections.h"
#include "reports/renderer.h"
#include "reports/words/verdict_words.h"
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
  // A comment of uPlot contains its URL.
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
  REQUIRE(std::abs(area - 1000) < 1);  // the whole is 1000 by 1
  REQUIRE(figure.find("9 short parts") != std::string::npos);
  REQUIRE(page_of({test::recorded_report("stream_pipeline-overlapped")}).find("strip way") !=
          std::string::npos);
}

TEST_CASE("hostile names add no element to a page") {
  const std::string page = page_of({test::hostile_report()});
  CHECK(count(page, "<script") == 2);  // the data and lapscope's own script
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

TEST_CASE("of a stack's frames those of libraries that are not beside the program's are folded") {
  using analyzer::CodeOwner;
  analyzer::Report report = test::report_with_findings();
  auto& finding = report.devices[0].scope.causes->findings.front();
  finding.sites.resize(1);
  finding.sites[0].stack.clear();
  finding.sites[0].forward_stack.clear();
  const auto add = [&finding](const char* name, CodeOwner owner, int times) {
    for (int i = 0; i < times; ++i) {
      finding.sites[0].stack.push_back(
          {name + std::to_string(i), "lib.so", "a.cc", 1, false, owner});
    }
  };
  add("call", CodeOwner::runtime, 1);
  add("torch", CodeOwner::library, 88);
  add("mine", CodeOwner::program, 2);
  add("start", CodeOwner::runtime, 3);
  const std::string page = page_of({report});
  const std::string fold = "… 87 frames of libraries</summary><ol start=\"2\">";
  REQUIRE(count(page, fold) == 1);
  CHECK(count(page, " frames of libraries") == 1);  // the two outermost frames are no long run
  const std::string folded =
      page.substr(page.find(fold), page.find("</details>", page.find(fold)) - page.find(fold));
  CHECK(count(folded, "<li>") == 87);
  CHECK(count(folded, "torch0") == 1);
  CHECK(count(folded, "torch87") == 0);
  CHECK(count(folded, "mine") == 0);
  CHECK(count(page, "</details><ol start=\"89\"><li><code>torch87") == 1);
}

TEST_CASE("a page about the steady state has no cards of the whole run") {
  analyzer::AnalyzeOptions options;
  options.focus = analyzer::Focus::automatic;
  const auto steady = test::recorded_report("stream_pipeline-overlapped", options);
  REQUIRE(steady.devices[0].ranges.size() == 1);
  REQUIRE(steady.devices[0].ranges[0].steady);
  CHECK(count(page_of({steady}), "<dl class=\"tiles\">") == 1);
}

// Returns the row of a trace in the list at the top of the page.
std::string row_of(const std::string& page, const std::string& file) {
  const std::string list = page.substr(0, page.find("</nav>"));
  const std::size_t at = list.find(">" + file + "<");
  return at == std::string::npos ? "" : list.substr(at, list.find("</tr>", at) - at);
}

TEST_CASE("a list of traces tells one scope of each: the range with most to gain") {
  analyzer::Report report = test::report_with_everything();
  auto& ranges = report.devices[0].ranges;
  REQUIRE(!ranges.empty());
  while (ranges.size() < 2) ranges.push_back(ranges.front());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    ranges[i].scope.causes = report.devices[0].scope.causes;
    REQUIRE(!ranges[i].scope.causes->findings.empty());
    for (auto& finding : ranges[i].scope.causes->findings) finding.saving_ns = 1000;
  }
  ranges[1].scope.causes->findings.front().saving_ns = 7'000'000;
  report.trace.file = "one.sqlite";
  analyzer::Report other = test::report_with_findings();
  other.trace.file = "other.sqlite";
  CHECK(count(row_of(page_of({other, report}), "one.sqlite"), "7.00 ms") == 1);
}

TEST_CASE("a list of traces has the short verdict of one without a finding") {
  const std::string page = page_of({test::report_bound_by_engine(), test::report_with_findings()});
  const analyzer::Report bound = test::report_bound_by_engine();
  const std::string verdict = short_verdict(scope_to_show(bound.devices[0]));
  CHECK(!verdict.empty());
  CHECK(count(page.substr(0, page.find("</nav>")), "<td>" + verdict + "</td>") == 1);
}

TEST_CASE("a trace without GPU work has a page without a timeline") {
  analyzer::Report report;
  report.timeline.emplace();
  report.trust = analyzer::Trust::inconclusive;
  const std::string page = page_of({report});
  CHECK(page.find("<section class=\"timeline\"") == std::string::npos);
  CHECK(page.find("inconclusive") != std::string::npos);
}

// Makes a timeline of two streams and a thread, which issued the ops of the first stream.
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
        calls.site.push_back(static_cast<std::uint32_t>(op));
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

analyzer::TimelineSite site_at(const char* function, std::int64_t line) {
  return {{{function, "app", "src/a.cu", line, false, analyzer::CodeOwner::program}}, {}};
}

// The data end with five columns: the call sites, with one byte plane (see encode_timeline.h), and
// four empty columns of ranges.
TEST_CASE("the data of a page list each call site once") {
  analyzer::Report report;
  Timeline& timeline = report.timeline.emplace();
  timeline.names = {"cudaLaunchKernel", "cudaDeviceSynchronize"};
  // The two sites in `run` have the same text.
  timeline.sites = {site_at("run", 12), site_at("wait", 40), site_at("run", 12)};
  analyzer::TimelineSpans& calls = timeline.threads.emplace_back().calls;
  calls.start = {0, 10, 20, 30, 40};
  calls.end = {5, 15, 25, 35, 45};
  calls.name = {0, 0, 0, 1, 0};
  calls.site = {0, 2, analyzer::no_index, 1, 2};
  timeline.extent = {0, 50};
  const std::string bytes = encode_timeline(report, timeline.extent, page_bytes);
  CHECK(count(bytes, R"("sites":["a.cu:12 in run","a.cu:40 in wait"])") == 1);
  const std::string column = {1, 2, 0, 1, 3, 2};
  const std::string no_ranges(4, '\0');
  REQUIRE(bytes.size() > column.size() + no_ranges.size());
  CHECK(bytes.substr(bytes.size() - column.size() - no_ranges.size()) == column + no_ranges);
}

TEST_CASE("a timeline with lines has room for fewer calls") {
  Timeline timeline = random_timeline(1);
  const auto without = budget_for(timeline, 1000);
  timeline.sites = {site_at("run", 12)};
  CHECK(budget_for(timeline, 1000).spans < without.spans);
  CHECK(budget_for(timeline, 1000).ops == without.ops);
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
  const Timeline timeline = random_timeline(1);
  const Thinning thinning = thin(timeline, {800, 400});
  CHECK_FALSE(thinning.timeline);
  CHECK(thinning.shorter_op_ns == 0);
  CHECK(thinning.shorter_span_ns == 0);
  CHECK(thinning.kept == thinning.entries);
}

// Returns how long ops of a lane run.
std::int64_t busy_of(const analyzer::TimelineLane& lane, const Joined& joined) {
  std::int64_t busy = 0;
  for (std::size_t i = 0; i < lane.size(); ++i) {
    busy += lane.end[i] - lane.start[i] - (joined.idle.empty() ? 0 : joined.idle[i]);
  }
  return busy;
}

TEST_CASE("thinning keeps how long ops ran, how many there were, and of which names") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    const Timeline before = random_timeline(seed);
    const Thinning thinning = thin(before, {300, 100});
    const Timeline& after = thinning.timeline.value();
    for (std::size_t lane = 0; lane < before.lanes.size(); ++lane) {
      const Joined& joined = thinning.lanes[lane];
      REQUIRE(busy_of(after.lanes[lane], joined) == busy_of(before.lanes[lane], {}));
      REQUIRE(after.lanes[lane].size() +
                  std::accumulate(joined.others.begin(), joined.others.end(), std::size_t{0}) ==
              before.lanes[lane].size());
    }
    const auto& others = thinning.calls.front().others;
    REQUIRE(after.calls() + std::accumulate(others.begin(), others.end(), std::size_t{0}) ==
            before.calls());
    std::vector<std::uint64_t> counts(before.names.size());
    for (const auto& lane : before.lanes) {
      for (const std::uint32_t name : lane.name) ++counts[name];
    }
    for (const std::uint32_t name : before.threads.front().calls.name) ++counts[name];
    REQUIRE((thinning.counts == counts));
    REQUIRE(after.names.size() == before.names.size() + thinning.joined_names.size());
    // The names of a joined op are those of the ops that it replaces.
    std::size_t op = 0;
    const auto& was = before.lanes.front();
    const auto& is = after.lanes.front();
    for (std::size_t i = 0; i < is.size(); ++i) {
      std::set<std::uint32_t> names;
      const std::size_t last = op + 1 + thinning.lanes.front().others[i];
      for (; op < last; ++op) names.insert(was.name[op]);
      if (thinning.lanes.front().others[i] == 0) {
        REQUIRE(std::set{is.name[i]} == names);
      } else {
        const auto& told = thinning.joined_names[is.name[i] - before.names.size()];
        REQUIRE(std::set(told.begin(), told.end()) == names);
      }
    }
  }
}

TEST_CASE("what is to be kept is not joined, however short it is") {
  const Timeline timeline = random_timeline(3);
  const auto& starts = timeline.lanes[1].start;
  const std::vector<std::int64_t> kept{starts[100], starts[101], starts[250]};
  const std::vector<std::int64_t> ends{timeline.lanes[1].end[100], timeline.lanes[1].end[101],
                                       timeline.lanes[1].end[250]};
  const Thinning thinning = thin(timeline, {20, 20}, kept);
  const auto& lane = thinning.timeline.value().lanes[1];
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto found = std::find(lane.start.begin(), lane.start.end(), kept[i]);
    REQUIRE(found != lane.start.end());
    CHECK(lane.end[static_cast<std::size_t>(found - lane.start.begin())] == ends[i]);
  }
}

// A joined op replaces ops that may have different names. The page lists these names for each
// joined op, but lists at most 50,000 names in all.
TEST_CASE("if joined ops have too many names, some joined ops show only their first name") {
  Timeline timeline;
  auto& lane = timeline.lanes.emplace_back();
  constexpr std::int64_t ops = 400'000;
  for (std::int64_t op = 0; op < ops; ++op) {
    lane.start.push_back(10 * op);
    lane.end.push_back(10 * op + 5);
    lane.name.push_back(static_cast<std::uint32_t>(op));
    timeline.names.push_back(std::to_string(op));
  }
  lane.bytes.resize(ops);
  lane.call.resize(ops, analyzer::no_index);
  timeline.extent = {0, 10 * ops};
  const Thinning thinning = thin(timeline, {50'000, 10});
  std::size_t told = 0;
  std::size_t untold = 0;
  for (const auto& names : thinning.joined_names) {
    told += names.size();
    untold += names.empty() ? 1U : 0U;
  }
  CHECK(told <= 50'000);
  CHECK(told > 49'000);
  CHECK(untold > 0);
  CHECK(thinning.timeline.value().names.back() ==
        std::to_string(ops - 100) + " and others, joined");
}

TEST_CASE("thinning keeps long ops, all bytes, and what leads to calls") {
  for (unsigned seed = 0; seed < 30; ++seed) {
    INFO("seed " << seed);
    const Timeline before = random_timeline(seed);
    const Thinning thinning = thin(before, {300, 100});
    const Timeline& after = thinning.timeline.value();
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
        // A joined call is represented by its entry, which contains the whole call.
        const auto& calls = after.threads.front().calls;
        REQUIRE(is.call[at] < calls.size());
        REQUIRE(calls.start[is.call[at]] <= before.threads.front().calls.start[was.call[op]]);
        REQUIRE(calls.end[is.call[at]] >= before.threads.front().calls.end[was.call[op]]);
      }
    }
    // A single call has its source line. Joined calls have none.
    const auto& were = before.threads.front().calls;
    const auto& are = after.threads.front().calls;
    REQUIRE(are.site.size() == are.size());
    for (std::size_t call = 0; call < are.size(); ++call) {
      const bool is_joined = thinning.calls.front().others[call] > 0;
      if (is_joined) {
        REQUIRE(are.site[call] == analyzer::no_index);
      } else {
        REQUIRE(were.start[are.site[call]] == are.start[call]);
      }
    }
  }
}

}  // namespace
}  // namespace lapscope::reports
