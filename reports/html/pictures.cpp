#include "reports/html/pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "reports/html/html_markup.h"
#include "reports/words/activity_words.h"
#include "reports/words/format.h"
#include "reports/words/host_time_words.h"

namespace lapscope::reports {
namespace {

using analyzer::BlameKind;
using analyzer::BlameRow;
using analyzer::HostKind;
using analyzer::HostStack;
using analyzer::Ns;

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

constexpr double path_width = 1000;  // SVG units

// Returns the CSS class of a part of the critical path.
std::string_view kind_of(const BlameRow& part) {
  if (part.kind == BlameKind::wait) return "idle";
  return part.code == "other-device" ? "other" : part.code;
}

constexpr int flame_row = 18;          // pixels
constexpr double least_share = 0.003;  // narrower functions are not drawn
constexpr std::size_t most_rows = 48;
constexpr double share_of_a_letter = 0.008;  // least part of a graph's width that a letter takes

struct Node {
  std::string name;
  Ns ns = 0;
  Ns known_ns = 0;  // of known stacks
  std::map<HostKind, Ns> kinds;
  std::map<std::string, std::unique_ptr<Node>> below;

  Node& child(const std::string& called) {
    auto& one = below[called];
    if (!one) one = std::make_unique<Node>(Node{called});
    return *one;
  }
  HostKind kind() const {
    return std::max_element(kinds.begin(), kinds.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }
};

Node tree_of(const std::vector<HostStack>& stacks) {
  Node root{"all threads"};
  for (const HostStack& stack : stacks) {
    Node* at = &root;
    const auto add = [&](const std::string& name) {
      at = &at->child(name);
      at->ns += stack.ns;
      if (!stack.frames.empty()) at->known_ns += stack.ns;
      at->kinds[stack.kind] += stack.ns;
    };
    root.ns += stack.ns;
    root.kinds[stack.kind] += stack.ns;
    add(fmt::format("thread {}", analyzer::tid_of(stack.thread)));
    for (const std::string& frame : stack.frames) add(frame);
    if (stack.frames.empty()) add("stack not known");
  }
  return root;
}

class Flame {
 public:
  explicit Flame(Ns all) : all_(all) {}

  // Draws a node, and below it the functions that it called. The largest function is leftmost. A
  // thread without known stacks is rightmost.
  void draw(const Node& node, Ns from, std::size_t row) {
    if (part(node.ns) < least_share || row == most_rows) return;
    rows_ = std::max(rows_, row + 1);
    kinds_.insert(node.kind());
    const double width = 100 * part(node.ns);
    const auto letters = static_cast<std::size_t>(part(node.ns) / share_of_a_letter);
    const std::size_t y = row * flame_row;
    text_ += fmt::format(
        "<svg x=\"{:.3f}%\" y=\"{}\" width=\"{:.3f}%\" height=\"{}\"><title>{}\n{}, {}</title>"
        "<rect class=\"k-{}\" width=\"100%\" height=\"{}\"/>",
        100 * part(from), y, width, flame_row, html_text(node.name), format_ns(node.ns),
        html_text(format_percent(part(node.ns))), name_of(node.kind()), flame_row - 1);
    if (letters > 2) {
      text_ +=
          fmt::format("<text x=\"3\" y=\"13\">{}</text>", html_text(shortened(node.name, letters)));
    }
    text_ += "</svg>";
    std::vector<const Node*> below;
    for (const auto& [name, one] : node.below) below.push_back(one.get());
    std::stable_sort(below.begin(), below.end(), [](const Node* a, const Node* b) {
      return std::tie(a->known_ns, a->ns) > std::tie(b->known_ns, b->ns);
    });
    for (const Node* one : below) {
      draw(*one, from, row + 1);
      from += one->ns;
    }
  }

  std::string figure(std::string_view caption) const {
    std::string key;
    for (const HostKind kind : kinds_) {
      key += fmt::format("<li><span class=\"k-{}\"></span>{}</li>", name_of(kind), words_of(kind));
    }
    return fmt::format(
        "<figure class=\"flame\"><figcaption>{}<ul>{}</ul></figcaption><svg width=\"100%\" "
        "height=\"{}\" role=\"img\" aria-label=\"{}; the functions are in the table of host time\">"
        "{}</svg></figure>\n",
        caption, key, rows_ * flame_row, caption, text_);
  }

 private:
  double part(Ns ns) const { return static_cast<double>(ns) / static_cast<double>(all_); }

  Ns all_;
  std::string text_;
  std::size_t rows_ = 0;
  std::set<HostKind> kinds_;
};

std::string graph_of(const std::vector<HostStack>& stacks, const std::string& what) {
  const Node root = tree_of(stacks);
  if (root.ns == 0) return "";
  Flame flame(root.ns);
  flame.draw(root, 0, 0);
  return flame.figure(fmt::format("{}: {}", what, format_ns(root.ns)));
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

std::string svg_path(const analyzer::DeviceResult& device) {
  const auto& causes = device.scope.causes;
  const analyzer::Interval window = device.scope.window;
  if (!causes || window.length() <= 0) return "";
  const auto x = [&window](analyzer::Ns time) {
    return path_width * static_cast<double>(time - window.start) /
           static_cast<double>(window.length());
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
      path_width, shapes, note);
}

std::string flame_graphs(const analyzer::ScopeResult& scope) {
  if (!scope.host_time || scope.host_time->stacks.empty()) return "";
  std::string graphs;
  if (scope.host_waits) {
    graphs += graph_of(*scope.host_waits, "What the host did on the critical path");
  }
  graphs += graph_of(scope.host_time->stacks, "What the host did between its calls");
  return "<h3>Host time</h3>\n" + graphs;
}

}  // namespace lapscope::reports
