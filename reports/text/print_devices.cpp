#include "reports/text/text_sections.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <tuple>

#include "reports/text/layout.h"
#include "reports/words/activity_words.h"
#include "reports/words/format.h"
#include "reports/words/headline.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::Ns;
using analyzer::ScopeResult;
using Align = Table::Align;

}  // namespace

void print_devices(const analyzer::Report& report, const DeviceResult& shown,
                   const TextStyle& style, std::ostream& out) {
  const Paint paint(style);
  Table table({Align::right, Align::left, Align::right, Align::right, Align::right, Align::left});
  table.add({"", "", "ops", "wall", "busy", "verdict"});
  constexpr std::size_t beside = 68;  // most columns of the other cells
  const std::size_t room = style.width > beside + 6 ? style.width - beside : 0;
  for (const DeviceResult& device : report.devices) {
    const ScopeResult& judged = judged_of(device);
    table.add({std::to_string(device.id), shortened(device.name, room), std::to_string(judged.ops),
               format_ns(judged.window.length()),
               format_share(ns_of(judged, "busy"), judged.window.length()), short_verdict(judged)});
  }
  const std::string heading =
      fmt::format("{} devices; below: device {}, with the most to gain (-v: all)",
                  report.devices.size(), shown.id);
  fmt::print(out, "{}\n", paint.bold(wrapped(heading, style.width, 0)));
  table.print(out, 2);
}

}  // namespace lapscope::reports
