#include "reports/html/svg_strip.h"

#include <fmt/format.h>

#include "reports/words/engine_words.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

constexpr int row_height = 34;  // units of the picture, with 4 between rows
constexpr int bar_height = 30;

// A closed outline over the shares of all stretches: one shape a row, not one for each stretch.
std::string outline(const std::vector<std::int64_t>& active, const analyzer::ActivityStrip& strip,
                    int top) {
  std::string path = fmt::format("M0 {}", top + bar_height);
  for (std::size_t i = 0; i < active.size(); ++i) {
    const double share = static_cast<double>(active[i]) / static_cast<double>(strip.length(i));
    path += fmt::format("V{:.1f}H{}", top + bar_height * (1 - share), i + 1);
  }
  return path + fmt::format("V{}Z", top + bar_height);
}

}  // namespace

std::string svg_strip(const analyzer::DeviceResult& device) {
  const analyzer::ActivityStrip& strip = device.strip;
  if (strip.size() == 0) return "";
  std::string rows;
  std::string labels;
  int top = 0;
  const std::int64_t wall = device.scope.window.length();
  const auto add = [&](std::string_view kind, std::string_view word,
                       const std::vector<std::int64_t>& active, std::int64_t ns) {
    rows += fmt::format("<path class=\"{}\" d=\"{}\"/>", kind, outline(active, strip, top));
    labels +=
        fmt::format("<li><span class=\"{}\"></span>{} {}</li>", kind, word, format_share(ns, wall));
    top += row_height;
  };
  for (const analyzer::EngineResult& engine : device.engines) {
    add(name_of(engine.engine), word_of(engine.engine),
        strip.busy_ns[static_cast<std::size_t>(engine.engine)], engine.busy_ns);
  }
  add("idle", "idle", strip.idle_ns, device.scope.gaps.total_ns);
  return fmt::format(
      "<figure class=\"strip\"><svg viewBox=\"0 0 {} {}\" preserveAspectRatio=\"none\" "
      "role=\"img\" aria-label=\"share of the time each engine was busy, from first op to last; "
      "the rows below in the list\">{}</svg><figcaption><ul>{}</ul></figcaption></figure>\n",
      strip.size(), top, rows, labels);
}

}  // namespace lapscope::reports
