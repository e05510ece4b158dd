#include "tests/reports/support/sample_reports.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "analyzer/analysis/analyze.h"
#include "analyzer/findings/error_band.h"
#include "readers/read_trace.h"

namespace lapscope::test {

using namespace analyzer;

Report recorded_report(const std::string& name) {
  AnalyzeOptions options;
  options.timeline = true;
  return recorded_report(name, std::move(options));
}

std::vector<std::string> recorded_traces() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(LAPSCOPE_TEST_TRACES)) {
    if (entry.path().extension() == ".sqlite") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

Report recorded_report(const std::string& name, AnalyzeOptions options) {
  const std::filesystem::path trace =
      std::filesystem::path(LAPSCOPE_TEST_TRACES) / (name + ".sqlite");
  Report report = analyze(read_trace(trace), options);
  report.trace.file = trace.filename().string();
  return report;
}

namespace {

// Returns invented evidence: each op of lane `waiting` waits for the last op of lane `holding` that
// ended before it.
std::vector<Evidence> evidence_from(const Timeline& timeline, const TimelineLane& waiting,
                                    const TimelineLane& holding) {
  std::vector<Evidence> evidence;
  for (std::size_t op = 3; op < 9 && op < waiting.size(); ++op) {
    std::size_t holder = 0;
    while (holder + 1 < holding.size() && holding.end[holder + 1] <= waiting.start[op]) ++holder;
    evidence.push_back({.waiting = {waiting.start[op] - 250'000, waiting.start[op]},
                        .op_interval = {waiting.start[op], waiting.end[op]},
                        .op = timeline.names[waiting.name[op]],
                        .stream = waiting.stream.id,
                        .blocked_by = {Doing::Kind::op, timeline.names[holding.name[holder]]},
                        .holder = {holding.start[holder], holding.end[holder]},
                        .call = "cudaMemcpyAsync_v3020",
                        .thread = "thread 552",
                        .range = "tile 3"});
  }
  return evidence;
}

// Makes the host time of a thread that runs two functions between its calls.
HostActivity host_time_with(const std::string& function, const std::string& file) {
  const std::int64_t thread = (std::int64_t{9} << 24) | 552;
  HostActivity time;
  time.ns = 20'000'000;
  time.samples = 200;
  time.interval_ns = 100'000;
  time.window_ns = 23'000'000;
  time.instances = 10;
  time.threads = {
      {thread, 96, time.ns, time.samples, {}, {time.ns, 200}, 9'000'000, 8'000'000, 800'000}};
  HostPart load{HostKind::data_loading, ThreadState::running, function, file, 27, "decode", thread};
  load.share = share_of(15'000'000, 150, {time.ns, 200});
  HostPart held{HostKind::lock, ThreadState::lock, "take", "queue.py", 9, "", thread, thread + 1};
  held.share = share_of(5'000'000, 50, {time.ns, 200});
  time.parts = {load, held};
  time.sites = {{"train.py:7", time.ns, by_function(time)}};
  time.collections = {{0, 40, 41}, {2, 3, 3}};
  return time;
}

HostWork host_work_in(const HostActivity& time) {
  HostWork work{by_kind(time), by_function(time), time.ns, time.instances, 96, 5'000'000};
  work.kinds.front().saving_ns = work.functions.front().saving_ns = 4'000'000;
  return work;
}

}  // namespace

Report report_with_findings() {
  AnalyzeOptions options;
  options.timeline = true;
  return report_with_findings(std::move(options));
}

Report report_with_findings(AnalyzeOptions options) {
  Report report = recorded_report("stream_pipeline-default-stream", std::move(options));
  const Timeline& timeline = *report.timeline;
  DeviceResult& device = report.devices.front();
  const std::int64_t wall = device.scope.window.length();
  CausesResult causes;
  causes.blame = {{"compute", BlameKind::work, 7'000'000},
                  {"d2h", BlameKind::work, 5'000'000},
                  {"default-stream-barrier", BlameKind::wait, 11'000'000},
                  {"launch-latency", BlameKind::wait, wall - 23'000'000}};
  const std::int64_t begin = device.scope.window.start;
  causes.critical_path = {
      {{begin, begin + 7'000'000},
       {{"compute", BlameKind::work, 7'000'000}},
       1,
       PathOp{"iterate_affine", 0, 13, {begin, begin + 7'500'000}},
       std::nullopt},
      {{begin + 7'000'000, begin + 23'000'000},
       {{"default-stream-barrier", BlameKind::wait, 11'000'000},
        {"d2h", BlameKind::work, 5'000'000}},
       9,
       std::nullopt,
       std::nullopt},
      {{begin + 23'000'000, begin + wall},
       {{"launch-latency", BlameKind::wait, wall - 23'000'000}},
       1,
       PathOp{"copy d2h", 0, 14, {begin + wall - 1'000, begin + wall}},
       PathCall{"cudaMemcpyAsync", "thread 552", {begin + 22'000'000, begin + 22'005'000}}}};
  causes.advice = {{PageableCopies{12, 0.081, std::nullopt}}};
  causes.replay = {wall + 47'000, 47'000.0 / static_cast<double>(wall), wall - 230'000,
                   -230'000.0 / static_cast<double>(wall)};
  causes.bound_by = "h2d";
  causes.bound_share = 0.321;
  causes.assumed = {"both_directions", "quick_call"};
  FindingResult barrier;
  barrier.code = "default-stream-barrier";
  barrier.saving_ns = barrier.most_saving_ns = 14'846'000;
  barrier.saving_share = 14'846'000.0 / static_cast<double>(wall);
  barrier.occurrences = 72;
  barrier.waited_ns = 18'000'000;
  barrier.what = {Doing::Kind::op, "stamp_tile", Doing::Detail::legacy_stream};
  barrier.predicted = {
      8'887'000, 8'887'000, 0.614, {{analyzer::Cause::default_stream_barrier}}, true};
  barrier.sites = {
      {barrier.what, "tile *", 70, 17'000'000, 14'800'000},
      {{Doing::Kind::op, "memset", Doing::Detail::legacy_stream}, "", 2, 1'000'000, std::nullopt}};
  CallSite& launch = barrier.sites.front();
  launch.line = "src/tiles.cu:120";
  launch.stack = {
      {"cudaLaunchKernel", "/opt/libcudart.so.13", "", 0, false, CodeOwner::runtime},
      {"process_tile(float*, int)", "build/app", "src/tiles.cu", 120, true, CodeOwner::program},
      {"main", "build/app", "src/main.cu", 14, false, CodeOwner::program},
      {"__libc_start_main", "/lib/libc.so.6", "", 0, false, CodeOwner::runtime}};
  barrier.evidence = evidence_from(timeline, timeline.lanes[1], timeline.lanes[0]);
  barrier.evidence.front().line = launch.line;
  FindingResult latency;
  latency.code = "launch-overhead";
  latency.saving_ns = 610'000;
  latency.most_saving_ns = 1'900'000;
  latency.saving_share = 610'000.0 / static_cast<double>(wall);
  latency.occurrences = 24;
  latency.waited_ns = 700'000;
  latency.what = {Doing::Kind::call, "cudaLaunchKernel"};
  latency.then_also = "sm-saturated";
  latency.predicted = {wall - 610'000,
                       wall - 1'900'000,
                       std::nullopt,
                       {{analyzer::Cause::launch_overhead, analyzer::Cause::sm_saturated}},
                       false};
  latency.evidence = evidence_from(timeline, timeline.lanes.back(), timeline.lanes[1]);
  causes.findings = {barrier, latency};
  FindingResult order;
  order.code = "graph-edge";
  order.saving_ns = order.most_saving_ns = 2'400'000;
  order.if_independent = true;
  order.saving_share = 2'400'000.0 / static_cast<double>(wall);
  order.occurrences = 36;
  order.waited_ns = 2'500'000;
  order.what = {Doing::Kind::op, "iterate_affine"};
  order.predicted = {
      wall - 2'400'000, wall - 2'400'000, 0.12, {{analyzer::Cause::graph_edge}}, true};
  order.evidence = evidence_from(timeline, timeline.lanes.back(), timeline.lanes[1]);
  // This finding saves nothing if kernels share the multiprocessors.
  FindingResult room = order;
  room.code = "sm-saturated";
  room.saving_ns = 0;
  room.saving_share = 0;
  room.most_saving_ns = 3'100'000;
  room.if_independent = false;
  room.if_apart = true;
  room.predicted = {wall, wall - 3'100'000, std::nullopt, {{analyzer::Cause::sm_saturated}}, true};
  causes.questions = {room, order};
  judge_validity("NVIDIA H200", causes);
  device.scope.causes = std::move(causes);
  return report;
}

Report report_with_everything() {
  AnalyzeOptions options;
  options.focus = Focus::steady;
  options.ranges = {"tile 7"};
  options.series_bins = 2;
  options.timeline = true;
  options.stats = true;
  Report report = report_with_findings(std::move(options));
  report.health = {{HealthKind::unknown_kind, 3, {"unknown-kind", "NEW"}},
                   {HealthKind::several_processes, 2}};
  DeviceResult& device = report.devices.front();
  CausesResult& whole = *device.scope.causes;
  whole.correction = {.recorded_ns = 23'005'287,
                      .corrected_ns = 22'800'000,
                      .calibrated = "2026-11-20T00:00:00Z",
                      .factor = 1.25,
                      .first_recorded = "launch-overhead",
                      .first_corrected = "default-stream-barrier",
                      .host_recorded_ns = 30'000'000,
                      .host_corrected_ns = 29'000'000,
                      .bare_error = -0.02};
  whole.looked_for = {{"default-stream-barrier", true, {"runtime"}, {}, false},
                      {"event-wait", false, {"runtime", "synchronization"}, {"runtime"}, true}};
  whole.findings.back().rests_on = {"runtime", "concurrent-kernel"};
  device.scope.host_time = host_time_with("Images.__getitem__", "src/data.py");
  whole.findings.back().host_work = host_work_in(*device.scope.host_time);
  whole.findings.front().sites.front().threads = {"thread 552", "thread 553"};
  whole.findings.front().sites.back().forward_stack = {
      {"forward", "[python]", "model.py", 7, false, CodeOwner::library}};
  device.collectives = {{"ncclAllReduce", 2, 400'000, 100'000}};
  device.class_overlaps = {{"compute", "communication", 100'000}};
  device.stream_overlaps = {{device.streams.at(0).stream, device.streams.at(1).stream, 5'000}};
  for (RangeResult& range : device.ranges) {
    CausesResult& causes = range.scope.causes.emplace();
    causes.blame = {{"d2h", BlameKind::work, range.scope.window.length() - 1'000},
                    {"stream-order", BlameKind::wait, 1'000}};
    causes.findings = {whole.findings.back()};
    causes.bound_by = "d2h";
    causes.bound_share = 0.5;
    if (range.steady) {
      causes.sample = {.intervals = 5,
                       .ops = 20,
                       .of_ops = 90,
                       .idle_difference = 0.002,
                       .pace_difference = -0.011};
      causes.estimated_added = 0.12;
    } else {
      range.scope.impossible_ops = 1;
      range.issuers = {
          .opener = 2, .helpers = 1, .helper_threads = 1, .undecided = 3, .undecided_threads = 2};
      range.bare = {.recorded_ns = 1'000'000,
                    .runs = 5,
                    .median_ns = 950'000,
                    .least_ns = 940'000,
                    .most_ns = 980'000,
                    .ended_synchronized = true,
                    .reason = {}};
    }
  }
  return report;
}

Report report_bound_by_engine() {
  Report report = report_with_findings();
  report.devices.front().scope.causes->findings.clear();
  report.devices.front().scope.causes->bound_share = 0.921;
  return report;
}

Report hostile_report() {
  Report report = report_with_findings();
  std::size_t next = 0;
  const auto text = [&next] { return hostile_texts[next++ % hostile_texts.size()]; };
  report.trace.file = text();
  report.trace.command = text();
  report.trace.driver = text();
  report.trace.created = text();
  report.trace.recorder = text();
  report.health.push_back({HealthKind::kind_refused, 1, {text(), std::int64_t{1}}});
  DeviceResult& device = report.devices.front();
  device.name = text();
  for (OpGroup& group : device.groups) group.name = text();
  device.groups.front().name = "void " + std::string(10'000, 'x');
  for (GapResult& gap : device.scope.gaps.longest) {
    gap.next = text();
    for (GapPartResult& part : gap.parts) part.detail = text();
  }
  device.scope.causes->questions.front().what.name = text();
  for (FindingResult& finding : device.scope.causes->findings) {
    finding.what.name = text();
    for (CallSite& site : finding.sites) {
      for (std::string* member : {&site.what.name, &site.range, &site.line}) *member = text();
      site.stack = {{text(), text(), text(), 7, false, CodeOwner::runtime},
                    {text(), text(), text(), 120},
                    {text(), text(), "", 0}};
    }
    for (Evidence& evidence : finding.evidence) {
      for (std::string* member : {&evidence.op, &evidence.blocked_by.name, &evidence.call,
                                  &evidence.thread, &evidence.range, &evidence.line}) {
        *member = text();
      }
    }
  }
  for (PathStretch& stretch : device.scope.causes->critical_path) {
    if (stretch.op) stretch.op->name = text();
    if (stretch.call) {
      stretch.call->name = text();
      stretch.call->thread = text();
    }
  }
  device.scope.causes->advice = {{LongCopy{text(), 0.3}}};
  device.scope.host_time = host_time_with(hostile_texts[2], hostile_texts[4]);
  device.scope.host_time->sites.front().line = hostile_texts[3];
  device.scope.causes->findings.front().host_work = host_work_in(*device.scope.host_time);
  for (std::size_t i = 0; i < hostile_texts.size(); ++i) {
    RangeResult& range = device.ranges.emplace_back();
    range.name = text();
    range.scope = device.scope;
  }
  if (device.iterations) device.iterations->range = text();
  for (std::string& name : report.timeline->names) name = text() + name;
  report.timeline->names.front() += std::string(10'000, 'y');
  return report;
}

}  // namespace lapscope::test
