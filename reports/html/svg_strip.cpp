#include "reports/html/svg_strip.h"

#include "reports/words/engine_words.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

constexpr int row_height = 340;  // units of the picture, with 40 between rows
constexpr int bar_height = 300;

// A closed outline over the shares of all stretches: one shape a row, not one for each stretch.
std::string outline(const std::vector<std::int64_t>& active, const analyzer::ActivityStrip& strip,
                    int top) {
  const std::string floor = std::to_string(top + bar_height);
  std::string path = "M0 " + floor;
  for (std::size_t i = 0; i < active.size(); ++i) {
    const double share = static_cast<double>(active[i]) / static_cast<double>(strip.length(i));
    const int high = static_cast<int>(bar_height * share);
    path += "V" + std::to_string(top + bar_height - high) + "H" + std::to_string(i + 1);
  }
  return path + "V" + floor + "Z";
}

}  // namespace

std::string svg_strip(const analyzer::DeviceResult& device) {
  const analyzer::ActivityStrip& strip = device.strip;
  if (strip.size() == 0) return "";
  std::string rows;
  std::string labels;
  int top = 0;
  const std::int64_t wall = device.scope.window.length();
  const auto add = [&](std::string_view name, std::string_view word,
                       const std::vector<std::int64_t>& active, std::int64_t ns) {
    const std::string kind(name);
    rows += "<path class=\"" + kind + "\" d=\"" + outline(active, strip, top) + "\"/>";
    labels += "<li><span class=\"" + kind + "\"></span>" + std::string(word) + " " +
              format_share(ns, wall) + "</li>";
    top += row_height;
  };
  for (const analyzer::EngineResult& engine : device.engines) {
    add(name_of(engine.engine), word_of(engine.engine),
        strip.busy_ns[static_cast<std::size_t>(engine.engine)], engine.busy_ns);
  }
  add("idle", "idle", strip.idle_ns, device.scope.gaps.total_ns);
  return "<figure class=\"strip\"><svg viewBox=\"0 0 " + std::to_string(strip.size()) + " " +
         std::to_string(top) +
         "\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"share of the time each engine "
         "was "
         "busy, from first op to last; the rows below in the list\">" +
         rows + "</svg><figcaption><ul>" + labels + "</ul></figcaption></figure>\n";
}

}  // namespace lapscope::reports
