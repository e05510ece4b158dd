#include "tests/reports/support/screens.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <span>
#include <sstream>

#include "reports/renderer.h"
#include "tests/reports/support/sample_reports.h"

namespace lapscope::test {
namespace {

namespace fs = std::filesystem;

Screen screen_of(const fs::path& trace) {
  analyzer::AnalyzeOptions options;
  options.focus = analyzer::Focus::automatic;
  options.explain_whole = false;
  Screen screen;
  screen.trace = fs::relative(trace, LAPSCOPE_TEST_TRACES).replace_extension();
  screen.report = recorded_report(screen.trace, options);
  std::ostringstream out;
  reports::find_renderer("text")->render(std::span(&screen.report, 1), reports::TextStyle{}, out);
  screen.text = out.str();
  screen.joined = joined(screen.text);
  return screen;
}

}  // namespace

const analyzer::DeviceResult& Screen::device() const {
  return *std::find_if(report.devices.begin(), report.devices.end(), [this](const auto& one) {
    return joined.find(fmt::format(" on device {} ", one.id)) != std::string::npos;
  });
}

std::string joined(const std::string& text) {
  return std::regex_replace(text, std::regex("\n +([^ ])"), " $1");
}

const std::vector<Screen>& screens() {
  static const std::vector<Screen> all = [] {
    std::set<fs::path> traces;
    for (const auto& entry : fs::recursive_directory_iterator(LAPSCOPE_TEST_TRACES)) {
      if (entry.path().extension() == ".sqlite") traces.insert(entry.path());
    }
    std::vector<Screen> made;
    for (const fs::path& trace : traces) {
      Screen screen = screen_of(trace);
      if (!screen.report.devices.empty()) made.push_back(std::move(screen));
    }
    return made;
  }();
  return all;
}

}  // namespace lapscope::test
