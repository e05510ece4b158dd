#include <algorithm>
#include <array>
#include <map>

#include "analyzer/analysis/analyze.h"
#include "readers/read_trace.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

Trace recorded(const std::string& name) {
  return read_trace(std::string(LAPSCOPE_TEST_TRACES "/") + name + ".sqlite");
}

Timeline timeline_in(const Trace& trace, AnalyzeOptions options = {}) {
  options.timeline = true;
  return analyze(trace, options).timeline.value();
}

TEST_CASE("nobody pays for a timeline that was not asked for") {
  REQUIRE_FALSE(analyze(recorded("stream_pipeline-serial")).timeline);
}

TEST_CASE("a timeline has every op of the trace, in lanes of a device, engine and stream") {
  for (const char* name : {"stream_pipeline-overlapped", "nccl-all-reduce-broken",
                           "graph-chain-fixed", "per-thread-default-stream-broken"}) {
    INFO(name);
    const Trace trace = recorded(name);
    const Timeline timeline = timeline_in(trace);
    std::size_t ops = 0;
    for (const Device& device : trace.devices) ops += device.ops.size();
    REQUIRE(timeline.ops() == ops);
    for (const TimelineLane& lane : timeline.lanes) {
      REQUIRE(lane.size() > 0);
      REQUIRE(std::is_sorted(lane.start.begin(), lane.start.end()));
      REQUIRE(lane.end.size() == lane.size());
      REQUIRE(lane.bytes.size() == lane.size());
      for (std::size_t op = 0; op < lane.size(); ++op) {
        REQUIRE(lane.start[op] >= timeline.extent.start);
        REQUIRE(lane.end[op] <= timeline.extent.end);
        REQUIRE_FALSE(timeline.names.at(lane.name[op]).empty());
      }
    }
  }
}

TEST_CASE("a call of a timeline has its site, each stack is there once") {
  Trace trace = recorded("sync-device-broken");
  const auto text = [&trace](std::int64_t id, const char* name) {
    trace.names.add(id, name);
    return trace.names.index_of(id);
  };
  const Frame frame{text(-1, "run"), 0, text(-2, "a.cu"), 12};
  const Frame runtime{text(-3, "cudaDeviceSynchronize"), 0, 0, 0};
  std::vector<CallStacks::Taken> taken;
  const std::uint32_t own = trace.stacks.add_chain(std::array{runtime, frame});
  const std::uint32_t of_nobody = trace.stacks.add_chain(std::array{runtime});
  std::size_t waits = 0;
  for (std::uint32_t call = 0; call < trace.calls.size(); ++call) {
    const std::string name = function_name(trace.names.text(trace.calls.name[call]));
    if (name == "cudaDeviceSynchronize") taken.push_back({call, own});
    if (name == "cudaLaunchKernel") taken.push_back({call, of_nobody});
  }
  trace.stacks.settle(trace, taken);
  const Timeline timeline = timeline_in(trace);
  REQUIRE(timeline.sites.size() == 1);
  CHECK(timeline.sites[0].stack.size() == 2);
  CHECK(timeline.sites[0].stack[1].file == "a.cu");
  CHECK(timeline.sites[0].forward_stack.empty());
  for (const TimelineThread& thread : timeline.threads) {
    REQUIRE(thread.calls.site.size() == thread.calls.size());
    CHECK(thread.ranges.site.empty());
    for (std::size_t call = 0; call < thread.calls.size(); ++call) {
      const bool is_wait = timeline.names[thread.calls.name[call]] == "cudaDeviceSynchronize";
      REQUIRE(thread.calls.site[call] == (is_wait ? 0 : no_index));
      waits += is_wait;
    }
  }
  CHECK(waits > 0);
}

TEST_CASE("a timeline of a trace without call stacks has no sites") {
  const Timeline timeline = timeline_in(recorded("sync-device-broken"));
  CHECK(timeline.sites.empty());
  for (const TimelineThread& thread : timeline.threads) CHECK(thread.calls.site.empty());
}

TEST_CASE("a kernel of a timeline has its launch geometry, a copy none") {
  const Timeline timeline = timeline_in(recorded("stream_pipeline-overlapped"));
  for (const TimelineLane& lane : timeline.lanes) {
    REQUIRE(lane.geometry.size() == lane.size());
    for (std::size_t op = 0; op < lane.size(); ++op) {
      const std::string& name = timeline.names[lane.name[op]];
      REQUIRE((lane.geometry[op] == no_index) == (lane.engine != Engine::compute));
      if (lane.geometry[op] == no_index) continue;
      const LaunchGeometry& geometry = timeline.geometries.at(lane.geometry[op]);
      const LaunchGeometry expected = name.rfind("iterate_affine", 0) == 0
                                          ? LaunchGeometry{132, 1024, 22, 0}
                                          : LaunchGeometry{1, 1, 16, 0};
      REQUIRE(geometry == expected);
    }
  }
}

// A gap can have parts with different causes.
TEST_CASE("in a timeline, each explained gap has the cause of its largest part") {
  const Trace trace = recorded("stream_pipeline-overlapped");
  REQUIRE(analyze(trace).devices.front().scope.gaps.ends.empty());
  AnalyzeOptions options;
  options.timeline = true;
  const Report report = analyze(trace, options);
  const GapsResult& gaps = report.devices.front().scope.gaps;
  REQUIRE(gaps.ends.size() == static_cast<std::size_t>(gaps.count));
  for (const GapResult& gap : gaps.longest) {
    INFO(gap.interval.start);
    TimeByCause times{};
    for (const GapPartResult& part : gap.parts) {
      times[static_cast<std::size_t>(part.cause)] += part.interval.length();
    }
    const auto end = std::find_if(gaps.ends.begin(), gaps.ends.end(),
                                  [&](const GapEnd& one) { return one.at == gap.interval.end; });
    REQUIRE(end != gaps.ends.end());
    REQUIRE(times[static_cast<std::size_t>(end->cause)] ==
            *std::max_element(times.begin(), times.end()));
  }
}

// A call of any thread. TimelineLane::call is an index into the calls of all threads.
struct CallRef {
  std::int64_t start;
  std::string name;
};
std::vector<CallRef> calls_of(const Timeline& timeline) {
  std::vector<CallRef> calls;
  for (const TimelineThread& thread : timeline.threads) {
    for (std::size_t i = 0; i < thread.calls.size(); ++i) {
      calls.push_back({thread.calls.start[i], timeline.names[thread.calls.name[i]]});
    }
  }
  return calls;
}

TEST_CASE("an op leads to the call that issued it, on whichever thread") {
  for (const char* name : {"stream_pipeline-overlapped", "threads-one-stream-broken"}) {
    const Timeline timeline = timeline_in(recorded(name));
    const std::vector<CallRef> calls = calls_of(timeline);
    std::size_t led = 0;
    for (const TimelineLane& lane : timeline.lanes) {
      for (std::size_t op = 0; op < lane.size(); ++op) {
        if (lane.call[op] == no_index) continue;
        ++led;
        const CallRef& call = calls.at(lane.call[op]);
        REQUIRE(call.start <= lane.start[op]);
        const bool copies = lane.bytes[op] > 0 && lane.engine != Engine::compute;
        REQUIRE((call.name.find("Memcpy") != std::string::npos) == copies);
      }
    }
    REQUIRE(led == timeline.ops());
  }
}

// Returns each slice as text such as "load 2-6", in characters of the drawing.
std::vector<std::string> lines_of(const Timeline& timeline, const TimelineSpans& spans) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    lines.push_back(timeline.names[spans.name[i]] + " " + std::to_string(spans.start[i]) + "-" +
                    std::to_string(spans.end[i]));
  }
  return lines;
}
using Lines = std::vector<std::string>;

// Samples are 4 characters apart. Each stands for the two characters before it and the two after
// it. So `load` reaches from the first call to 10, the middle between the samples at 8 and 12.
TEST_CASE("samples of a thread are drawn between its calls, equal neighbours as one slice") {
  const test::Program program(R"(
    thread 1            aa............bb........bb......bb
    samples 1 every 4   x...x...x...y...z...z...z...y...z.
    stream 1            .A............BB........BB......BB
    a = cudaLaunchKernel
    b = cudaLaunchKernel
    x = running load@data.py:27 main@train.py:7
    y = sleeping nap@train.py:9
    z = running log@train.py:8
  )",
                              1);
  const Timeline timeline = timeline_in(program.trace);
  REQUIRE(timeline.threads.size() == 1);
  const TimelineThread& thread = timeline.threads[0];
  CHECK(lines_of(timeline, thread.seen) ==
        Lines{"load 2-10", "nap 10-14", "log 14-24", "nap 24-30"});
  // The samples at 24 and 32 lie in calls and are ignored.
  CHECK(lines_of(timeline, between_calls(thread)) ==
        Lines{"load 2-10", "nap 10-14", "log 16-24", "nap 26-30"});
  REQUIRE(timeline.host_work.size() == 3);
}

TEST_CASE("where nobody looked for more than two intervals nothing is drawn") {
  const test::Program program(R"(
    thread 1            a...........................b
    samples 1 every 2   ..x.x...................x.y..
    stream 1            A...........................B
    ab = cudaLaunchKernel
    x = running load@data.py:27
    y = lock
  )",
                              1);
  const Timeline timeline = timeline_in(program.trace);
  const TimelineThread& thread = timeline.threads.at(0);
  CHECK(lines_of(timeline, between_calls(thread)) == Lines{"load 1-6", "load 22-25", "lock 25-27"});
  const TimelineHostWork& work = timeline.host_work.at(thread.seen.site.at(2));
  CHECK(work.kind == HostKind::lock);
  CHECK(work.state == ThreadState::lock);
  CHECK(work.file.empty());
}

TEST_CASE("a slice of one function has the line that most looks saw") {
  const test::Program program(R"(
    thread 1            a...........b
    samples 1 every 2   ..x.y.y.....
    stream 1            A...........B
    ab = cudaLaunchKernel
    x = running load@data.py:27
    y = running load@data.py:29
  )",
                              1);
  const Timeline timeline = timeline_in(program.trace);
  CHECK(lines_of(timeline, timeline.threads.at(0).seen) == Lines{"load 1-7"});
  REQUIRE(timeline.host_work.size() == 1);
  CHECK(timeline.host_work[0].file == "data.py");
  CHECK(timeline.host_work[0].line == 29);
}

TEST_CASE("a recorded thread's slices lie between its calls, and tell who called the function") {
  const Timeline timeline = timeline_in(recorded("host/two_functions"));
  std::map<std::string, Ns> times;
  for (const TimelineThread& thread : timeline.threads) {
    const TimelineSpans work = between_calls(thread);
    for (std::size_t i = 0; i < work.size(); ++i) {
      REQUIRE(work.start[i] < work.end[i]);
      if (i > 0) REQUIRE(work.start[i] >= work.end[i - 1]);
      for (std::size_t call = 0; call < thread.calls.size(); ++call) {
        REQUIRE(
            (thread.calls.end[call] <= work.start[i] || thread.calls.start[call] >= work.end[i]));
      }
      times[timeline.host_work.at(work.site[i]).caller] += work.end[i] - work.start[i];
    }
  }
  CHECK(times["long_work"] > times["short_work"]);
  CHECK(times["short_work"] > 0);
}

TEST_CASE("a window leaves out what does not reach into it, and keeps calls that did matter") {
  const Trace trace = recorded("stream_pipeline-overlapped");
  const Timeline all = timeline_in(trace);
  AnalyzeOptions options;
  const Interval whole_window = analyze(trace).devices.front().scope.window;
  options.window = Interval{whole_window.start + whole_window.length() / 2, whole_window.end};
  const Timeline half = timeline_in(trace, options);
  REQUIRE(half.ops() < all.ops());
  REQUIRE(half.ops() > 0);
  REQUIRE(half.calls() < all.calls());
  for (const TimelineLane& lane : half.lanes) {
    for (std::size_t op = 0; op < lane.size(); ++op) {
      REQUIRE(lane.end[op] >= options.window->start);
      REQUIRE(lane.call[op] != no_index);
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
