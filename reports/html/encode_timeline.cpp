#include "reports/html/encode_timeline.h"

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "reports/html/thin.h"
#include "reports/words/call_sites.h"
#include "reports/words/format.h"
#include "reports/words/host_time_words.h"
#include "reports/words/verdict_words.h"

namespace lapscope::reports {
namespace {

using analyzer::Interval;
using analyzer::no_index;
using analyzer::Ns;
using analyzer::Report;
using analyzer::Timeline;
using Json = nlohmann::ordered_json;

// Writes columns of integers as planes of bytes. The first plane has the lowest byte of each
// integer, the next plane the second byte of each, and so on. The bytes of a plane are similar, so
// a plane compresses well. It is also faster to read than an array of integers.
class Columns {
 public:
  explicit Columns(std::string& bytes) : bytes_(bytes) {}

  // Writes a column: the number of its planes as one byte, then the planes.
  void add(const std::vector<std::uint64_t>& values) {
    std::uint64_t all = 0;
    for (const std::uint64_t value : values) all |= value;
    const auto planes = static_cast<unsigned>((std::bit_width(all) + 7) / 8);
    bytes_ += static_cast<char>(planes);
    for (unsigned plane = 0; plane < planes; ++plane) {
      for (const std::uint64_t value : values) {
        bytes_ += static_cast<char>(value >> (8 * plane) & 0xFFU);
      }
    }
  }

 private:
  std::string& bytes_;
};

// Maps small positive and negative numbers to small unsigned ones.
std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63);
}

// Writes starts, durations and names. A start is written as its difference from the previous end.
// The difference is small if entries follow each other closely.
template <class Spans>
void add_spans(Columns& columns, const Spans& spans, Ns origin) {
  std::vector<std::uint64_t> column(spans.size());
  Ns before = origin;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    column[i] = zigzag(spans.start[i] - before);
    before = spans.end[i];
  }
  columns.add(column);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    column[i] = static_cast<std::uint64_t>(spans.end[i] - spans.start[i]);
  }
  columns.add(column);
  for (std::size_t i = 0; i < spans.size(); ++i) column[i] = spans.name[i];
  columns.add(column);
}

// Writes an index for each entry, for example the index of its launch geometry. The value is 0 if
// the index equals the index of the previous entry with the same name, which is usual. Otherwise,
// the value is number_of(index), or 1 if the entry has no index. `indices` may be empty.
template <class NumberOf>
void add_changes(Columns& columns, const std::vector<std::uint32_t>& names,
                 const std::vector<std::uint32_t>& indices, const NumberOf& number_of) {
  std::vector<std::uint64_t> column(names.size());
  std::map<std::uint32_t, std::uint64_t> last;  // by name
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::uint64_t own = indices[i] == no_index ? 1 : number_of(indices[i]);
    std::uint64_t& before = last.try_emplace(names[i], 1).first->second;
    column[i] = own == before ? 0 : own;
    before = own;
  }
  columns.add(column);
}

// The different texts of call sites. If there are too many, those with the fewest calls are
// dropped. The number of a site is 2 + the index of its text, or 1 if the text was dropped.
struct SiteTexts {
  std::vector<std::string> texts;
  std::vector<std::uint64_t> number_of_site;
};
SiteTexts site_texts_of(const Timeline& timeline) {
  constexpr std::size_t most_texts = 4000;   // 0.1 MB of a page, about
  std::map<std::string, std::size_t> calls;  // by text
  std::vector<std::string> of_site;
  for (const analyzer::TimelineSite& site : timeline.sites) {
    of_site.push_back(where_of(site.stack, site.forward_stack));
    calls.try_emplace(of_site.back(), 0);
  }
  for (const auto& thread : timeline.threads) {
    for (const std::uint32_t site : thread.calls.site) {
      if (site != no_index) ++calls[of_site[site]];
    }
  }
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const auto& [text, count] : calls) order.emplace_back(count, text);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (order.size() > most_texts) order.resize(most_texts);
  SiteTexts result;
  std::map<std::string, std::uint64_t> numbers;
  for (const auto& [count, text] : order) {
    numbers.emplace(text, result.texts.size() + 2);
    result.texts.push_back(text);
  }
  for (const std::string& text : of_site) {
    const auto number = numbers.find(text);
    result.number_of_site.push_back(number == numbers.end() ? 1 : number->second);
  }
  return result;
}

// Writes the cause of the idle gap before each op. The value is 1 + the index of the cause, or 0 if
// there is no known cause. `ends` are sorted by time.
void add_gap_causes(Columns& columns, const analyzer::TimelineLane& lane,
                    const std::vector<analyzer::GapEnd>& ends) {
  std::vector<std::uint64_t> column(lane.size());
  const auto is_before = [](const analyzer::GapEnd& end, Ns at) { return end.at < at; };
  for (std::size_t i = 0; i < lane.size(); ++i) {
    const auto found = std::lower_bound(ends.begin(), ends.end(), lane.start[i], is_before);
    if (found != ends.end() && found->at == lane.start[i]) {
      column[i] = static_cast<std::uint64_t>(found->cause) + 1;
    }
  }
  columns.add(column);
}

// Writes, for each entry, how many other entries were joined to it. If nothing was joined, the
// column takes one byte.
void add_others(Columns& columns, std::vector<std::uint64_t> others, std::size_t size) {
  others.resize(size);
  columns.add(others);
}

void add_lane(Columns& columns, const analyzer::TimelineLane& lane, const Joined& joined,
              const std::vector<analyzer::GapEnd>& ends, Ns origin) {
  add_spans(columns, lane, origin);
  std::vector<std::uint64_t> column(lane.size());
  for (std::size_t i = 0; i < lane.size(); ++i) {
    column[i] = static_cast<std::uint64_t>(lane.bytes[i]);
  }
  columns.add(column);
  std::int64_t before = -1;
  for (std::size_t i = 0; i < lane.size(); ++i) {
    const std::int64_t call = lane.call[i] == no_index ? -1 : std::int64_t{lane.call[i]};
    column[i] = zigzag(call - before);
    before = call;
  }
  columns.add(column);
  add_others(columns, joined.others, lane.size());
  for (std::size_t i = 0; i < lane.size(); ++i) {
    column[i] = joined.idle.empty() ? 0 : zigzag(joined.idle[i]);
  }
  columns.add(column);
  add_changes(columns, lane.name, lane.geometry,
              [](std::uint32_t geometry) { return geometry + std::uint64_t{2}; });
  add_gap_causes(columns, lane, ends);
}

// Sorted by time; at equal times, gaps of the whole device come before gaps of its ranges.
std::vector<analyzer::GapEnd> gap_ends_of(const Report& report, std::int64_t id) {
  std::vector<analyzer::GapEnd> ends;
  for (const auto& device : report.devices) {
    if (device.id != id) continue;
    ends = device.scope.gaps.ends;
    for (const auto& range : device.ranges) {
      const auto& own = range.scope.gaps.ends;
      ends.insert(ends.end(), own.begin(), own.end());
    }
  }
  std::stable_sort(ends.begin(), ends.end(),
                   [](const auto& a, const auto& b) { return a.at < b.at; });
  return ends;
}

// Returns the starts of the ops that findings refer to, which are never joined with others.
std::vector<Ns> starts_of_evidence(const Report& report) {
  std::vector<Ns> starts;
  for (const ShownFinding& shown : shown_findings(report)) {
    for (const auto& e : shown.finding->evidence) {
      starts.push_back(e.op_interval.start);
      starts.push_back(e.holder.start);
    }
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

Json findings_json(const Report& report, Ns origin) {
  const auto interval = [origin](Interval i) { return Json{i.start - origin, i.end - origin}; };
  Json findings = Json::array();
  for (const auto& [device, finding] : shown_findings(report)) {
    Json evidence = Json::array();
    for (const auto& e : finding->evidence) {
      evidence.push_back(
          {{"waiting", interval(e.waiting)},
           {"op", printable(e.op)},
           {"end", e.op_interval.end - origin},
           {"stream", e.stream},
           {"thread", printable(e.thread)},
           {"heldBy", printable(words_of(e.blocked_by))},
           {"holder", e.blocked_by == analyzer::Doing() ? Json() : interval(e.holder)}});
    }
    findings.push_back({{"device", device->id},
                        {"code", finding->code},
                        {"what", printable(words_of(finding->what))},
                        {"evidence", std::move(evidence)}});
  }
  return findings;
}

// Writes the kind and a line of text for each piece of the host's work. The kind is also a class in
// the style sheet. The function of the piece is in the column of names.
Json host_work_json(const Timeline& timeline) {
  Json works = Json::array();
  for (const analyzer::TimelineHostWork& work : timeline.host_work) {
    works.push_back({name_of(work.kind), printable(words_of(work))});
  }
  return works;
}

Json description_of(const Report& report, const Timeline& timeline, Interval extent,
                    const Thinning& thinning, const std::vector<std::string>& sites) {
  const Ns origin = extent.start;
  Json devices = Json::array();
  for (const auto& device : report.devices) {
    devices.push_back({{"id", device.id},
                       {"name", printable(device.name)},
                       {"from", device.scope.window.start - origin},
                       {"to", device.scope.window.end - origin}});
  }
  Json lanes = Json::array();
  for (const auto& lane : timeline.lanes) {
    lanes.push_back({{"device", lane.device},
                     {"engine", name_of(lane.engine)},
                     {"stream", lane.stream.id},
                     {"pid", lane.stream.pid},
                     {"streamKind", name_of(lane.stream.kind)},
                     {"count", lane.size()}});
  }
  Json threads = Json::array();
  for (const auto& thread : timeline.threads) {
    threads.push_back({{"pid", thread.pid},
                       {"tid", thread.tid},
                       {"calls", thread.calls.size()},
                       {"ranges", thread.ranges.size()}});
    if (thread.seen.size() > 0) threads.back()["seen"] = thread.seen.size();
  }
  Json names = Json::array();
  for (const std::string& name : timeline.names) names.push_back(printable(name));
  Json geometries = Json::array();
  for (const auto& g : timeline.geometries) {
    geometries.push_back(
        {g.blocks, g.threads_per_block, g.registers_per_thread, g.shared_memory_per_block});
  }
  Json description{{"length", extent.length()},
                   {"origin", origin},
                   {"first", report.first_op - origin},
                   {"devices", std::move(devices)},
                   {"lanes", std::move(lanes)},
                   {"threads", std::move(threads)},
                   {"findings", findings_json(report, origin)},
                   {"thinned",
                    {{"entries", thinning.entries},
                     {"kept", thinning.kept},
                     {"shorterOp", thinning.shorter_op_ns},
                     {"shorterSpan", thinning.shorter_span_ns},
                     {"counts", thinning.counts},
                     {"names", thinning.joined_names}}},
                   {"causes", analyzer::cause_codes},
                   {"geometries", std::move(geometries)},
                   {"sites", sites},
                   {"names", std::move(names)}};
  if (!timeline.host_work.empty()) description["hostWork"] = host_work_json(timeline);
  return description;
}

}  // namespace

std::string encode_timeline(const Report& report, Interval extent, std::size_t most_bytes) {
  const Timeline& whole = *report.timeline;
  const Thinning thinning = thin(whole, budget_for(whole, most_bytes), starts_of_evidence(report));
  const Timeline& timeline = thinning.timeline ? *thinning.timeline : whole;
  const SiteTexts sites = site_texts_of(timeline);
  const std::string description =
      description_of(report, timeline, extent, thinning, sites.texts).dump();
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>(description.size() >> shift & 0xFFU);
  }
  bytes += description;
  Columns columns(bytes);
  const auto of = [](const std::vector<Joined>& all, std::size_t i) {
    return i < all.size() ? all[i] : Joined{};
  };
  std::vector<analyzer::GapEnd> ends;
  std::optional<std::int64_t> ends_of;  // the device of `ends`; lanes are sorted by device
  for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
    const analyzer::TimelineLane& lane = timeline.lanes[i];
    if (ends_of != lane.device) ends = gap_ends_of(report, (ends_of = lane.device).value());
    add_lane(columns, lane, of(thinning.lanes, i), ends, extent.start);
  }
  for (std::size_t i = 0; i < timeline.threads.size(); ++i) {
    const auto& [pid, tid, calls, ranges, seen] = timeline.threads[i];
    add_spans(columns, calls, extent.start);
    add_others(columns, of(thinning.calls, i).others, calls.size());
    add_changes(columns, calls.name, calls.site,
                [&](std::uint32_t site) { return sites.number_of_site[site]; });
    add_spans(columns, ranges, extent.start);
    add_others(columns, of(thinning.ranges, i).others, ranges.size());
    if (seen.size() == 0) continue;
    add_spans(columns, seen, extent.start);
    columns.add({seen.site.begin(), seen.site.end()});
  }
  return bytes;
}

}  // namespace lapscope::reports
