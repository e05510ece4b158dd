#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <sstream>

#include "analyzer/analysis/analyze.h"
#include "analyzer/explain/gaps.h"
#include "analyzer/explain/path_stretches.h"
#include "analyzer/findings/edits_at.h"
#include "analyzer/findings/find_causes.h"
#include "analyzer/findings/predict.h"
#include "analyzer/graph/build_graph.h"
#include "analyzer/graph/sharing.h"
#include "analyzer/scope/sweep.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/random_rows.h"
#include "tests/analyzer/support/random_trace.h"
#include "tests/analyzer/support/rounds.h"
#include "tests/catch.h"
#include "tests/collector/support/temporary_folder.h"

// Checks laws of blame and findings on random traces and on recorded traces.
namespace lapscope::analyzer {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, Trace>& recorded_traces() {
  static const auto traces = [] {
    std::map<std::string, Trace> read;
    for (const auto& entry : fs::directory_iterator(LAPSCOPE_TEST_TRACES)) {
      if (entry.path().extension() != ".sqlite") continue;
      INFO(entry.path().filename());
      read.emplace(entry.path().filename(), read_trace(entry.path()));
    }
    return read;
  }();
  return traces;
}

void for_recorded_traces(const std::function<void(const Trace&)>& check) {
  for (const auto& [name, trace] : recorded_traces()) {
    INFO(name);
    check(trace);
  }
  REQUIRE(recorded_traces().size() > 50);
}

std::map<std::pair<BlameKind, std::string_view>, std::int64_t> by_code(
    const std::vector<BlameRow>& rows) {
  std::map<std::pair<BlameKind, std::string_view>, std::int64_t> sums;
  for (const BlameRow& row : rows) sums[{row.kind, row.code}] += row.ns;
  return sums;
}

// Checks that the stretches fill the window, that they add up to the blame, and that there are at
// most `most` stretches.
void require_stretches_fill(const Sources& sources, const GraphScope& scope,
                            const std::vector<Part>& path, std::size_t most) {
  std::int64_t now = scope.window.start;
  std::int64_t parts = 0;
  std::vector<BlameRow> rows;
  const auto stretches = stretches_of(sources, path, scope.device, most);
  for (const PathStretch& stretch : stretches) {
    REQUIRE(stretch.interval.start == now);
    now = stretch.interval.end;
    std::int64_t sum = 0;
    for (const BlameRow& row : stretch.parts) sum += row.ns;
    REQUIRE(sum == stretch.interval.length());
    rows.insert(rows.end(), stretch.parts.begin(), stretch.parts.end());
    parts += stretch.merged;
  }
  REQUIRE(now == scope.window.end);
  REQUIRE(parts == static_cast<std::int64_t>(path.size()));
  REQUIRE(stretches.size() <= 2 * most + 1);
  REQUIRE(by_code(rows) == by_code(blame_of(path, scope.device)));
}

void require_path_fills(const Sources& sources, std::uint16_t device, const Scope& scope) {
  const Graph& graph = sources.graph;
  const GraphScope within_scope = graph_scope(graph, device, scope);
  if (within_scope.tasks.empty()) return;
  const std::vector<Part> path = critical_path(sources, within_scope.tasks, scope.window);
  std::int64_t now = scope.window.start;
  for (const Part& part : path) {
    REQUIRE(part.interval.start == now);
    REQUIRE(part.interval.end > now);
    now = part.interval.end;
    if (!part.is_work) continue;
    const Ops& ops = sources.trace.devices[part.device].ops;
    const std::uint32_t op = graph.tasks[part.task].op;
    REQUIRE(graph.tasks[part.task].works_on() == part.engine);
    REQUIRE(ops.start[op] <= part.interval.start);
    REQUIRE(part.interval.end <= ops.end[op]);
  }
  REQUIRE(now == scope.window.end);
  require_stretches_fill(sources, within_scope, path, 4);
}

// Checks the path of each device, for the whole run and for a part of it.
void require_paths_fill(const Trace& trace) {
  const Graph graph = build_graph(trace, {0, latest_time + 1});
  const HostTimeline host(trace);
  const Sources sources{trace, host, graph};
  for (std::uint16_t d = 0; d < trace.devices.size(); ++d) {
    const Ops& ops = trace.devices[d].ops;
    if (ops.empty()) continue;
    const Scope all = whole(ops);
    require_path_fills(sources, d, all);
    const std::int64_t third = all.window.length() / 3;
    if (third == 0) continue;
    const Interval middle{all.window.start + third, all.window.end - third};
    if (const auto part = within(ops, middle)) require_path_fills(sources, d, *part);
  }
}

TEST_CASE("blame fills the window without gap or overlap, of random traces by the thousand") {
  for (unsigned seed = 0; seed < test::rounds(150); ++seed) {
    std::mt19937 random(seed);
    Trace trace = test::random_trace(random, 1);
    for (const std::int64_t factor : {1, 2, 5, 5, 4, 5, 2, 5}) {
      test::stretch_times(trace, factor);
      INFO("seed " << seed << ", last factor " << factor);
      require_paths_fill(trace);
    }
  }
}

TEST_CASE("blame fills the window without gap or overlap, of every recorded trace") {
  for_recorded_traces(require_paths_fill);
}

TimeByCause waits_in(const std::vector<Part>& path, Interval interval) {
  TimeByCause times{};
  for (const Part& part : path) {
    const Interval inside{std::max(part.interval.start, interval.start),
                          std::min(part.interval.end, interval.end)};
    if (inside.length() > 0) times[static_cast<std::size_t>(part.cause)] += inside.length();
  }
  return times;
}

// Checks that the causes of a gap are the waits of the critical path during this gap: for each gap
// before an op of the path, and for the gap at the end of the window. Returns the number of gaps.
int require_gaps_agree(const Sources& sources, std::uint16_t device, const Scope& scope) {
  const Graph& graph = sources.graph;
  const auto path = critical_path(sources, graph_scope(graph, device, scope).tasks, scope.window);
  const GapExplainer explainer(sources, device);
  const Device& own = sources.trace.devices[device];
  GapObserver gaps(sources.trace, own, {1'000'000}, &explainer);
  sweep(own.ops, scope, gaps);
  int agreed = 0;
  for (const Gap& gap : gaps.gaps().longest) {
    const bool is_on_path = std::any_of(path.begin(), path.end(), [&](const Part& part) {
      return part.is_work && part.device == device && graph.tasks[part.task].op == gap.next_op &&
             part.interval.start == gap.interval.end;
    });
    if (!is_on_path && gap.next_op != no_index) continue;
    TimeByCause parts{};
    for (const GapPart& part : gap.parts) {
      parts[static_cast<std::size_t>(part.cause)] += part.interval.length();
    }
    INFO("gap " << gap.interval.start << " to " << gap.interval.end);
    REQUIRE(parts == waits_in(path, gap.interval));
    ++agreed;
  }
  return agreed;
}

int require_gaps_agree(const Trace& trace) {
  const Graph graph = build_graph(trace, {0, latest_time + 1});
  const HostTimeline host(trace);
  const Sources sources{trace, host, graph};
  int agreed = 0;
  for (std::uint16_t d = 0; d < trace.devices.size(); ++d) {
    const Ops& ops = trace.devices[d].ops;
    if (ops.empty()) continue;
    const Scope all = whole(ops);
    agreed += require_gaps_agree(sources, d, all);
    // This window begins and ends at arbitrary instants.
    const std::int64_t fifth = all.window.length() / 5;
    const auto part = within(ops, {all.window.start + fifth, all.window.end + fifth});
    if (fifth > 0 && part) agreed += require_gaps_agree(sources, d, *part);
  }
  return agreed;
}

TEST_CASE("gaps on the critical path are blamed for what the table of idle time says") {
  int agreed = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed);
    Trace trace = test::random_trace(random, 1);
    for (const std::int64_t factor : {1, 10, 20, 20}) {
      test::stretch_times(trace, factor);
      INFO("seed " << seed << ", last factor " << factor);
      agreed += require_gaps_agree(trace);
    }
  }
  CHECK(agreed > 1'000);
  agreed = 0;
  for_recorded_traces([&agreed](const Trace& trace) { agreed += require_gaps_agree(trace); });
  CHECK(agreed > 1'000);
}

void require_fixes_are_kept(const Sources& sources) {
  const Replayed unchanged = replay(sources.graph);
  for (const Fix* fix : fixes()) {
    INFO(code_of(fix->cause));
    const Edits edits = fix->edits(sources.trace, sources.graph, 0);
    REQUIRE_FALSE(edits_at([](const CodePlace&) { return false; }, edits, sources, fix->cause));
    const auto everywhere =
        edits_at([](const CodePlace&) { return true; }, edits, sources, fix->cause);
    const Column<Interval> times = replay(edited(edits)).tasks;
    REQUIRE((everywhere ? replay(edited(*everywhere)) : unchanged).tasks == times);
  }
}

TEST_CASE("a fix kept nowhere changes nothing, and kept everywhere it is the fix") {
  int in_doubt = 0;
  for_recorded_traces([&in_doubt](const Trace& trace) {
    Graph graph = build_graph(trace, {0, latest_time + 1});
    const HostTimeline host(trace);
    const Sources sources{trace, host, graph};
    require_fixes_are_kept(sources);
    assume(Sharing::most, graph);
    if (!graph.is_in_doubt) return;
    ++in_doubt;
    require_fixes_are_kept(sources);
  });
  REQUIRE(in_doubt > 0);
}

// Describes the results of each device, without stream ids.
std::string described(const Trace& trace) {
  std::ostringstream text;
  AnalyzeOptions options;
  options.causes.least_saving = 0.001;
  options.causes.least_saving_ns = 1;
  for (const DeviceResult& device : analyze(trace, options).devices) {
    if (!device.scope.causes) continue;
    const CausesResult& causes = *device.scope.causes;
    text << "device " << device.id << " replay " << causes.replay.wall_ns << " bound by "
         << causes.bound_by << ' ' << causes.bound_share << '\n';
    for (const BlameRow& row : causes.blame) {
      text << name_of(row.kind) << ' ' << row.code << ' ' << row.ns << '\n';
    }
    for (const FindingResult& finding : causes.findings) {
      text << finding.code << ' ' << finding.saving_ns << ' ' << finding.occurrences << ' '
           << finding.waited_ns << '\n';
    }
  }
  return text.str();
}

// Returns whether the analysis depends on stream ids. It does in two cases: for streams of CUDA's
// own, and for streams to which a graph was launched.
bool has_meaningful_ids(const Trace& trace) {
  for (const CallKind kind : trace.calls.kind) {
    if (kind == CallKind::graph_launch) return true;
  }
  for (const Device& device : trace.devices) {
    for (const OpKind kind : device.ops.kind) {
      if (kind == OpKind::peer_copy) return true;
    }
  }
  return false;
}

TEST_CASE("what recorded traces tell does not depend on the ids of their streams") {
  std::mt19937 random(5);
  int renamed = 0;
  for_recorded_traces([&](const Trace& trace) {
    if (has_meaningful_ids(trace)) return;
    Trace renamed_trace = trace;
    test::rename_streams(renamed_trace, random);
    REQUIRE(described(renamed_trace) == described(trace));
    ++renamed;
  });
  REQUIRE(renamed > 50);
}

// Moves starts apart, so that the order of ops does not depend on ids.
void part_starts(Trace& trace) {
  std::int64_t next = 0;
  for (Device& device : trace.devices) {
    for (std::size_t op = 0; op < device.ops.size(); ++op) {
      ++next;
      device.ops.start[op] += next;
      device.ops.end[op] += 2 * next;
    }
  }
}

TEST_CASE("what random traces tell does not depend on the ids of their streams") {
  for (unsigned seed = 0; seed < test::rounds(60); ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    Trace trace = test::random_trace(random, 100);
    for (CallKind& kind : trace.calls.kind) {
      if (kind == CallKind::graph_launch) kind = CallKind::launch;
    }
    for (Device& device : trace.devices) {
      for (OpKind& kind : device.ops.kind) {
        if (kind == OpKind::peer_copy) kind = OpKind::memcpy;
      }
    }
    part_starts(trace);
    const std::string before = described(trace);
    test::rename_streams(trace, random);
    REQUIRE(described(trace) == before);
  }
}

TEST_CASE("what random traces tell does not depend on the order of their rows") {
  const test::TemporaryFolder folder;
  for (unsigned seed = 0; seed < test::rounds(50); ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    test::TraceRows rows = test::random_rows(random);
    std::string first;
    for (const char* name : {"ordered", "shuffled"}) {
      const auto file = folder / (name + std::to_string(seed) + ".sqlite");
      rows.write(file);
      Trace trace = read_trace(file);
      std::filesystem::remove(file);
      test::stretch_times(trace, 100);
      if (first.empty()) first = described(trace);
      REQUIRE(described(trace) == first);
      rows.shuffle(random);
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
