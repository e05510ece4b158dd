#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis/report.h"

namespace lapscope::reports {

// A timeline on a page.
struct ShownTimeline {
  const analyzer::Report* report = nullptr;  // null: there is no timeline
  // The interval that is drawn, in ns since session start: usually Timeline::extent.
  analyzer::Interval extent;
  std::string heading;  // text; may be empty
};

enum class LinkedViews { when_asked, from_the_start };  // whether all timelines scroll together

// Returns a section for each timeline of a page, or "" if it has no ops. Together they have at most
// 10 MB. Links refer to a timeline by its index. page/timeline.js draws the sections.
std::vector<std::string> timeline_sections(std::span<const ShownTimeline> timelines,
                                           LinkedViews linked);

// Compresses to raw DEFLATE (RFC 1951), which browsers can decompress. Throws std::runtime_error if
// there is not enough memory.
std::string deflated(std::string_view bytes);

std::string base64(std::string_view bytes);

}  // namespace lapscope::reports
