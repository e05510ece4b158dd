#include "reports/html/svg_path.h"

#include <fmt/format.h>

#include <map>

namespace lapscope::reports {
namespace {

using analyzer::BlameKind;
using analyzer::BlameRow;

constexpr double width = 1000;  // units of the picture

// The style of a part. Work of another device is drawn as other copies are: it is none of the
// device's engines.
std::string_view kind_of(const BlameRow& part) {
  if (part.kind == BlameKind::wait) return "idle";
  return part.code == "other-device" ? "other" : part.code;
}

}  // namespace

std::string svg_path(const analyzer::DeviceResult& device) {
  const auto& causes = device.scope.causes;
  const analyzer::Interval window = device.scope.window;
  if (!causes || window.length() <= 0) return "";
  const auto x = [&window](std::int64_t time) {
    return width * static_cast<double>(time - window.start) / static_cast<double>(window.length());
  };
  std::map<std::string_view, std::string> outlines;  // one shape a kind, not one for each part
  std::int64_t merged = 0;
  for (const analyzer::PathStretch& stretch : causes->critical_path) {
    // Parts that are told together lie one above the other: their order is not known here.
    std::int64_t above = 0;
    const auto y = [&](std::int64_t ns) {
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
      "the way from the first op to the last, along what held up what: work in its "
      "engine's colour, waiting in that of idle time";
  if (merged > 0)
    note += fmt::format("; {} short parts lie above each other by their shares", merged);
  return fmt::format(
      "<figure class=\"strip way\"><svg viewBox=\"0 0 {:.0f} 1\" preserveAspectRatio=\"none\" "
      "role=\"img\" aria-label=\"the critical path over time; its longest parts are in a table "
      "below\">{}</svg><figcaption>{}</figcaption></figure>\n",
      width, shapes, note);
}

}  // namespace lapscope::reports
