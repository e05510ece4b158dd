#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include "analyzer/analysis/verdict.h"
#include "analyzer/model/assumptions.h"
#include "reports/renderer.h"
#include "reports/words/scope_words.h"
#include "tests/catch.h"
#include "tests/reports/support/screens.h"

// For every recorded trace, the numbers on the first screen must agree.
namespace lapscope::reports {
namespace {

using analyzer::ModelCheck;
using analyzer::ScopeResult;
using analyzer::Verdict;
using test::joined;
using test::Screen;
using test::screens;

// A displayed time in ns. `digit` is the value of one step of its last digit.
struct ShownTime {
  double ns = 0;
  double digit = 0;
};

ShownTime time_of(const std::string& number, const std::string& unit) {
  const double size = unit == "s" ? 1e9 : unit == "ms" ? 1e6 : unit == "us" ? 1e3 : 1;
  return {std::stod(number) * size, unit == "ns" ? 1 : size / 100};
}

const std::string time = "([0-9.]+) (ns|us|ms|s)";

// Returns the wall time to which the savings on the screen refer.
ShownTime wall_of(const Screen& screen) {
  std::smatch found;
  const std::regex told("Savings refer to " + time);
  if (std::regex_search(screen.joined, found, told)) return time_of(found[1], found[2]);
  const std::regex busy("GPU busy [<>]?[0-9.]+ % of " + time);
  REQUIRE(std::regex_search(screen.joined, found, busy));
  return time_of(found[1], found[2]);
}

TEST_CASE("the first line of every recorded trace is one sentence with one figure") {
  REQUIRE(screens().size() > 200);
  for (const Screen& screen : screens()) {
    INFO(screen.text);
    const analyzer::DeviceResult& device = screen.device();
    const auto* range = device.ranges.empty() ? nullptr : &device.ranges.front();
    const std::string line = first_line(screen.report, device, range);
    CHECK(screen.joined.starts_with(line + "\n"));
    CHECK(std::count(line.begin(), line.end(), '%') <= 1);
    CHECK(line.ends_with("."));
  }
}

TEST_CASE("no line of a screen is cut in the middle of a sentence") {
  for (const Screen& screen : screens()) {
    INFO(screen.text);
    CHECK(screen.text.find("…\n") == std::string::npos);
    CHECK(std::count(screen.text.begin(), screen.text.end(), '\n') <= 21);
    for (const char* vague : {" more: -v", " more note: -v", " more notes: -v"}) {
      CHECK_FALSE(screen.says(vague));
    }
  }
}

TEST_CASE("a verdict is whole in a narrow terminal, too") {
  for (const Screen& screen : screens()) {
    const std::string whole = screen.joined.substr(0, screen.joined.find('\n'));
    for (const std::size_t width : {44U, 60U}) {
      std::ostringstream out;
      find_renderer("text")->render(std::span(&screen.report, 1), TextStyle{.width = width}, out);
      const std::string narrow = joined(out.str());
      INFO(narrow);
      CHECK(narrow.substr(0, narrow.find('\n')) == whole);
    }
  }
}

TEST_CASE("a saving and its predicted wall add up to the one wall of the screen") {
  const std::regex saving("Saves (?:at most )?" + time + " \\(([0-9.]+) %\\)[^:]*: predicted " +
                          time);
  std::size_t findings = 0;
  for (const Screen& screen : screens()) {
    INFO(screen.text);
    const std::sregex_iterator end;
    for (std::sregex_iterator at(screen.joined.begin(), screen.joined.end(), saving); at != end;
         ++at) {
      const ShownTime saved = time_of((*at)[1], (*at)[2]);
      const ShownTime left = time_of((*at)[4], (*at)[5]);
      const ShownTime wall = wall_of(screen);
      CHECK(std::abs(saved.ns + left.ns - wall.ns) <=
            0.5 * (saved.digit + left.digit) + 1.5 * wall.digit);
      const double rounding = (0.5 * saved.digit + 1.5 * wall.digit) / wall.ns;
      CHECK(std::abs(std::stod((*at)[3]) - 100 * saved.ns / wall.ns) <= 0.05 + 100 * rounding);
      ++findings;
    }
  }
  CHECK(findings > 100);
}

TEST_CASE("what overlap hides is a share, and nothing is said of what is hardly there") {
  const std::regex hides("hides (?:at most )?[<>]?([0-9.]+) %");
  for (const Screen& screen : screens()) {
    INFO(screen.text);
    std::smatch found;
    if (std::regex_search(screen.joined, found, hides)) CHECK(std::stod(found[1]) < 100);
    CHECK(screen.says(" hides ") == !found.empty());
    if (screen.says("nothing overlaps")) CHECK_FALSE(screen.says("is hidden"));
  }
}

TEST_CASE("no wait is the headline where the device is hardly idle") {
  std::size_t busy = 0;
  for (const Screen& screen : screens()) {
    const ScopeResult& scope = screen.scope();
    const auto idle = static_cast<double>(scope.gaps.total_ns);
    if (idle >= 0.03 * static_cast<double>(scope.window.length())) continue;
    INFO(screen.text);
    CHECK_FALSE(screen.says("goes into a wait"));
    ++busy;
  }
  CHECK(busy > 50);
}

TEST_CASE("a device has the most to gain only where a fix saves") {
  std::size_t without = 0;
  for (const Screen& screen : screens()) {
    if (!screen.says(" devices; below: device ")) continue;
    INFO(screen.text);
    CHECK(screen.says(", with the most to gain (") == screen.says("Saves "));
    if (!screen.says("Saves ")) ++without;
  }
  CHECK(without > 0);
}

TEST_CASE("-v is said to explain a range where there is one") {
  const std::regex range(R"(predicted [0-9.]+ \w+ \([0-9.]+[^()]* to [^()]*\))");
  for (const Screen& screen : screens()) {
    INFO(screen.text);
    CHECK(screen.says("-v explains the range") == std::regex_search(screen.joined, range));
  }
}

TEST_CASE("where a question may save more than the limit the verdict is not ok") {
  std::size_t possible = 0;
  for (const Screen& screen : screens()) {
    INFO(screen.text);
    const ScopeResult& scope = screen.scope();
    const auto& questions = scope.causes->questions;
    const bool asks =
        std::any_of(questions.begin(), questions.end(), [&scope](const auto& question) {
          return part_of_modelled(question.most_saving_ns, scope) >=
                 analyzer::assumed::least_saving;
        });
    CHECK_FALSE((asks && verdict_of(scope) == Verdict::ok));
    if (verdict_of(scope) != Verdict::possible) continue;
    const auto* exposed = exposed_communication(*scope.causes);
    CHECK((asks || exposed != nullptr));
    // The larger share of the time comes first.
    const double most = asks ? part_of_modelled(questions.front().most_saving_ns, scope) : 0.0;
    const bool is_about_communication = exposed != nullptr && exposed->share >= most;
    CHECK(screen.says("could be saved if ") == !is_about_communication);
    const bool waits = screen.says("communication waits for another rank, or for room");
    CHECK((screen.says("communication runs and nothing computes") || waits) ==
          is_about_communication);
    ++possible;
  }
  CHECK(possible > 5);
}

TEST_CASE("a doubtful or useless model check is stated, and a useless one hides all savings") {
  std::size_t warned = 0;
  for (const Screen& screen : screens()) {
    INFO(screen.text);
    const ModelCheck check = model_check_of(screen.scope().causes->replay);
    // The headline or a warning states that the model check is not good. The warning does so if the
    // headline states something else.
    const bool is_said = screen.says("The saving of a fix is unknown, because the model check is ");
    CHECK((is_said || screen.says("warning: Replayed from typical durations")) ==
          (check != ModelCheck::good));
    warned += check != ModelCheck::good;
    if (check == ModelCheck::useless) CHECK_FALSE(screen.says("Saves "));
  }
  CHECK(warned > 2);
}

TEST_CASE("the timeline is there, or that there is no room for it") {
  for (const Screen& screen : screens()) {
    INFO(screen.text);
    const bool is_drawn = screen.text.find("\n  idle   ") != std::string::npos;
    CHECK(is_drawn != screen.says("No room for the timeline here: -v."));
  }
}

TEST_CASE("a call site that is an address says what gives it a name") {
  const std::regex address(R"( at [^ ]+\+0x[0-9a-f]+)");
  const std::regex remedy(R"(lapscope symbolize TRACE --symbols FILE\.|record again\.)");
  std::size_t found = 0;
  for (const Screen& screen : screens()) {
    INFO(screen.text);
    const bool is_nameless = std::regex_search(screen.joined, address);
    CHECK(is_nameless == std::regex_search(screen.joined, remedy));
    found += is_nameless ? 1 : 0;
  }
  CHECK(found > 5);
}

TEST_CASE("of several devices the list is above what is shown of one") {
  std::size_t several = 0;
  for (const Screen& screen : screens()) {
    if (screen.report.devices.size() < 2) continue;
    INFO(screen.text);
    const std::string below = fmt::format("; below: device {}", screen.device().id);
    CHECK(screen.joined.find(below) < screen.joined.find(" on device "));
    ++several;
  }
  CHECK(several > 10);
}

}  // namespace
}  // namespace lapscope::reports
