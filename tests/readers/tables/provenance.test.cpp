#include "readers/tables/provenance.h"
#include "analyzer/model/evidence.h"
#include "readers/trace_format.h"
#include "tests/catch.h"
#include "tests/readers/read_written.h"

namespace lapscope::analyzer {
namespace {

using test::read_written;
using test::TemporaryFolder;
using trace::TraceWriter;
using Kinds = std::vector<std::string>;

TraceFacts facts_with(const std::function<void(TraceWriter&)>& fill) {
  const Trace trace = read_written([&fill](TraceWriter& writer) {
    writer.insert(test::kernel(0, 1));
    fill(writer);
  });
  return trace.facts;
}

TEST_CASE("runs of one command are told apart by session, host, process and time") {
  const auto identity = [](const char* session, const char* pid) {
    return facts_with([&](TraceWriter& trace) {
             trace.set_fact("session", session);
             trace.set_fact("host", "h");
             trace.set_fact("pid", pid);
           })
        .identity;
  };
  CHECK(identity("s", "1") == "s/h/1/2026-01-02T03:04:05Z");
  const TraceFacts started = facts_with([](TraceWriter& trace) {
    trace.set_fact("pid", "1");
    schema::SessionStartRow start;
    start.utcEpochNs = 1'780'000'000'123'456'789;
    trace.insert(start);
  });
  CHECK(started.identity == "1/2026-01-02T03:04:05Z, session start 1780000000123456789");
  CHECK(identity("s", "1") != identity("s", "2"));
  CHECK(identity("s", "1") != identity("t", "1"));
  // A start time in whole seconds cannot identify a run.
  CHECK(facts_with([](TraceWriter&) {}).identity.empty());
}

TEST_CASE("the most exact reading of the clocks tells when the machine started") {
  const TraceFacts facts = facts_with([](TraceWriter& trace) {
    trace.insert(schema::ClockRow{"start", 1'000'000'000, 0, 0, 50'000'900});
    trace.insert(schema::ClockRow{"end", 1'200'000'000, 0, 0, 250'000'100});
    trace.insert(schema::ClockRow{"damaged", 5, 0, 0, 7});
  });
  CHECK(facts.booted == 949'999'900);
  CHECK(facts_with([](TraceWriter&) {}).booted == 0);
}

TEST_CASE("a kind counts as recorded when it was asked for and not refused, used or not") {
  const TraceFacts facts = facts_with([](TraceWriter& trace) {
    trace.insert(schema::RecordsRow{36, "CUDA_EVENT", 0, 56, 0, 0});
    trace.insert(schema::RecordsRow{5, "RUNTIME", 0, 40, 1, 0});
    trace.insert(schema::ApiCallRow{});
    trace.insert(schema::RecordsRow{17, "OVERHEAD", 15, 56, 0, 0});
    trace.insert(schema::RecordsRow{38, "SYNCHRONIZATION", std::nullopt, 56, 0, 0});
  });
  CHECK(facts.recorded == Kinds{"CUDA_EVENT", "RUNTIME"});
  CHECK(facts_with([](TraceWriter&) {}).recorded.empty());
}

TEST_CASE("hardware channels are known when an op tells its own") {
  const TraceFacts facts = facts_with([](TraceWriter& trace) {
    schema::KernelRow kernel = test::kernel(2, 3);
    kernel.channelId = 4;
    kernel.channelType = 1;  // compute
    trace.insert(kernel);
  });
  CHECK(facts.recorded == Kinds{std::string(hardware_channels)});
}

TEST_CASE("of an export of Nsight Systems, tables tell what was recorded") {
  const TemporaryFolder folder;
  schema::Database database(folder / "nsys.sqlite", schema::Database::Mode::create);
  CHECK(recorded_kinds(database, nsys_format.knows).empty());
  CHECK(run_identity(database).empty());
  database.execute(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER);"
      "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER);"
      "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);"
      "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1780000000123456789);");
  CHECK(recorded_kinds(database, nsys_format.knows) ==
        Kinds{"DRIVER", "RUNTIME", "SYNCHRONIZATION"});
  CHECK(run_identity(database) == "session start 1780000000123456789");
}

using test::kernel;

Trace captured(schema::StretchRow stretch) {
  return read_written([&stretch](trace::TraceWriter& trace) {
    trace.insert(stretch);
    trace.insert(kernel(5, 15));
    trace.insert(kernel(20, 25));
    trace.insert(kernel(35, 60));
  });
}

// interval      10|---------------------|40
// recorded  5[aaaaaaa]15 20[bbb]25  35[ccccccc]60
TEST_CASE("ops are cut at the borders of the captured stretch") {
  const Trace trace = captured({10, 40, "delay", "duration"});
  REQUIRE(trace.devices.size() == 1);
  const Ops& ops = trace.devices[0].ops;
  REQUIRE(ops.start == std::vector<std::int64_t>{10, 20, 35});
  REQUIRE(ops.end == std::vector<std::int64_t>{15, 25, 40});
}

TEST_CASE("a stretch that lasted to the end of the recording has no border there") {
  const Trace trace = captured({10, std::nullopt, "delay", std::nullopt});
  REQUIRE(trace.devices[0].ops.end.back() == 60);
  REQUIRE(trace.devices[0].ops.start.front() == 10);
}

TEST_CASE("an op that only touches the stretch has no length") {
  const Trace trace = captured({15, 40, "delay", "duration"});
  REQUIRE(trace.devices[0].ops.interval(0) == Interval{15, 15});
}

}  // namespace

}  // namespace lapscope::analyzer
