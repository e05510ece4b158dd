#include "readers/kineto/read_host_ranges.h"

#include <map>
#include <random>

#include "analyzer/analysis/analyze.h"
#include "tests/catch.h"
#include "tests/readers/host_parts.h"
#include "tests/readers/kineto/kineto_trace.h"

// What a thread does between its calls, in synthetic files of PyTorch's profiler.
namespace lapscope::analyzer {
namespace {

using test::host_time;
using test::parts_of;
using Lines = std::vector<std::string>;

constexpr std::int64_t us = 1'000;
constexpr std::int64_t launches = 11;

// A file of events, with times in us. Thread 9 makes 11 launches, one every 10 ms. Each launch
// takes 1 ms. There are thus ten intervals of 9 ms between the launches.
class Events {
 public:
  Events() {
    for (std::int64_t i = 0; i < launches; ++i) {
      const std::string correlation = std::to_string(i + 1);
      add("cuda_runtime", "cudaLaunchKernel", i * 10'000, 1'000, "\"correlation\": " + correlation);
      text_ += R"J(, {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": )J" +
               std::to_string(i * 10'000 + 1'000) +
               R"J(, "dur": 1000, "args": {"device": 0, "stream": 7, "correlation": )J" +
               correlation + "}}";
    }
  }

  Events& add(const std::string& category, const std::string& name, std::int64_t start,
              std::int64_t us, const std::string& args = "") {
    text_ += (text_.empty() ? "" : ", ");
    text_ += R"J({"ph": "X", "cat": ")J" + category + R"J(", "name": ")J" + name +
             R"J(", "pid": 9, "tid": 9, "ts": )J" + std::to_string(start) +
             ", \"dur\": " + std::to_string(us) + ", \"args\": {" + args + "}}";
    return *this;
  }
  // Adds an event to each of the ten intervals. `from` is the time from the beginning of the
  // interval to the beginning of the event, in us.
  Events& each(const std::string& category, const std::string& name, std::int64_t from,
               std::int64_t us) {
    for (std::int64_t i = 0; i < launches - 1; ++i) {
      add(category, name, i * 10'000 + 1'000 + from, us);
    }
    return *this;
  }

  Trace read() const {
    return test::trace_of_kineto(R"J({"schemaVersion": 1, "traceEvents": [)J" + text_ + "]}");
  }

 private:
  std::string text_;
};

TEST_CASE("functions of Python have the time that they were the innermost one") {
  Events events;
  events.add("python_function", "train.py(12): main", 0, 200'000);
  events.each("python_function", "train.py(20): sort", 0, 6'300);
  events.each("python_function", "train.py(30): parse", 6'300, 2'700);
  const Trace trace = events.read();
  CHECK(parts_of(trace) == Lines{"sort user unknown 63000", "parse user unknown 27000"});
  const auto time = host_time(trace);
  CHECK(time->recorded_ns == time->ns);
  CHECK(time->samples == 0);
  CHECK(time->interval_ns == 0);
  CHECK(time->parts[0].line == 20);
  CHECK(time->parts[0].file == "train.py");
  CHECK(time->parts[0].caller == "main");
  CHECK(time->parts[0].share.least_ns == time->parts[0].share.ns);
}

//   each interval   [aten::linear, 3 ms   ]  1 ms  [aten::add, 2 ms]  3 ms
//                      [aten::addmm, 2 ms]
TEST_CASE("time is dispatch of the innermost operator, and time outside of operators is unknown") {
  Events events;
  events.each("cpu_op", "aten::linear", 0, 3'000).each("cpu_op", "aten::addmm", 500, 2'000);
  events.each("cpu_op", "aten::add", 4'000, 2'000);
  CHECK(parts_of(events.read()) ==
        Lines{"? unknown unknown 40000", "aten::addmm dispatch unknown 20000",
              "aten::add dispatch unknown 20000", "aten::linear dispatch unknown 10000"});
}

TEST_CASE("an operator that Python calls is dispatch at that function") {
  Events events;
  events.each("python_function", "train.py(20): step", 0, 9'000);
  events.each("cpu_op", "aten::add", 1'000, 6'000);
  CHECK(parts_of(events.read()) ==
        Lines{"step<aten::add dispatch unknown 60000", "step user unknown 30000"});
}

TEST_CASE("loaders and optimizers are told by PyTorch's annotations") {
  Events events;
  events.each("user_annotation", "ProfilerStep#3", 0, 9'000);
  events.each("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0,
              4'000);
  events.each("cpu_op", "aten::stack", 1'000, 1'000);
  events.each("user_annotation", "Optimizer.step#SGD.step", 4'000, 3'000);
  events.each("cpu_op", "aten::add_", 5'000, 1'000);
  const auto time = host_time(events.read());
  std::map<HostKind, Ns> ns;
  for (const HostPart& part : time->parts) ns[part.kind] += part.share.ns / us;
  CHECK(ns == std::map<HostKind, Ns>{{HostKind::data_loading, 40'000},
                                     {HostKind::optimizer, 30'000},
                                     {HostKind::unknown, 20'000}});
}

TEST_CASE("a loader with workers waits for a process") {
  Events events;
  events.each("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 0,
              9'000);
  const auto time = host_time(events.read());
  REQUIRE(time->parts.size() == 1);
  CHECK(time->parts[0].kind == HostKind::process_wait);
}

TEST_CASE("an annotation of the program says where, and not what is done") {
  Events events;
  events.each("user_annotation", "## backward ##", 0, 9'000);
  events.each("cpu_op", "aten::mul", 0, 2'000);
  CHECK(parts_of(events.read()) == Lines{"## backward ## unknown unknown 70000",
                                         "## backward ##<aten::mul dispatch unknown 20000"});
}

TEST_CASE("a built-in function tells what a thread waits for") {
  Events events;
  events.each("python_function", "train.py(20): step", 0, 9'000);
  events.each("python_function", "<built-in method sleep of module object at 0x7f>", 0, 2'000);
  events.each("python_function", "<built-in method acquire of _thread.lock object at 0x7f>", 2'000,
              4'000);
  CHECK(parts_of(events.read()) == Lines{"step<_thread.lock.acquire lock lock 40000",
                                         "step user unknown 30000",
                                         "step<sleep sleep sleeping 20000"});
}

TEST_CASE("only one of the domains that are told need be there") {
  Events events;
  events.each("python_function", "train.py(20): step", 0, 9'000);
  CHECK(parts_of(events.read()) == Lines{"step user unknown 90000"});
  CHECK(parts_of(Events().each("user_annotation", "load", 0, 9'000).read()) ==
        Lines{"load unknown unknown 90000"});
}

TEST_CASE("without ranges of the host nothing is said of its time") {
  CHECK_FALSE(host_time(Events().read()).has_value());
}

TEST_CASE("a finding names what the operators are issued by") {
  Events events;
  events.each("python_function", "train.py(20): step", 0, 9'000);
  events.each("cpu_op", "aten::add", 1'000, 6'000);
  AnalyzeOptions options;
  options.focus = Focus::whole;
  const Report report = analyze(events.read(), options);
  const CausesResult& causes = report.devices.at(0).scope.causes.value();
  std::vector<FindingResult> findings = causes.findings;
  findings.insert(findings.end(), causes.questions.begin(), causes.questions.end());
  const auto named = std::find_if(findings.begin(), findings.end(),
                                  [](const FindingResult& one) { return one.host_work; });
  REQUIRE(named != findings.end());
  CHECK(named->code == "host-compute");
  CHECK(named->host_work->functions.front().kind == HostKind::dispatch);
  CHECK(named->host_work->functions.front().function == "step");
}

TEST_CASE("parts sum to the time between calls whatever ranges overlap") {
  std::mt19937 random(7);
  const auto upto = [&random](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(0, most)(random);
  };
  for (int round = 0; round < 20; ++round) {
    Events events;
    for (int i = 0; i < 60; ++i) {
      const char* const names[] = {"train.py(1): f", "train.py(2): g", "aten::add"};
      const auto name = static_cast<std::size_t>(upto(2));
      events.add(name == 2 ? "cpu_op" : "python_function", names[name], upto(105'000),
                 upto(20'000));
    }
    REQUIRE(host_time(events.read()).has_value());
  }
}

}  // namespace
}  // namespace lapscope::analyzer
