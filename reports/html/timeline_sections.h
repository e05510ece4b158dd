#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// A timeline as a page shows it.
struct ShownTimeline {
  const analyzer::Report* report = nullptr;  // null: there is none
  // From where to where it is drawn, in ns since session start: usually Timeline::extent.
  analyzer::Interval extent;
  std::string heading;  // text; may be empty
};

enum class LinkedViews { when_asked, from_the_start };  // whether timelines of a page move as one

// What the page is about, and so what a timeline shows at first: what was asked for, else the
// steady state, of the device with most to gain. All of the extent where that is nearly all of it.
struct FirstView {
  analyzer::Interval interval;  // in ns since session start
  std::int64_t device = 0;
};
FirstView first_view_of(const analyzer::Report& report, analyzer::Interval extent);

// The timelines of one page, which share its room of 10 MB; a section for each, "" for one that has
// no ops. Links name them by their place in the list. What a script makes of them is up to
// page/timeline.js.
std::vector<std::string> timeline_sections(std::span<const ShownTimeline> timelines,
                                           LinkedViews linked);

// Raw DEFLATE (RFC 1951), which browsers inflate by themselves. Throws std::runtime_error when
// memory does not suffice.
std::string deflated(std::string_view bytes);

std::string base64(std::string_view bytes);

}  // namespace lapscope::reports
