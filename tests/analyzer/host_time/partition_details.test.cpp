#include <map>
#include <random>

#include "analyzer/host_time/partition.h"
#include "collector/schema/global_id.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

// Host time from spans: activities that a tool recorded from begin to end.
namespace lapscope::analyzer {
namespace {

using test::Program;
using Lines = std::vector<std::string>;

// A program with spans. A chain is a sequence of frames such as "load@data.py:27".
class WithSpans : public Program {
 public:
  explicit WithSpans(std::string_view drawing) : Program(drawing, 1) {}

  std::uint32_t stack(const char* function, const char* file) {
    const Frame frame{name(function), name(python_module), name(file), 7};
    return trace.host_samples.stacks.add_chain({{frame}});
  }
  // Adds a span of thread 1. Spans must be added in the order of time.
  void span(Interval interval, ThreadState state, std::uint32_t chain) {
    HostSamples::Spans& spans = trace.host_samples.spans;
    if (spans.threads.empty()) spans.threads.push_back({trace.calls.threads[0].global_tid, 0, 0});
    spans.start.push_back(interval.start);
    spans.end.push_back(interval.end);
    spans.state.push_back(state);
    spans.chain.push_back(chain);
    ++spans.threads.back().last;
  }
  HostActivity time(IntervalSet when) {
    trace.host_samples.stacks.settle(trace, {});
    const HostPartition partition(trace, KindTable());
    return partition.of({{0, 1}}, when, HostPartition::Stacks::list);
  }
  HostActivity time(Ns from, Ns to) { return time(IntervalSet::union_of({{from, to}})); }

 private:
  std::uint32_t name(std::string_view text) {
    trace.names.add(++id_, std::string(text));
    return trace.names.index_of(id_);
  }
  std::int64_t id_ = 1'000'000;
};

// Returns the time of each function, such as "load 120", longest first. Unknown time is "? 120".
Lines functions_of(const HostActivity& time) {
  Lines lines;
  for (const HostFunction& one : by_function(time)) {
    lines.push_back((one.function.empty() ? "?" : one.function) + " " +
                    std::to_string(one.share.ns));
  }
  return lines;
}

Ns sum_of(const HostActivity& time) {
  Ns sum = 0;
  for (const HostPart& part : time.parts) sum += part.share.ns;
  return sum;
}

constexpr const char* two_gaps = R"(
  thread 1            aa..........bb......aa
  a = cudaLaunchKernel, at train.py:7
  b = cudaDeviceSynchronize, at train.py:9
)";

//   calls   aa..........bb......aa
//   spans     333LLLLLLL  33
TEST_CASE("spans count with their length, without an uncertainty") {
  WithSpans program(two_gaps);
  const std::uint32_t load = program.stack("load", "data.py");
  program.span({2, 5}, ThreadState::unknown, program.stack("log", "train.py"));
  program.span({5, 12}, ThreadState::unknown, load);
  program.span({14, 16}, ThreadState::sleeping, CallStacks::none);
  const HostActivity time = program.time(0, 100);
  CHECK(time.ns == 16);
  CHECK(time.recorded_ns == 12);
  CHECK(functions_of(time) == Lines{"load 7", "? 4", "log 3", "? 2"});
  REQUIRE(time.parts.size() == 4);
  CHECK(time.parts[0].share.recorded_ns == 7);
  for (const HostPart& part : time.parts) {
    CHECK(part.share.least_ns == part.share.ns);
    CHECK(part.share.most_ns == part.share.ns);
  }
  CHECK(time.parts[0].line == 7);
  CHECK(time.parts[1].kind == HostKind::unknown);
  CHECK(time.parts[3].kind == HostKind::sleep);
  REQUIRE(time.threads.size() == 1);
  CHECK(time.threads[0].recorded_ns == 12);
  CHECK(time.threads[0].other.ns == 0);
}

TEST_CASE("a scope has the part of a span that lies in it") {
  WithSpans program(two_gaps);
  program.span({2, 12}, ThreadState::unknown, program.stack("load", "data.py"));
  program.span({15, 19}, ThreadState::unknown, program.stack("log", "train.py"));
  CHECK(functions_of(program.time(4, 16)) == Lines{"load 8", "log 1", "? 1"});
  CHECK(functions_of(program.time(IntervalSet::union_of({{3, 4}, {6, 8}, {18, 50}}))) ==
        Lines{"load 3", "log 1", "? 1"});
}

//   calls   aa..........bb......aa
//   spans     LLLL
//   samples   !    x  x  y              the first sample lies in a span
TEST_CASE("the time outside of spans is divided by samples") {
  WithSpans program(R"(
    thread 1            aa..........bb......aa
    samples 1 every 2   .......x..x....y......
    a = cudaLaunchKernel, at train.py:7
    b = cudaDeviceSynchronize, at train.py:9
    x = running log@train.py:8
    y = running wait@train.py:9
  )");
  program.span({2, 6}, ThreadState::unknown, program.stack("load", "data.py"));
  const HostActivity time = program.time(0, 100);
  CHECK(time.ns == 16);
  CHECK(time.recorded_ns == 4);
  CHECK(time.samples == 3);
  CHECK(functions_of(time) == Lines{"log 6", "wait 6", "load 4"});
  CHECK(time.parts[0].share.recorded_ns == 0);
  CHECK(time.parts[0].share.least_ns < 6);
  CHECK(sum_of(time) == time.ns);
}

TEST_CASE("time in which nothing could be seen is not given to what was seen beside it") {
  WithSpans program(R"(
    thread 1            a............a
    samples 1 every 1   .xxx..........
    a = cudaLaunchKernel
    x = running work@train.py:8
  )");
  program.span({4, 13}, ThreadState::unknown, CallStacks::none);
  const HostActivity time = program.time(0, 100);
  CHECK(functions_of(time) == Lines{"? 9", "work 3"});
  CHECK(time.recorded_ns == 0);
}

TEST_CASE("what was done before a line, and stacks, sum to the time of spans and looks") {
  WithSpans program(R"(
    thread 1            aa..........bb......aa
    samples 1 every 2   .......x..x....y......
    a = cudaLaunchKernel, at train.py:7
    b = cudaDeviceSynchronize, at train.py:9
    x = running log@train.py:8
    y = running wait@train.py:9
  )");
  program.span({2, 6}, ThreadState::unknown, program.stack("load", "data.py"));
  const HostActivity time = program.time(0, 100);
  std::map<std::string, Lines> lines;
  for (const HostSite& site : time.sites) {
    for (const HostFunction& one : site.functions) {
      lines[site.line].push_back(one.function + " " + std::to_string(one.share.ns));
    }
  }
  CHECK(lines == std::map<std::string, Lines>{{"train.py:7", {"wait 6"}},
                                              {"train.py:9", {"log 6", "load 4"}}});
  Lines stacks;
  for (const HostStack& stack : time.stacks) {
    stacks.push_back(stack.frames.back() + " " + std::to_string(stack.ns));
  }
  std::sort(stacks.begin(), stacks.end());
  CHECK(stacks == Lines{"load (data.py) 4", "log (train.py) 6", "wait (train.py) 6"});
}

TEST_CASE("a thread off its processor is told apart from one that nobody looked at") {
  WithSpans program(two_gaps);
  program.span({2, 11}, ThreadState::off_processor, CallStacks::none);
  const std::vector<HostFunction> functions = by_function(program.time(0, 100));
  REQUIRE(functions.size() == 2);
  CHECK((functions[0].state == ThreadState::off_processor && functions[0].share.ns == 9));
  CHECK((functions[1].state == ThreadState::unknown && functions[1].share.ns == 7));
}

TEST_CASE(
    "parts sum to the time exactly whatever was recorded and sampled, and whenever is asked") {
  std::mt19937 random(20);
  const auto upto = [&random](Ns most) {
    return std::uniform_int_distribution<Ns>(0, most)(random);
  };
  for (int round = 0; round < 200; ++round) {
    // Draws calls of length 1 with gaps between them.
    std::string thread;
    std::string looks;
    std::vector<Interval> gaps;
    for (int call = 0; call < 12; ++call) {
      thread += call % 3 == 0 ? 'b' : 'a';
      const Ns length = upto(9);
      const auto start = static_cast<Ns>(thread.size());
      if (call < 11) gaps.push_back({start, start + length});
      thread.append(static_cast<std::size_t>(call < 11 ? length : 0), '.');
    }
    for (std::size_t i = 0; i < thread.size(); ++i) looks += upto(3) == 0 ? 'x' : '.';
    looks.front() = 'x';
    WithSpans program("\n  thread 1            " + thread + "\n  samples 1 every 3   " + looks +
                      "\n  ab = cudaLaunchKernel\n  x = running work@train.py:8\n");
    const std::uint32_t chains[] = {CallStacks::none, program.stack("load", "data.py"),
                                    program.stack("log", "train.py")};
    Ns recorded = 0;
    for (const Interval& gap : gaps) {
      for (Ns at = gap.start; at < gap.end;) {
        const Ns until = std::min(gap.end, at + 1 + upto(4));
        const auto chain = static_cast<std::size_t>(upto(2));
        if (upto(1) == 0) {
          program.span({at, until}, ThreadState::unknown, chains[chain]);
          if (chain != 0) recorded += until - at;
        }
        at = until;
      }
    }
    const auto all = static_cast<Ns>(thread.size());
    CHECK(program.time(0, all).recorded_ns == recorded);
    const Ns from = upto(all);
    const HostActivity time = program.time(from, from + upto(all));
    CHECK(sum_of(time) == time.ns);
    Ns stacks = 0;
    for (const HostStack& stack : time.stacks) stacks += stack.ns;
    CHECK(stacks == time.ns);
    Ns sites = 0;
    for (const HostSite& site : time.sites) sites += site.ns;
    CHECK(sites == time.ns);
  }
}

TEST_CASE("slices are spans, joined if the same stack goes on after a call") {
  WithSpans program(R"(
    thread 1            aa..........bb......aa
    samples 1 every 2   ...........x.....x....
    ab = cudaLaunchKernel
    x = running wait@train.py:9
  )");
  const std::uint32_t load = program.stack("load", "data.py");
  program.span({2, 5}, ThreadState::unknown, load);
  program.span({5, 7}, ThreadState::unknown, program.stack("log", "train.py"));
  program.span({8, 11}, ThreadState::unknown, load);
  program.span({11, 12}, ThreadState::unknown, load);
  program.span({14, 16}, ThreadState::unknown, load);
  program.trace.host_samples.stacks.settle(program.trace, {});
  const HostPartition partition(program.trace, KindTable());
  Lines slices;
  for (const auto& slice : partition.slices_of(0)) {
    slices.push_back(program.trace.names.text(slice.own.function) + " " +
                     std::to_string(slice.interval.start) + ".." +
                     std::to_string(slice.interval.end));
  }
  // The sample at 17 lies outside of all spans. The sample at 11 lies in a span, and has no slice.
  CHECK(slices == Lines{"load 2..5", "log 5..7", "load 8..16", "wait 16..18"});
}

// In some exports, a thread has scheduling records but no CUDA calls.
TEST_CASE("a thread with samples but without calls has no slices") {
  WithSpans program(R"(
    thread 1            aa..........aa
    samples 1 every 2   ...........x..
    a = cudaLaunchKernel
    x = running wait@train.py:9
  )");
  const std::int64_t tid = program.trace.calls.threads[0].global_tid;
  program.trace.calls = {};
  program.trace.calls.threads.push_back({tid, 0, 0});
  const HostPartition partition(program.trace, KindTable());
  CHECK(partition.slices_of(0).empty());
}

}  // namespace
}  // namespace lapscope::analyzer
