#include "reports/html/timeline_sections.h"

#include <fmt/format.h>

#include "reports/html/encode_timeline.h"
#include "reports/html/escape.h"
#include "reports/html/payload.h"
#include "reports/html/thin.h"

namespace lapscope::reports {
namespace {

// How much an entry takes is known about only, and joined ones take more: what came out too large
// is thinned further.
std::string data_of(const ShownTimeline& shown, std::size_t room) {
  std::string data = deflated(encode_timeline(*shown.report, shown.extent, room));
  constexpr int most_rounds = 3;
  std::size_t asked = room;
  for (int round = 0; data.size() > room && round < most_rounds; ++round) {
    asked = asked * 9 / 10 * room / data.size();
    data = deflated(encode_timeline(*shown.report, shown.extent, asked));
  }
  return data;
}

}  // namespace

std::vector<std::string> timeline_sections(std::span<const ShownTimeline> timelines,
                                           LinkedViews linked) {
  const auto draws = [](const ShownTimeline& shown) {
    return shown.report != nullptr && shown.report->timeline && shown.report->timeline->ops() > 0;
  };
  std::vector<std::size_t> needs;
  for (const ShownTimeline& shown : timelines) {
    needs.push_back(draws(shown) ? bytes_of(*shown.report->timeline) : 0);
  }
  const auto shares = shares_of(page_bytes, needs);
  std::vector<std::string> sections;
  for (std::size_t i = 0; i < timelines.size(); ++i) {
    const ShownTimeline& shown = timelines[i];
    if (!draws(shown)) {
      sections.emplace_back();
      continue;
    }
    sections.push_back(fmt::format(
        "<section class=\"timeline\" data-report=\"{}\"{} aria-label=\"{}\">\n{}"
        "<noscript><p>The timeline needs JavaScript; all figures are in the tables of this "
        "page.</p></noscript>\n"
        "<script type=\"application/octet-stream\" class=\"data\">{}</script>\n</section>\n",
        i, linked == LinkedViews::from_the_start ? " data-together" : "",
        shown.heading.empty() ? "timeline" : "timeline of " + html_text(shown.heading),
        shown.heading.empty() ? "" : "<h3>" + html_text(shown.heading) + "</h3>\n",
        base64(data_of(shown, shares[i]))));
  }
  return sections;
}

}  // namespace lapscope::reports
