#include "reports/perfetto/render_perfetto.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reports/perfetto/packets.h"
#include "reports/perfetto/tracks.h"
#include "reports/words/activity_words.h"
#include "reports/words/call_sites.h"
#include "reports/words/findings.h"
#include "reports/words/format.h"
#include "reports/words/host_time_words.h"
#include "reports/words/scope_words.h"
#include "reports/words/verdict_words.h"
#include "reports/words/word_tables.h"

namespace lapscope::reports {
namespace {

using analyzer::DeviceResult;
using analyzer::Engine;
using analyzer::no_index;
using analyzer::Ns;
using analyzer::Report;
using analyzer::Stream;
using analyzer::Timeline;
using analyzer::TimelineLane;
using analyzer::TimelineSpans;
using analyzer::TimelineThread;
using Track = PerfettoPackets::Track;

// Draws slices under one name. Slices of different rows may overlap, so each row has its own track
// with this name. The UI merges these tracks.
class SliceTracks {
 public:
  SliceTracks(PerfettoPackets& packets, std::string name, Track parent, bool first_is_parent)
      : packets_(packets), name_(std::move(name)), parent_(parent) {
    if (first_is_parent) {
      tracks_.push_back(parent);
      open_.emplace_back();
    }
  }
  ~SliceTracks() {
    for (std::size_t row = 0; row < open_.size(); ++row) close(row, analyzer::latest_time);
  }
  SliceTracks(const SliceTracks&) = delete;
  SliceTracks& operator=(const SliceTracks&) = delete;

  // Slices must be added in ascending order of their starts. add() first closes the slices of the
  // same row that end at or before `start`. The packets of a track are therefore in order, even if
  // slices nest. A slice without a recorded end is never closed, because an end at
  // analyzer::latest_time would make the trace months longer.
  void add(std::uint32_t row, Ns start, Ns end, std::string_view name) {
    while (tracks_.size() <= row) {
      tracks_.push_back(packets_.add_track(name_, parent_));
      open_.emplace_back();
    }
    close(row, start);
    packets_.begin(tracks_[row], start, name);
    open_[row].push_back(end);
  }

 private:
  void close(std::size_t row, Ns until) {
    auto& ends = open_[row];
    for (; !ends.empty() && ends.back() <= until; ends.pop_back()) {
      if (ends.back() < analyzer::latest_time) packets_.end(tracks_[row], ends.back());
    }
  }

  PerfettoPackets& packets_;
  const std::string name_;
  const Track parent_;
  std::vector<Track> tracks_;
  std::vector<std::vector<Ns>> open_;  // end times, innermost last
};

// Process and thread IDs of one Perfetto trace. Perfetto would merge two processes with the same
// ID. So if an earlier run has the ID of a later run, the later run gets another ID, above the
// range that Linux uses.
class Ids {
 public:
  std::int32_t free_one(std::uint32_t wanted) {
    constexpr std::uint32_t beyond = 1U << 22U;
    while (!taken_.insert(wanted).second) wanted += beyond;
    return static_cast<std::int32_t>(wanted);
  }

 private:
  std::set<std::uint32_t> taken_;
};

// State that all runs of a trace share.
struct Shared {
  explicit Shared(std::ostream& out) : packets(out) {}

  PerfettoPackets packets;
  Ids pids;
  Ids tids;
  std::uint64_t flow = 1;  // ID of the next flow
};

// Draws one run. Ops are numbered across all lanes, and the flow to an op has its number.
class Drawing {
 public:
  Drawing(Shared& shared, const PerfettoRun& run)
      : shared_(shared),
        packets_(shared.packets),
        run_(run),
        report_(*run.report),
        timeline_(*run.report->timeline) {
    packets_.shift_by(run.shift_ns);
    for (const TimelineThread& thread : timeline_.threads) {
      const auto& starts = thread.calls.start;
      call_starts_.insert(call_starts_.end(), starts.begin(), starts.end());
    }
    for (const analyzer::TimelineSite& site : timeline_.sites) {
      places_.push_back(where_of(site.stack, site.forward_stack));
    }
    first_flow_ = shared.flow;
    for (const TimelineLane& lane : timeline_.lanes) {
      pids_.insert(lane.stream.pid);
      lane_flows_.push_back(shared.flow);
      shared.flow += lane.size();
    }
    note_flows();
  }

  // Draws calls before ops. An op may start at the same instant as its call. Perfetto then draws
  // the flow only if the call is written first.
  void draw() {
    if (!run_.process.empty()) process_of(first_pid());
    draw_host();
    for (const DeviceResult& device : report_.devices) draw_device(device);
  }

 private:
  struct Process {
    Track track = PerfettoPackets::no_track;
    std::int32_t pid = 0;  // in this trace
  };

  // Returns whether an op has a flow from its call. If clocks differ, an op may begin before its
  // call. Such an op has no flow, because Perfetto would draw the flow from the op to the call.
  bool has_flow(const TimelineLane& lane, std::size_t op) const {
    return lane.call[op] != no_index && call_starts_[lane.call[op]] <= lane.start[op];
  }

  // Builds a list of ops for each call. Goes from the last op to the first, because each op is put
  // at the front of its list. Each list is then in ascending order.
  void note_flows() {
    first_op_.resize(call_starts_.size(), no_index);
    next_op_.resize(timeline_.ops(), no_index);
    auto number = static_cast<std::uint32_t>(next_op_.size());
    for (auto lane = timeline_.lanes.rbegin(); lane != timeline_.lanes.rend(); ++lane) {
      for (std::size_t op = lane->size(); op-- > 0;) {
        --number;
        if (has_flow(*lane, op))
          next_op_[number] = std::exchange(first_op_[lane->call[op]], number);
      }
    }
  }

  // The name contains the process if there are several. Streams of different processes may have the
  // same ID, and the UI would merge sibling tracks of one name.
  std::string name_of_track(const Stream& stream) const {
    const auto process = pids_.size() > 1 ? fmt::format(" of process {}", stream.pid) : "";
    return fmt::format("stream {}{} ({})", stream.id, process, name_of(stream.kind));
  }

  std::uint32_t first_pid() const {
    if (!timeline_.threads.empty()) return timeline_.threads.front().pid;
    return timeline_.lanes.empty() ? 0 : timeline_.lanes.front().stream.pid;
  }

  Track parent_of_devices() const {
    return run_.process.empty() ? PerfettoPackets::no_track : processes_.at(first_pid()).track;
  }

  // The first call for an ID writes the packet of the process.
  const Process& process_of(std::uint32_t pid) {
    const auto [known, is_new] = processes_.try_emplace(pid);
    if (is_new) {
      Process& process = known->second;
      process.pid = shared_.pids.free_one(pid);
      const std::string name = run_.prefix + fmt::format("process {}", pid);
      process.track = packets_.add_process(
          run_.process.empty() ? name : fmt::format("{}, {}", run_.process, name), process.pid);
    }
    return known->second;
  }

  void draw_device(const DeviceResult& device) {
    const Track track = packets_.add_track(run_.prefix + title_of(device), parent_of_devices());
    draw_ranges(device, track);
    draw_findings(device.scope, "findings", track);
    draw_series(device, track);
    std::map<Engine, std::vector<const TimelineLane*>> engines;
    for (const TimelineLane& lane : timeline_.lanes) {
      if (lane.device == device.id) engines[lane.engine].push_back(&lane);
    }
    for (const auto& [engine, lanes] : engines) {
      draw_counter(fmt::format("active: {}", word_of(engine)), track, active_ops(lanes));
      if (engine != Engine::compute && engine != Engine::communication) {
        draw_counter(fmt::format("bytes/s: {}", word_of(engine)), track, copy_rate(lanes));
      }
    }
    for (const auto& [engine, lanes] : engines) {
      const Track engine_track = packets_.add_track(word_of(engine), track);
      for (const TimelineLane* lane : lanes) draw_lane(*lane, engine_track);
    }
  }

  void draw_counter(const std::string& name, Track parent, const std::vector<Step>& steps) {
    if (steps.empty()) return;
    const Track counter = packets_.add_counter(name, parent);
    for (const Step& step : steps) packets_.count(counter, step.time, step.value);
  }

  void draw_lane(const TimelineLane& lane, Track parent) {
    std::uint64_t flow = lane_flows_[static_cast<std::size_t>(&lane - timeline_.lanes.data())];
    const auto rows = rows_of(lane.start, lane.end, Nesting::none);
    SliceTracks slices(packets_, name_of_track(lane.stream), parent, false);
    for (std::size_t op = 0; op < lane.size(); ++op, ++flow) {
      if (has_flow(lane, op)) packets_.comes_from(flow);
      if (lane.bytes[op] > 0) packets_.annotate("bytes", lane.bytes[op]);
      slices.add(rows[op], lane.start[op], lane.end[op], timeline_.names[lane.name[op]]);
    }
  }

  // Draws each range as a slice over its window. The slice has the range's verdict. The range's
  // findings are on a separate track.
  void draw_ranges(const DeviceResult& device, Track parent) {
    std::vector<const analyzer::RangeResult*> ranges;
    for (const auto& range : device.ranges) ranges.push_back(&range);
    std::stable_sort(ranges.begin(), ranges.end(), [](const auto* a, const auto* b) {
      return a->scope.window.start < b->scope.window.start;
    });
    std::vector<Ns> starts;
    std::vector<Ns> ends;
    for (const auto* range : ranges) {
      starts.push_back(range->scope.window.start);
      ends.push_back(range->scope.window.end);
    }
    const auto rows = rows_of(starts, ends, Nesting::none);
    {
      SliceTracks slices(packets_, "scopes", parent, false);
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        packets_.annotate("verdict", first_line(report_, device, ranges[i]));
        packets_.annotate("instances", ranges[i]->instances);
        packets_.annotate("ops", ranges[i]->scope.ops);
        for (const auto& result : ranges[i]->scope.measures) {
          packets_.annotate(result.measure->name, format_value(result.value));
        }
        slices.add(rows[i], starts[i], ends[i], ranges[i]->name);
      }
    }
    for (const auto* range : ranges) {
      draw_findings(range->scope, "findings in " + title_of(*range), parent);
    }
  }

  void draw_series(const DeviceResult& device, Track parent) {
    for (const std::string_view measure : series_measures) {
      std::vector<Step> steps;
      for (const auto& bin : device.series) {
        const analyzer::Value* value = value_of(bin, measure);
        const auto* ratio = value ? std::get_if<analyzer::Ratio>(value) : nullptr;
        const auto* ns = value ? std::get_if<analyzer::Nanoseconds>(value) : nullptr;
        if (ratio) steps.push_back({bin.window.start, ratio->value()});
        if (ns) steps.push_back({bin.window.start, static_cast<double>(ns->count)});
      }
      draw_counter(fmt::format("over time: {}", measure), parent, steps);
    }
  }

  void draw_findings(const analyzer::ScopeResult& scope, const std::string& name, Track parent) {
    if (!scope.causes) return;
    struct Wait {
      analyzer::Interval interval;
      const analyzer::FindingResult* finding;
      const analyzer::Evidence* evidence;
    };
    std::vector<Wait> waits;
    for (const auto& finding : scope.causes->findings) {
      for (const auto& evidence : finding.evidence) {
        waits.push_back({evidence.waiting, &finding, &evidence});
      }
    }
    std::stable_sort(waits.begin(), waits.end(), [](const Wait& a, const Wait& b) {
      return a.interval.start < b.interval.start;
    });
    std::vector<Ns> starts;
    std::vector<Ns> ends;
    for (const Wait& wait : waits) {
      starts.push_back(std::max<Ns>(wait.interval.start, 0));
      ends.push_back(std::max(wait.interval.end, starts.back()));
    }
    const auto rows = rows_of(starts, ends, Nesting::none);
    SliceTracks slices(packets_, name, parent, false);
    for (std::size_t i = 0; i < waits.size(); ++i) {
      packets_.annotate("what", words_of(waits[i].finding->what));
      if (const std::string where = where_of(*waits[i].finding); !where.empty()) {
        packets_.annotate("at", where);
      }
      packets_.annotate("fix", all_fixes_of(*waits[i].finding));
      if (tells_savings(scope)) packets_.annotate("saving_ns", waits[i].finding->saving_ns);
      packets_.annotate("op", waits[i].evidence->op);
      packets_.annotate("held_by", words_of(waits[i].evidence->blocked_by));
      slices.add(rows[i], starts[i], ends[i], waits[i].finding->code);
    }
  }

  // Draws the spans of one thread. `first_call` is the index of the thread's first call among the
  // calls of all threads. It is no_index for NVTX ranges.
  void draw_spans(const TimelineSpans& spans, const std::string& name, Track parent, bool on_thread,
                  std::uint32_t first_call) {
    std::vector<std::uint32_t> order(spans.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&spans](std::uint32_t a, std::uint32_t b) {
      return spans.start[a] != spans.start[b] ? spans.start[a] < spans.start[b]
                                              : spans.end[a] > spans.end[b];
    });
    const auto starts = analyzer::gathered(spans.start, order);
    const auto ends = analyzer::gathered(spans.end, order);
    const auto rows = rows_of(starts, ends, Nesting::inside);
    SliceTracks slices(packets_, name, parent, on_thread);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (first_call != no_index) {
        for (std::uint32_t op = first_op_[first_call + order[i]]; op != no_index;
             op = next_op_[op]) {
          packets_.leads_to(first_flow_ + op);
        }
      }
      if (const std::uint32_t site = spans.site.empty() ? no_index : spans.site[order[i]];
          site != no_index) {
        packets_.annotate("at", places_[site]);
      }
      slices.add(rows[i], starts[i], ends[i], timeline_.names[spans.name[order[i]]]);
    }
  }

  // Draws what the thread did between its calls.
  void draw_work(const TimelineSpans& work, Track parent) {
    SliceTracks slices(packets_, "host", parent, false);
    for (std::size_t i = 0; i < work.size(); ++i) {
      const analyzer::TimelineHostWork& one = timeline_.host_work[work.site[i]];
      packets_.annotate("kind", words_of(one.kind));
      packets_.annotate("state", words_of(one.state));
      if (const std::string line = line_of(one); !line.empty()) packets_.annotate("at", line);
      slices.add(0, work.start[i], work.end[i], timeline_.names[work.name[i]]);
    }
  }

  void draw_host() {
    std::uint32_t first_call = 0;
    for (const TimelineThread& thread : timeline_.threads) {
      const Process& process = process_of(thread.pid);
      const Track track = packets_.add_thread(fmt::format("thread {}", thread.tid), process.pid,
                                              shared_.tids.free_one(thread.tid));
      draw_spans(thread.calls, "CUDA calls", track, true, first_call);
      draw_spans(thread.ranges, "NVTX ranges", track, false, no_index);
      draw_work(between_calls(thread), track);
      first_call += static_cast<std::uint32_t>(thread.calls.size());
    }
  }

  Shared& shared_;
  PerfettoPackets& packets_;
  const PerfettoRun& run_;
  const Report& report_;
  const Timeline& timeline_;
  std::map<std::uint32_t, Process> processes_;
  std::set<std::uint32_t> pids_;  // of streams
  std::vector<Ns> call_starts_;
  std::vector<std::string> places_;  // texts, by site
  std::uint64_t first_flow_ = 0;
  std::vector<std::uint64_t> lane_flows_;  // flow of the first op of each lane
  // The ops of each call as a linked list. `first_op_` has the first op of each call. `next_op_`
  // has, for each op, the next op of the same call. Ops are numbered across all lanes.
  std::vector<std::uint32_t> first_op_;
  std::vector<std::uint32_t> next_op_;
};

}  // namespace

void render_perfetto(std::span<const PerfettoRun> runs, std::ostream& out) {
  Shared shared(out);
  for (const PerfettoRun& run : runs) {
    if (run.report->timeline) Drawing(shared, run).draw();
  }
  shared.packets.finish();
}

void render_perfetto(std::span<const Report> reports, std::ostream& out) {
  std::vector<PerfettoRun> runs;
  for (const Report& report : reports) {
    runs.push_back({&report, "", reports.size() > 1 ? report.trace.file + ", " : "", 0});
  }
  render_perfetto(runs, out);
}

}  // namespace lapscope::reports
