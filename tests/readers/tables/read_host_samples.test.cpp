#include "collector/schema/enumeration.h"
#include "collector/schema/global_id.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

// Checks how lapscope reads samples of threads from a trace.
namespace lapscope::analyzer {
namespace {

using schema::HostSampleCountsRow;
using schema::HostSampleRow;
using test::read_written;
using trace::TraceWriter;

const std::int64_t first = schema::global_tid(7, 1);
const std::int64_t second = schema::global_tid(7, 2);

schema::CallchainRow frame(TraceWriter& writer, std::int64_t chain, std::int64_t depth,
                           const std::string& function) {
  schema::CallchainRow row;
  row.id = chain;
  row.stackDepth = depth;
  row.symbol = writer.intern(function);
  row.module = writer.intern("[python]");
  row.sourceFile = writer.intern("train.py");
  row.sourceLine = 10 + depth;
  return row;
}

Trace trace_of_samples(const std::function<void(TraceWriter&)>& fill) {
  return read_written([&](TraceWriter& writer) {
    writer.insert(test::kernel(20, 30));
    fill(writer);
    writer.commit();
  });
}

TEST_CASE("collections of garbage are read where they can be believed") {
  using schema::CollectionsRow;
  const Trace trace = trace_of_samples([](TraceWriter& writer) {
    writer.insert(HostSampleRow{10, first, 1, {}, {}, {}, {}, {}});
    writer.insert(CollectionsRow{10, 20, 0, 3, {}, {}});
    writer.insert(CollectionsRow{20, 30, 2, 1, 22, 28});
    writer.insert(CollectionsRow{20, 30, 2, 1, 28, 22});
    writer.insert(CollectionsRow{30, 20, 0, 1, {}, {}});
    writer.insert(CollectionsRow{20, 30, 3, 1, {}, {}});
    writer.insert(CollectionsRow{20, 30, 1, 0, {}, {}});
  });
  const auto& collections = trace.host_samples.collections;
  REQUIRE(collections.size() == 3);
  CHECK(collections[0].looks == Interval{10, 20});
  CHECK(collections[0].count == 3);
  CHECK(collections[0].end == HostSamples::not_told);
  CHECK(collections[1].generation == 2);
  CHECK(collections[1].end == 28);
  CHECK(collections[2].end == HostSamples::not_told);
}

TEST_CASE("samples are read thread by thread and by time, with what stands there") {
  const Trace trace = trace_of_samples([](TraceWriter& writer) {
    writer.insert(frame(writer, 5, 0, "load"));
    writer.insert(frame(writer, 5, 1, "main"));
    writer.insert(HostSampleRow{30, second, 6, {}, {}, {}, {}, {}});
    writer.insert(HostSampleRow{20, first, 2, 202, 900, 40, second, 5});
    writer.insert(HostSampleRow{10, first, 1, {}, 700, 30, {}, 99});  // chain 99 does not exist
    writer.insert(HostSampleCountsRow{10'000'000, 3, 1, 0, 0, 77});
  });
  const HostSamples& samples = trace.host_samples;
  CHECK(samples.interval_ns == 10'000'000);
  CHECK(samples.time == std::vector<std::int64_t>{10, 20, 30});
  CHECK(samples.state ==
        std::vector{ThreadState::running, ThreadState::lock, ThreadState::sleeping});
  CHECK(samples.cpu_ns == std::vector<std::int64_t>{700, 900, HostSamples::not_told});
  CHECK(samples.ready_ns == std::vector<std::int64_t>{30, 40, HostSamples::not_told});
  CHECK(samples.holder == std::vector<std::int64_t>{0, second, 0});
  REQUIRE(samples.threads.size() == 2);
  CHECK((samples.of(first)->first == 0 && samples.of(first)->last == 2));
  CHECK((samples.of(second)->first == 2 && samples.of(second)->last == 3));
  CHECK(samples.of(schema::global_tid(7, 3)) == nullptr);
  CHECK(samples.chain == std::vector{CallStacks::none, 0U, CallStacks::none});
  const auto frames = samples.stacks.chain(0);
  REQUIRE(frames.size() == 2);
  CHECK(trace.names.text(frames[0].function) == "load");
  CHECK(frames[1].line == 11);
  CHECK(trace.stacks.empty());
}

TEST_CASE("a trace without samples has none, and no column") {
  const Trace trace = trace_of_samples([](TraceWriter&) {});
  CHECK_FALSE(trace.host_samples.were_taken());
  CHECK(trace.host_samples.size() == 0);
  const Trace few = trace_of_samples([](TraceWriter& writer) {
    writer.insert(HostSampleRow{10, first, 1, {}, {}, {}, {}, {}});
  });
  CHECK(few.host_samples.size() == 1);
  CHECK(few.host_samples.cpu_ns.empty());
  CHECK(few.host_samples.holder.empty());
}

TEST_CASE("what cannot be is left out or not known") {
  const Trace trace = trace_of_samples([](TraceWriter& writer) {
    writer.insert(HostSampleRow{-10, first, 1, {}, {}, {}, {}, {}});
    writer.insert(HostSampleRow{10, first, 77, {}, -4, {}, {}, {}});
    writer.insert(HostSampleRow{10, first, 2, {}, {}, {}, {}, {}});  // at the same instant
    writer.insert(HostSampleCountsRow{-1, 3, 0, 0, 0, 0});
  });
  CHECK(trace.host_samples.size() == 1);
  CHECK(trace.host_samples.state[0] == ThreadState::unknown);
  CHECK(trace.host_samples.cpu_ns.empty());
}

TEST_CASE("states of threads are those of the trace") {
  const auto states = schema::enumeration("ENUM_LAPSCOPE_THREAD_STATE").values;
  REQUIRE(states.size() == thread_states);
  for (const schema::Enumerator& state : states) {
    std::string name = "LAPSCOPE_THREAD_";
    for (const char c : name_of(static_cast<ThreadState>(state.id))) {
      name += c == '_' ? c : static_cast<char>(c - 'a' + 'A');
    }
    CHECK(name == state.name);
  }
}

TEST_CASE("where it is not told how often threads were looked at, their samples tell") {
  const Trace trace = trace_of_samples([](TraceWriter& writer) {
    for (const std::int64_t time : {100, 200, 300, 900, 1000}) {
      writer.insert(HostSampleRow{time, first, 1, {}, {}, {}, {}, {}});
    }
  });
  CHECK(trace.host_samples.interval_ns == 100);
}

TEST_CASE("looks that did not happen as they should are told of when they are many") {
  struct Case {
    const char* what;
    HostSampleCountsRow counts;
    std::int64_t missing;
  };
  const Case cases[] = {{"all came", {10, 1000, 400, 0, 0, 0}, 0},
                        {"one in twenty", {10, 1000, 0, 25, 25, 0}, 0},
                        {"more", {10, 1000, 0, 25, 26, 0}, 51}};
  for (const Case& one : cases) {
    CAPTURE(one.what);
    const Trace trace = trace_of_samples([&one](TraceWriter& writer) {
      writer.insert(HostSampleRow{10, first, 1, {}, {}, {}, {}, {}});
      writer.insert(one.counts);
    });
    std::int64_t missing = 0;
    for (const HealthRow& row : trace.health) {
      if (row.kind == HealthKind::host_samples_lost) missing = row.count;
    }
    CHECK(missing == one.missing);
  }
}

// A sample outside of calls does not show who calls CUDA. Its stack is therefore stored separately.
TEST_CASE("stacks of samples are no stacks of calls") {
  const Trace trace = trace_of_samples([](TraceWriter& writer) {
    writer.insert(frame(writer, 5, 0, "step"));
    writer.insert(frame(writer, 6, 0, "idle"));
    schema::ApiCallRow call;
    call.start = 1;
    call.end = 11;
    call.globalTid = first;
    call.correlationId = 1;
    call.nameId = writer.intern("cudaDeviceSynchronize_v3020");
    call.callchainId = 5;
    writer.insert(call);
    writer.insert(HostSampleRow{5, first, 1, {}, {}, {}, {}, 5});
    writer.insert(HostSampleRow{15, first, 1, {}, {}, {}, {}, 6});
  });
  CHECK(trace.stacks.chain_count() == 1);
  CHECK(trace.host_samples.stacks.chain_count() == 2);
}

}  // namespace
}  // namespace lapscope::analyzer
