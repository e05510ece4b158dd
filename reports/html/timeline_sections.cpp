#include "reports/html/timeline_sections.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include "analyzer/analysis/verdict.h"
#include "reports/html/encode_timeline.h"
#include "reports/html/html_markup.h"
#include "reports/html/thin.h"

namespace lapscope::reports {

using analyzer::Ns;

std::string deflated(std::string_view bytes) {
  z_stream stream{};
  constexpr int raw_window = -15;  // bits; negative: no header
  constexpr int memory_level = 9;
  if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, raw_window, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("the data of a page could not be compressed: out of memory.");
  }
  std::string compressed;
  std::array<char, 1 << 16> chunk;
  // zlib counts input bytes in 32 bits.
  constexpr std::size_t piece = std::size_t{1} << 30U;
  do {
    const std::string_view part = bytes.substr(0, piece);
    bytes.remove_prefix(part.size());
    std::string input(part);
    stream.next_in = reinterpret_cast<Bytef*>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    const int flush = bytes.empty() ? Z_FINISH : Z_NO_FLUSH;
    do {
      stream.next_out = reinterpret_cast<Bytef*>(chunk.data());
      stream.avail_out = static_cast<uInt>(chunk.size());
      ::deflate(&stream, flush);
      compressed.append(chunk.data(), chunk.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (!bytes.empty());
  ::deflateEnd(&stream);
  return compressed;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (unsigned k = 0; k < 4; ++k) {
      text += k <= count ? digits[group >> (18 - 6 * k) & 0x3FU] : '=';
    }
  }
  return text;
}

namespace {

// Encodes a timeline within `room` bytes. The size of an entry is only an estimate. If the data is
// too large, encodes the timeline with fewer entries, up to three times.
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

// Returns a note that the timeline is not corrected for the recorder's own time; "" if no figure of
// the page is corrected.
std::string caption_of(const analyzer::Report& report) {
  const auto is_corrected = [](const analyzer::ScopeResult& scope) {
    return scope.causes && scope.causes->correction;
  };
  for (const analyzer::DeviceResult& device : report.devices) {
    bool is_any = is_corrected(device.scope);
    for (const auto& range : device.ranges) is_any |= is_corrected(range.scope);
    if (!is_any) continue;
    return "<p class=\"faint\">The timeline is as recorded, the recorder's own time included; "
           "causes and predictions are without it.</p>\n";
  }
  return "";
}

// What a timeline shows at first: the device with the largest possible saving, and its first range
// (such as its steady state), or the whole device if it has no ranges. If this range covers nearly
// the whole extent, the timeline shows the whole extent.
struct FirstView {
  analyzer::Interval interval;  // in ns since session start
  std::int64_t device = 0;
};

FirstView first_view_of(const analyzer::Report& report, analyzer::Interval extent) {
  FirstView first{extent};
  const analyzer::DeviceResult* const device = device_to_show(report);
  if (device == nullptr) return first;
  first.device = device->id;
  const analyzer::ScopeResult& scope =
      device->ranges.empty() ? device->scope : device->ranges.front().scope;
  constexpr Ns room = 50;      // a margin of 1/50 of the length on each side
  constexpr double all = 0.9;  // share of the extent that counts as all of it
  const analyzer::Interval window = scope.window;
  const auto length = static_cast<double>(extent.length());
  if (static_cast<double>(window.length()) >= all * length) return first;
  const Ns beside = window.length() / room;
  first.interval = {std::max(window.start - beside, extent.start),
                    std::min(window.end + beside, extent.end)};
  return first;
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
    const FirstView first = first_view_of(*shown.report, shown.extent);
    sections.push_back(fmt::format(
        "<section class=\"timeline\" data-report=\"{}\" data-view=\"{}-{}\" data-device=\"{}\"{} "
        "aria-label=\"{}\">\n{}{}"
        "<noscript><p>The timeline needs JavaScript; all figures are in the tables of this "
        "page.</p></noscript>\n"
        "<script type=\"application/octet-stream\" class=\"data\">{}</script>\n</section>\n",
        i, first.interval.start - shown.extent.start, first.interval.end - shown.extent.start,
        first.device, linked == LinkedViews::from_the_start ? " data-together" : "",
        shown.heading.empty() ? "timeline" : "timeline of " + html_text(shown.heading),
        shown.heading.empty() ? "" : "<h3>" + html_text(shown.heading) + "</h3>\n",
        caption_of(*shown.report), base64(data_of(shown, shares[i]))));
  }
  return sections;
}

}  // namespace lapscope::reports
