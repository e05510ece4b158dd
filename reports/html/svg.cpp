#include "reports/html/svg.h"

#include <fmt/format.h>

#include <map>

#include "reports/html/html_markup.h"
#include "reports/words/activity_words.h"
#include "reports/words/format.h"

namespace lapscope::reports {
namespace {

constexpr int row_height = 340;  // SVG units, 40 of them between rows
constexpr int bar_height = 300;

// Returns the outline of all intervals as one closed path. One path for a whole row takes less
// space than one shape per interval.
std::string outline(const std::vector<analyzer::Ns>& active, const analyzer::ActivityStrip& strip,
                    int top) {
  const std::string floor = std::to_string(top + bar_height);
  std::string path = "M0 " + floor;
  for (std::size_t i = 0; i < active.size(); ++i) {
    const analyzer::Share share =
        static_cast<double>(active[i]) / static_cast<double>(strip.length(i));
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
  const analyzer::Ns wall = device.scope.window.length();
  const auto add = [&](std::string_view name, std::string_view word,
                       const std::vector<analyzer::Ns>& active, analyzer::Ns ns) {
    const std::string kind(name);
    rows += "<path class=\"" + kind + "\" d=\"" + outline(active, strip, top) + "\"/>";
    labels += "<li><span class=\"" + kind + "\"></span>" + std::string(word) + " " +
              html_text(format_share(ns, wall)) + "</li>";
    top += row_height;
  };
  for (const analyzer::EngineResult& engine : device.engines) {
    add(name_of(engine.engine), word_of(engine.engine),
        strip.busy_ns[static_cast<std::size_t>(engine.engine)], engine.busy_ns);
  }
  if (strip.other_work() > 0) {
    add("other", "other work", strip.other_work_ns, strip.other_work());
  }
  add("idle", "idle", strip.idle_ns, device.scope.gaps.total_ns);
  return "<figure class=\"strip\"><svg viewBox=\"0 0 " + std::to_string(strip.size()) + " " +
         std::to_string(top) +
         "\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"share of the time each engine "
         "was "
         "busy, from first op to last; the rows below in the list\">" +
         rows + "</svg><figcaption><ul>" + labels + "</ul></figcaption></figure>\n";
}

namespace {

using analyzer::BlameKind;
using analyzer::BlameRow;

constexpr double width = 1000;  // SVG units

// Returns the CSS class of a part of the critical path. The class "other" is for work of another
// device, and also for the engine of other copies.
std::string_view kind_of(const BlameRow& part) {
  if (part.kind == BlameKind::wait) return "idle";
  return part.code == "other-device" ? "other" : part.code;
}

}  // namespace

std::string svg_path(const analyzer::DeviceResult& device) {
  const auto& causes = device.scope.causes;
  const analyzer::Interval window = device.scope.window;
  if (!causes || window.length() <= 0) return "";
  const auto x = [&window](analyzer::Ns time) {
    return width * static_cast<double>(time - window.start) / static_cast<double>(window.length());
  };
  std::map<std::string_view, std::string> outlines;  // one path for each kind
  std::int64_t merged = 0;
  for (const analyzer::PathStretch& stretch : causes->critical_path) {
    // A stretch may merge several parts. Their order is not known here, so they are stacked.
    std::int64_t above = 0;
    const auto y = [&](analyzer::Ns ns) {
      return static_cast<double>(ns) / static_cast<double>(stretch.interval.length());
    };
    for (const BlameRow& part : stretch.parts) {
      outlines[kind_of(part)] +=
          fmt::format("M{:.2f} {:.3f}H{:.2f}V{:.3f}H{:.2f}Z", x(stretch.interval.start), y(above),
                      x(stretch.interval.end), y(above + part.ns), x(stretch.interval.start));
      above += part.ns;
    }
    if (stretch.merged > 1) merged += stretch.merged;
  }
  if (outlines.empty()) return "";
  std::string shapes;
  for (const auto& [kind, outline] : outlines) {
    shapes += fmt::format("<path class=\"{}\" d=\"{}\"/>", kind, outline);
  }
  std::string note =
      "critical path: work in its "
      "engine's colour, waiting in that of idle time";
  if (merged > 0)
    note += fmt::format("; {} short parts lie above each other by their shares", merged);
  if (causes->correction) note += "; of the run without the recorder's own time";
  return fmt::format(
      "<figure class=\"strip way\"><svg viewBox=\"0 0 {:.0f} 1\" preserveAspectRatio=\"none\" "
      "role=\"img\" aria-label=\"the critical path over time; its longest parts are in a table "
      "below\">{}</svg><figcaption>{}</figcaption></figure>\n",
      width, shapes, note);
}

}  // namespace lapscope::reports
