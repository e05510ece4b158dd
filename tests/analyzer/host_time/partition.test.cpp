#include "analyzer/host_time/partition.h"

#include <cstdlib>
#include <map>
#include <random>

#include "collector/schema/global_id.h"
#include "tests/analyzer/support/program.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;

HostActivity time_of(const Trace& trace, std::int64_t from, std::int64_t to) {
  const HostPartition partition(trace, KindTable());
  std::vector<HostPartition::Asked> threads;
  for (std::uint32_t i = 0; i < trace.calls.threads.size(); ++i) threads.push_back({i, 1});
  return partition.of(threads, IntervalSet::union_of({{from, to}}), HostPartition::Stacks::list);
}

// Returns each function with its time in ns, such as "load 120", longest time first. "?" stands for
// unknown functions.
std::vector<std::string> functions(const HostActivity& time) {
  std::vector<std::string> lines;
  for (const HostFunction& one : by_function(time)) {
    lines.push_back((one.function.empty() ? "?" : one.function) + " " +
                    std::to_string(one.share.ns));
  }
  return lines;
}

using Lines = std::vector<std::string>;

constexpr const char* loop = R"(
  thread 1            aa..........bb......aa..........bb......aa
  samples 1 every 4   x...x...x...y...z...x...x...z...y...z...x.
  a = cudaLaunchKernel, at train.py:7
  b = cudaDeviceSynchronize, at train.py:9
  x = running load@data.py:27 main@train.py:7
  y = running wait@train.py:9
  z = running log@train.py:8
)";

// The two calls of cudaDeviceSynchronize follow 20 characters of host code, with three samples of
// `load` and one sample of `log`. The later calls of cudaLaunchKernel follow 12 characters of host
// code, with two samples of `log`.
TEST_CASE("the time between calls is divided by the samples between calls, not by those in calls") {
  const Program program(loop, 1);
  const HostActivity time = time_of(program.trace, 0, 42);
  CHECK(time.ns == 32);
  CHECK(functions(time) == Lines{"log 17", "load 15"});
  CHECK(time.samples == 6);
  REQUIRE(time.parts.size() == 2);
  CHECK(time.parts[1].file == "data.py");
  CHECK(time.parts[1].line == 27);
  CHECK(time.parts[0].kind == HostKind::user);
  CHECK(time.parts[0].state == ThreadState::running);
}

TEST_CASE("what was done before the calls at a line sums to the time before them") {
  const Program program(loop, 1);
  const HostActivity time = time_of(program.trace, 0, 42);
  std::map<std::string, std::int64_t> ns;
  for (const HostSite& site : time.sites) {
    ns[site.line] = site.ns;
    std::int64_t sum = 0;
    for (const HostFunction& one : site.functions) sum += one.share.ns;
    CHECK(sum == site.ns);
  }
  CHECK(ns == std::map<std::string, std::int64_t>{{"train.py:7", 12}, {"train.py:9", 20}});
}

TEST_CASE("stacks have what was seen in them, outermost frame first") {
  const Program program(loop, 1);
  const HostActivity time = time_of(program.trace, 0, 100);
  Lines lines;
  for (const HostStack& stack : time.stacks) {
    std::string line;
    for (const std::string& frame : stack.frames) line += frame + " ";
    lines.push_back(line + std::to_string(stack.ns));
  }
  std::sort(lines.begin(), lines.end());
  CHECK(lines == Lines{"log (train.py) 17", "main (train.py) load (data.py) 15"});
}

TEST_CASE("an interval at the border of a scope counts with the part inside") {
  const Program program(loop, 1);
  CHECK(time_of(program.trace, 5, 9).ns == 4);
  CHECK(time_of(program.trace, 0, 4).ns == 2);
  CHECK(time_of(program.trace, 12, 14).ns == 0);
  CHECK(time_of(program.trace, 10, 16).ns == 4);
}

TEST_CASE("of a thread that nobody looked at nothing is known") {
  const Program program(R"(
    thread 1            a.....b
    thread 2            a...b..
    samples 1 every 2   ..x.x..
    ab = cudaLaunchKernel
    x = sleeping nap@train.py:3
  )",
                        1);
  const HostActivity time = time_of(program.trace, 0, 7);
  CHECK(time.ns == 8);
  CHECK(functions(time) == Lines{"nap 5", "? 3"});
  CHECK(time.parts[0].kind == HostKind::sleep);
  CHECK(time.parts[1].kind == HostKind::unknown);
}

TEST_CASE("a sample without a stack has a state, and a kind if the state alone decides the kind") {
  const Program program(R"(
    thread 1            a.........b
    samples 1 every 2   ..x.x.y.y..
    ab = cudaLaunchKernel
    x = lock
    y = running
  )",
                        1);
  const HostActivity time = time_of(program.trace, 0, 11);
  std::map<HostKind, std::int64_t> ns;
  for (const HostPart& part : time.parts) ns[part.kind] += part.share.ns;
  CHECK((ns[HostKind::lock] == 5 || ns[HostKind::lock] == 4));
  CHECK(ns[HostKind::lock] + ns[HostKind::unknown] == 9);
}

// From the first sample to the last sample, 8 ns pass. The thread runs for 4 of them, and is ready
// for the other 4.
TEST_CASE("between samples without a call between them, the clocks of Linux give exact times") {
  Program program(R"(
    thread 1            aa..........bb
    samples 1 every 4   ..x...x...x...
    ab = cudaLaunchKernel
    x = running load@data.py:27
  )",
                  1);
  program.trace.host_samples.cpu_ns = {100, 103, 104};
  program.trace.host_samples.ready_ns = {50, 51, 54};
  const HostActivity time = time_of(program.trace, 0, 14);
  REQUIRE(time.threads.size() == 1);
  CHECK(time.threads[0].counted_ns == 8);
  CHECK(time.threads[0].on_cpu_ns == 4);
  CHECK(time.threads[0].ready_ns == 4);
}

// The clock of the thread shows that it was off its processor for 160 of 240 ns (10 ns for each
// character). Ten of twelve samples show this.
//
//   calls    aa............bb............cc
//   off        ########      ########
TEST_CASE("the clocks of a thread show how long it waited") {
  Program program(R"(
    thread 1            aa............bb............cc
    samples 1 every 2   ..x.x.x.x.x.y...x.x.x.x.x.y...
    abc = cudaLaunchKernel
    x = sleeping nap@train.py:3
    y = running load@data.py:27
  )",
                  10);
  Trace& trace = program.trace;
  const auto off = [](Ns start, Ns end) {
    return HostState{HostState::Kind::not_running, 0, {start, end}};
  };
  trace.host_states = {{off(20, 100), off(160, 240)}};
  const Lines by_samples{"nap 203", "load 37"};
  const Lines by_clocks{"nap 160", "load 80"};
  const auto lines = [&trace](Ns ran, Ns ready) {
    trace.host_samples.cpu_ns.assign(trace.host_samples.size(), 0);
    trace.host_samples.cpu_ns.back() = ran;
    trace.host_samples.ready_ns.assign(trace.host_samples.size(), 0);
    trace.host_samples.ready_ns.back() = ready;
    return functions(time_of(trace, 0, 300));
  };
  CHECK(functions(time_of(trace, 0, 300)) == by_samples);  // the samples have no clocks
  CHECK(lines(80, 0) == by_clocks);
  // Of the 160 ns off its processor, the thread was ready to run for 16 ns. It waited for 144 ns.
  CHECK(lines(80, 16) == Lines{"nap 144", "load 96"});
  // The thread was ready to run for 40 ns. It may have been ready in calls, so it is not known how
  // long it waited in the pauses.
  CHECK(lines(80, 40) == by_samples);
  // The clock shows that the thread ran for 50 ns in all. The states show that it ran for 60 ns in
  // the pauses. This is impossible, so the states are not used.
  CHECK(lines(50, 0) == by_samples);
  trace.host_samples.state.back() = ThreadState::unknown;
  CHECK(lines(80, 0) == by_samples);
}

TEST_CASE("a share has bounds, and lies within these bounds in nine of ten cases") {
  // For p = 0.5 and n = 100, Wilson's interval is 0.5 +- 0.0812.
  const HostShare half = share_of(500'000, 50, {1'000'000, 100});
  CHECK(std::abs(half.least_ns - 419'000) < 1'000);
  CHECK(std::abs(half.most_ns - 581'000) < 1'000);
  const HostShare all = share_of(1'000'000, 10, {1'000'000, 10});
  CHECK(all.most_ns == 1'000'000);
  CHECK(std::abs(all.least_ns - 787'000) < 1'000);
}

// The clock shows that the thread waits for 600 of 1000 ns. 60 samples divide the 600 ns, and 40
// samples divide the other 400 ns.
TEST_CASE("the waiting time that a clock shows is exact, and only its parts have bounds") {
  const HostThread thread{.waiting = {600, 60}, .other = {400, 40}};
  // All 60 samples show this part. Its lower bound is 600 * z^2 / (60 + z^2) = 25.9 ns less.
  const HostShare all = with_bounds({.ns = 600, .waiting_ns = 600}, thread);
  CHECK(all.least_ns == 574);
  CHECK(all.most_ns == 600);
  // This part is half of the 600 ns and half of the 400 ns. Their bounds are 600 * 0.1039 = 62.3 ns
  // and 400 * 0.1259 = 50.4 ns away. The bounds of the sum are sqrt(62.3^2 + 50.4^2) = 80 ns away.
  const HostShare half = with_bounds({.ns = 500, .waiting_ns = 300}, thread);
  CHECK(std::abs(half.least_ns - 420) <= 1);
  CHECK(std::abs(half.most_ns - 580) <= 1);
}

TEST_CASE("a part is shown with the function that a library calls back, else the innermost one") {
  const Program program(R"(
    thread 1            a...........b
    samples 1 every 2   ..x.x.x.y.y..
    ab = cudaLaunchKernel
    x = running decode@codec.py:3 Images.__getitem__@data.py:27 fetch@/v/site-packages/torch/utils/data/_utils/fetch.py:5 main@train.py:9
    y = running spin@work.py:3 prepare@train.py:20 main@train.py:9
  )",
                        1);
  const HostActivity time = time_of(program.trace, 0, 13);
  REQUIRE(time.parts.size() == 2);
  CHECK(time.parts[0].function == "Images.__getitem__");
  CHECK(time.parts[0].line == 27);
  CHECK(time.parts[0].innermost == "decode");
  CHECK(time.parts[1].function == "spin");
  CHECK(time.parts[1].caller == "prepare");
}

TEST_CASE("a thread that waits to be given work is not the one that a program waits for") {
  const Program program(R"(
    thread 1            a.........a
    thread 2            bbb.b..b.bb
    samples 1 every 2   ..x.x.x.x..
    samples 2 every 2   ..y.y.y.y..
    ab = cudaLaunchKernel
    x = running load@data.py:27
    y = lock
  )",
                        1);
  const HostPartition partition(program.trace, KindTable());
  const HostActivity time = partition.of({{0, 2}, {1, 9}}, IntervalSet::union_of({{0, 11}}));
  REQUIRE(main_thread(time) != nullptr);
  CHECK(main_thread(time)->ops == 2);
}

TEST_CASE("where no function of several threads is known, none of them is the main one") {
  const std::string threads = R"(
    thread 1            a.........a
    thread 2            bbb.b..b.bb
    samples 1 every 2   ..x.x.x.x..
    samples 2 every 2   ..y.y.y.y..
    ab = cudaLaunchKernel
    x = running
    y = lock
  )";
  const Program program(threads, 1);
  const HostPartition partition(program.trace, KindTable());
  const IntervalSet all = IntervalSet::union_of({{0, 11}});
  CHECK(main_thread(partition.of({{0, 2}, {1, 9}}, all)) == nullptr);
  CHECK(main_thread(partition.of({{0, 2}}, all)) != nullptr);
}

// Half of the samples show "sort", so this function has half of the processor time. The thread
// waits before each sample s, but not before a sample p. This must not give s more weight than p.
TEST_CASE("samples at even intervals of processor time have the same weight") {
  Program program(R"(
    thread 1            a.................................b
    samples 1 every 2   ......s.p.....s.p.....s.p.....s.p..
    ab = cudaLaunchKernel
    s = running sort@a.cu:1
    p = running parse@a.cu:2
  )",
                  1);
  program.trace.host_samples.are_by_cpu_time = true;
  CHECK(functions(time_of(program.trace, 0, 35)) == Lines{"sort 17", "parse 16"});
}

TEST_CASE("the holder of a lock is named if the same thread held the lock in most samples") {
  Program program(R"(
    thread 1            a.........b
    samples 1 every 2   ..x.x.x.x..
    ab = cudaLaunchKernel
    x = lock take@queue.py:9
  )",
                  1);
  std::vector<std::int64_t>& holder = program.trace.host_samples.holder;
  holder = {0, 77, 0, 0};
  CHECK(time_of(program.trace, 0, 11).parts.at(0).holder == 0);
  holder = {77, 77, 78, 77};
  CHECK(time_of(program.trace, 0, 11).parts.at(0).holder == 77);
}

TEST_CASE("stacks of hours of samples keep their time") {
  Program program(R"(
    thread 1            a.........b
    samples 1 every 2   ..x.y.x.y..
    ab = cudaLaunchKernel
    x = running load@data.py:27 main@train.py:7 first@run.py:3
    y = running load@data.py:27 main@train.py:7 second@run.py:4
  )",
                  500'000'000'000'000'000);
  const HostActivity time = time_of(program.trace, 0, 11 * program.unit);
  Ns sum = 0;
  for (const HostStack& stack : time.stacks) {
    CHECK(stack.ns > 0);
    sum += stack.ns;
  }
  CHECK(sum == time.ns);
}

// A native stack of a thread that waits for a lock ends in a function of a library.
TEST_CASE("a wait belongs to a function of the program, not to a function of a library") {
  const auto function_of = [](const std::string& wait) {
    const Program program(R"(
    thread 1            b...b.....b
    samples 1 every 2   ..y...y.y..
    b = cudaLaunchKernel
    y = )" + wait + "\n",
                          1);
    return functions(time_of(program.trace, 0, 11));
  };
  const std::string wait = "futex_wait@/lib/x86_64-linux-gnu/libc.so.6:0";
  CHECK(function_of("lock " + wait) == Lines{"? 8"});
  CHECK(function_of("lock " + wait + " get@queue.cu:3") == Lines{"get 8"});
  CHECK(function_of("running " + wait) == Lines{"futex_wait 8"});
}

// The samples have only Python frames. The call stack of b shows that line 33 calls an operator,
// and that this operator makes the call b. So line 33 is dispatch just before and just after b.
TEST_CASE("a line that calls an operator is dispatch around the operator's CUDA call") {
  Program program(R"(
    thread 1            a........b........c
    samples 1 every 3   ..x..y..z..x..y..z.
    abc = cudaLaunchKernel
    x = running forward@model.py:33
    y = running forward@model.py:34
    z = running prepare@model.py:50
  )",
                  1);
  Trace& trace = program.trace;
  std::int64_t id = 1000;
  const auto name = [&trace, &id](const char* text) {
    trace.names.add(++id, text);
    return trace.names.index_of(id);
  };
  const Frame line = trace.host_samples.stacks.chain(trace.host_samples.chain[0])[0];
  const std::vector<Frame> with_operator = {
      {name("at::_ops::add::call(at::Tensor const&)"), name("libtorch_cpu.so")}, line};
  const std::vector<Frame> by_itself = {
      trace.host_samples.stacks.chain(trace.host_samples.chain[1])[0]};
  trace.stacks = {};
  const std::uint32_t chains[] = {trace.stacks.add_chain(with_operator),
                                  trace.stacks.add_chain(by_itself)};
  trace.stacks.settle(trace, {{0, chains[1]}, {1, chains[0]}, {2, chains[1]}});
  const HostActivity time = time_of(trace, 0, 19);
  std::map<std::string, HostKind> kinds;
  for (const HostPart& part : time.parts) {
    kinds[part.function + ":" + std::to_string(part.line)] = part.kind;
  }
  CHECK(kinds == std::map<std::string, HostKind>{{"forward:33", HostKind::dispatch},
                                                 {"forward:34", HostKind::user},
                                                 {"prepare:50", HostKind::user}});
}

// Computes the host time independently: counts the instants between calls.
std::int64_t counted(const Trace& trace, Interval when) {
  std::int64_t ns = 0;
  for (const Calls::Thread& thread : trace.calls.threads) {
    for (std::int64_t at = when.start; at < when.end; ++at) {
      bool is_in_call = false;
      for (std::uint32_t call = thread.first; call < thread.last; ++call) {
        is_in_call |= trace.calls.start[call] <= at && at < trace.calls.end[call];
      }
      const bool is_between = thread.first < thread.last && at >= trace.calls.end[thread.first] &&
                              at < trace.calls.start[thread.last - 1];
      ns += is_between && !is_in_call ? 1 : 0;
    }
  }
  return ns;
}

TEST_CASE("parts sum to the time between calls exactly") {
  std::mt19937 random(3);
  const auto up_to = [&random](int most) {
    return std::uniform_int_distribution<int>(0, most)(random);
  };
  for (int round = 0; round < 300; ++round) {
    std::string drawing;
    for (const char* number : {"1", "2"}) {
      std::string calls;
      std::string samples;
      while (calls.size() < 60) {
        calls += std::string(1 + static_cast<std::size_t>(up_to(2)), up_to(1) == 0 ? 'a' : 'b');
        calls += std::string(1 + static_cast<std::size_t>(up_to(7)), '.');
      }
      for (std::size_t i = 0; i < calls.size(); ++i) samples += "xyz....."[up_to(7)];
      drawing += std::string("thread ") + number + " " + calls + "\n";
      if (up_to(3) > 0) drawing += std::string("samples ") + number + " every 3 " + samples + "\n";
    }
    drawing +=
        "a = cudaLaunchKernel, at train.py:7\n"
        "b = cudaDeviceSynchronize, at train.py:9\n"
        "x = running load@data.py:27 main@train.py:7\n"
        "y = lock wait@train.py:9\n"
        "z = running\n";
    Program program(drawing, 1);
    program.trace.host_samples.interval_ns = 3;
    const std::int64_t from = up_to(30);
    const Interval when{from, from + up_to(40)};
    const HostActivity time = time_of(program.trace, when.start, when.end);
    CAPTURE(drawing, when.start, when.end);
    REQUIRE(time.ns == counted(program.trace, when));
    std::map<std::int64_t, std::int64_t> by_thread;
    for (const HostPart& part : time.parts) {
      CHECK(part.share.ns > 0);
      CHECK(part.share.least_ns <= part.share.ns);
      CHECK(part.share.ns <= part.share.most_ns);
      by_thread[part.thread] += part.share.ns;
    }
    for (const HostThread& thread : time.threads) CHECK(by_thread[thread.global_tid] == thread.ns);
    for (const HostStack& stack : time.stacks) {
      CHECK(stack.ns > 0);
      by_thread[stack.thread] -= stack.ns;
    }
    for (const auto& [thread, left] : by_thread) CHECK(left == 0);
    for (const auto& all : {by_function(time), by_kind(time)}) {
      std::int64_t sum = 0;
      for (const HostFunction& one : all) sum += one.share.ns;
      CHECK(sum == time.ns);
    }
  }
}

}  // namespace
}  // namespace lapscope::analyzer
