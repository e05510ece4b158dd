#include "reports/html/encode_timeline.h"

#include <nlohmann/json.hpp>

#include "reports/html/thin.h"
#include "reports/words/printable.h"

namespace lapscope::reports {
namespace {

using analyzer::Interval;
using analyzer::no_index;
using analyzer::Report;
using analyzer::Timeline;
using Json = nlohmann::ordered_json;

// Ops, calls and ranges of one page. What 3 million take was measured: see docs/design.md.
constexpr std::size_t most_entries = 3'000'000;

class Columns {
 public:
  explicit Columns(std::string& bytes) : bytes_(bytes) {}

  template <class Values, class F>
  void add(const Values& values, F&& encoded) {
    for (std::size_t i = 0; i < values.size(); ++i) append(encoded(i));
  }
  // Differences to the value before; the first one to `before`.
  template <class Values, class F>
  void add_differences(const Values& values, std::int64_t before, F&& value) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t difference = value(i) - before;
      before += difference;
      // zigzag: small ones of either sign are short
      append(static_cast<std::uint64_t>(difference) << 1U ^
             static_cast<std::uint64_t>(difference >> 63));
    }
  }

 private:
  void append(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) bytes_ += static_cast<char>((value & 0x7FU) | 0x80U);
    bytes_ += static_cast<char>(value);
  }

  std::string& bytes_;
};

// Start, duration, name: of a lane or of spans.
template <class Spans>
void add_spans(Columns& columns, const Spans& spans, std::int64_t origin) {
  columns.add_differences(spans.start, origin, [&](std::size_t i) { return spans.start[i]; });
  columns.add(spans.end, [&](std::size_t i) {
    return static_cast<std::uint64_t>(spans.end[i] - spans.start[i]);
  });
  columns.add(spans.name, [&](std::size_t i) { return std::uint64_t{spans.name[i]}; });
}

Json findings_json(const Report& report, std::int64_t origin) {
  const auto interval = [origin](Interval i) { return Json{i.start - origin, i.end - origin}; };
  Json findings = Json::array();
  for (const auto& device : report.devices) {
    if (!device.scope.causes) continue;
    for (const auto& finding : device.scope.causes->findings) {
      Json evidence = Json::array();
      for (const auto& e : finding.evidence) {
        evidence.push_back({{"waiting", interval(e.waiting)},
                            {"op", printable(e.op)},
                            {"stream", e.stream},
                            {"heldBy", printable(e.held_by)},
                            {"holder", interval(e.holder)}});
      }
      findings.push_back({{"device", device.id},
                          {"code", finding.code},
                          {"what", printable(finding.what)},
                          {"evidence", std::move(evidence)}});
    }
  }
  return findings;
}

Json description_of(const Report& report, const Timeline& timeline, const Thinning& thinning) {
  const std::int64_t origin = timeline.extent.start;
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
  }
  Json names = Json::array();
  for (const std::string& name : timeline.names) names.push_back(printable(name));
  return {
      {"length", timeline.extent.length()},
      {"origin", origin},
      {"devices", std::move(devices)},
      {"lanes", std::move(lanes)},
      {"threads", std::move(threads)},
      {"findings", findings_json(report, origin)},
      {"thinned",
       {{"entries", thinning.entries}, {"kept", thinning.kept}, {"shorter", thinning.shorter_ns}}},
      {"names", std::move(names)}};
}

}  // namespace

std::string encode_timeline(const Report& report) {
  Timeline timeline = *report.timeline;
  const Thinning thinning = thin(timeline, most_entries);
  const std::string description = description_of(report, timeline, thinning).dump();
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes += static_cast<char>(description.size() >> shift & 0xFFU);
  }
  bytes += description;
  Columns columns(bytes);
  for (const auto& lane : timeline.lanes) {
    add_spans(columns, lane, timeline.extent.start);
    columns.add(lane.bytes,
                [&](std::size_t i) { return static_cast<std::uint64_t>(lane.bytes[i]); });
    columns.add_differences(lane.call, -1, [&](std::size_t i) {
      return lane.call[i] == no_index ? std::int64_t{-1} : std::int64_t{lane.call[i]};
    });
  }
  for (const auto& thread : timeline.threads) {
    add_spans(columns, thread.calls, timeline.extent.start);
    add_spans(columns, thread.ranges, timeline.extent.start);
  }
  return bytes;
}

}  // namespace lapscope::reports
