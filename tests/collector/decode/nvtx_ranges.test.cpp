#include "collector/decode/nvtx_ranges.h"
#include "tests/catch.h"
#include "tests/collector/support/synthetic_trace.h"

namespace lapscope::decode {
namespace {

using nvtx::EarlyRanges;
using schema::NvtxRow;
using test::cupti_time;
using test::MarkerRecord;
using test::SyntheticTrace;

schema::NvtxRow range(std::int64_t id, std::int64_t start) {
  schema::NvtxRow row;
  row.rangeId = id;
  row.start = start;
  row.globalTid = 7;
  return row;
}

// Writes the open ranges under rowid 41. Returns their number.
int written_open(NvtxRanges& ranges) {
  int count = 0;
  ranges.write_open([&count](const schema::NvtxRow& row) -> std::int64_t {
    CHECK_FALSE(row.end.has_value());
    ++count;
    return 41;
  });
  return count;
}

TEST_CASE("a range is whole once both ends are known in either order", "[decode]") {
  NvtxRanges ranges;
  CHECK_FALSE(ranges.start(range(1, 100)).has_value());
  CHECK_FALSE(ranges.end(2, {400, 7}).has_value());
  const auto second = ranges.start(range(2, 300));
  const auto first = ranges.end(1, {200, 7});
  REQUIRE(first.has_value());
  REQUIRE(second.has_value());
  CHECK(first->row.start == 100);
  CHECK(first->row.end == 200);
  CHECK(second->row.start == 300);
  CHECK(second->row.end == 400);
  CHECK(written_open(ranges) == 0);
  CHECK(ranges.unmatched_ends() == 0);
}

TEST_CASE("an id can be used again after its range has ended", "[decode]") {
  NvtxRanges ranges;
  ranges.start(range(1, 100));
  ranges.end(1, {200, 7});
  CHECK_FALSE(ranges.start(range(1, 300)).has_value());
  CHECK(ranges.end(1, {400, 7})->row.start == 300);
}

TEST_CASE("an open range is written once, and its end tells where", "[decode]") {
  NvtxRanges ranges;
  ranges.start(range(1, 100));
  CHECK(written_open(ranges) == 1);
  CHECK(written_open(ranges) == 0);
  const auto closed = ranges.end(1, {200, 7});
  REQUIRE(closed.has_value());
  CHECK(closed->written_open == 41);
  CHECK(closed->row.end == 200);
}

TEST_CASE("ends without a beginning are counted", "[decode]") {
  NvtxRanges ranges;
  CHECK_FALSE(ranges.end(9, {200, 7}).has_value());
  CHECK(ranges.unmatched_ends() == 1);
}

TEST_CASE("domains are numbered from 1 and the unnamed one is 0", "[decode]") {
  NvtxRanges ranges;
  bool is_new = true;
  CHECK(ranges.domain("", is_new) == 0);
  CHECK_FALSE(is_new);
  CHECK(ranges.domain("a", is_new) == 1);
  CHECK(is_new);
  CHECK(ranges.domain("b", is_new) == 2);
  CHECK(is_new);
  CHECK(ranges.domain("a", is_new) == 1);
  CHECK_FALSE(is_new);
}

TEST_CASE("a payload is of what its thread began while it told CUPTI, and is given once",
          "[decode]") {
  PayloadTexts texts;
  texts.add(1, 100, 110, "first");
  texts.add(1, 200, 210, "second");
  texts.add(2, 100, 110, "of another");
  CHECK(texts.take(1, 99).empty());
  CHECK(texts.take(1, 111).empty());
  CHECK(texts.take(3, 105).empty());
  CHECK(texts.take(1, 210) == "second");
  CHECK(texts.take(1, 100) == "first");
  CHECK(texts.take(1, 105).empty());
  CHECK(texts.unused() == 1);
  CHECK(texts.take(2, 105) == "of another");
  CHECK(texts.unused() == 0);
}

TEST_CASE("where two calls of a thread were open, no payload is anybody's", "[decode]") {
  PayloadTexts texts;
  texts.add(1, 120, 130, "of the handler of a signal");
  texts.add(1, 100, 200, "interrupted");
  CHECK(texts.take(1, 125).empty());
  CHECK(texts.unused() == 2);
}

TEST_CASE("of payloads that nothing asks for, the oldest are dropped and counted", "[decode]") {
  PayloadTexts texts;
  const auto most = static_cast<std::int64_t>(PayloadTexts::most);
  for (std::int64_t i = 0; i < most + 2; ++i) texts.add(1, 10 * i, 10 * i + 5, "text");
  CHECK(texts.unused() == most + 2);
  CHECK(texts.take(1, 11).empty());
  CHECK(texts.take(1, 21) == "text");
  CHECK(texts.unused() == most + 1);
}

constexpr std::int64_t mark = 34;       // ENUM_NSYS_EVENT_TYPE
constexpr std::int64_t push_pop = 59;   // ENUM_NSYS_EVENT_TYPE
constexpr std::int64_t start_end = 60;  // ENUM_NSYS_EVENT_TYPE
constexpr std::int64_t domain = 75;     // ENUM_NSYS_EVENT_TYPE

MarkerRecord marker(CUpti_ActivityFlag flags, std::uint32_t id, std::int64_t time,
                    const char* name = nullptr, std::uint32_t thread = 4713) {
  auto record = test::make_record<MarkerRecord>(CUPTI_ACTIVITY_KIND_MARKER);
  record.flags = flags;
  record.timestamp = cupti_time(time);
  record.id = id;
  record.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
  record.objectId.pt.processId = test::pid;
  record.objectId.pt.threadId = thread;
  record.name = name;
  return record;
}

MarkerRecord begin(std::uint32_t id, std::int64_t time, const char* name) {
  return marker(CUPTI_ACTIVITY_FLAG_MARKER_START, id, time, name);
}

MarkerRecord end(std::uint32_t id, std::int64_t time, std::uint32_t thread = 4713) {
  return marker(CUPTI_ACTIVITY_FLAG_MARKER_END, id, time, nullptr, thread);
}

TEST_CASE("the two records of a range are one row", "[decode]") {
  SyntheticTrace trace;
  trace.decode(begin(1, 100, "step"));
  CHECK(trace.rows<NvtxRow>().empty());
  trace.decode(end(1, 300));
  const auto row = trace.row<NvtxRow>();
  CHECK(row.start == 100);
  CHECK(row.end == 300);
  CHECK(row.eventType == push_pop);
  CHECK(row.rangeId == 1);
  CHECK(trace.text(row.textId) == "step");
  CHECK(row.globalTid == schema::global_tid(test::pid, 4713));
  CHECK_FALSE(row.endGlobalTid.has_value());
  CHECK(row.domainId == 0);
  CHECK_FALSE(row.text.has_value());
}

TEST_CASE("nested ranges are paired by their ids", "[decode]") {
  SyntheticTrace trace;
  trace.decode(begin(1, 100, "outer"), begin(2, 150, "inner"), end(2, 200), end(1, 300));
  const auto rows = trace.rows<NvtxRow>();
  REQUIRE(rows.size() == 2);
  CHECK(trace.text(rows[0].textId) == "inner");
  CHECK(rows[0].end == 200);
  CHECK(trace.text(rows[1].textId) == "outer");
  CHECK(rows[1].end == 300);
}

TEST_CASE("an end that arrives before its start is paired too", "[decode]") {
  SyntheticTrace trace;
  trace.decode(end(1, 300));
  CHECK(trace.rows<NvtxRow>().empty());
  trace.decode(begin(1, 100, "step"));
  CHECK(trace.row<NvtxRow>().start == 100);
  CHECK(trace.row<NvtxRow>().end == 300);
  trace.decoder().finish();
  CHECK(trace.rows<NvtxRow>().size() == 1);
}

TEST_CASE("a range that another thread ends names both threads", "[decode]") {
  SyntheticTrace trace;
  trace.decode(begin(1, 100, "request"), end(1, 300, 4800));
  const auto row = trace.row<NvtxRow>();
  CHECK(row.eventType == start_end);
  CHECK(row.globalTid == schema::global_tid(test::pid, 4713));
  CHECK(row.endGlobalTid == schema::global_tid(test::pid, 4800));
}

TEST_CASE("a mark has no end", "[decode]") {
  SyntheticTrace trace;
  trace.decode(marker(CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS, 1, 100, "here"));
  const auto row = trace.row<NvtxRow>();
  CHECK(row.start == 100);
  CHECK_FALSE(row.end.has_value());
  CHECK(row.eventType == mark);
  CHECK(trace.text(row.textId) == "here");
}

TEST_CASE("a domain is introduced once by its name", "[decode]") {
  SyntheticTrace trace;
  MarkerRecord first = begin(1, 100, "a");
  first.domain = "NCCL";
  MarkerRecord second = begin(2, 110, "b");
  second.domain = "NCCL";
  MarkerRecord other = begin(3, 120, "c");
  other.domain = "torch";
  MarkerRecord unnamed = begin(4, 130, "d");
  unnamed.domain = "";
  trace.decode(first, end(1, 200), second, end(2, 200), other, end(3, 200), unnamed, end(4, 200));
  std::vector<std::int64_t> domains;
  for (const NvtxRow& row : trace.rows<NvtxRow>()) {
    if (row.eventType != domain) domains.push_back(row.domainId.value_or(-1));
  }
  CHECK(domains == std::vector<std::int64_t>{1, 1, 2, 0});
  CHECK(trace.database().query_text("SELECT group_concat(domainId || text) FROM NVTX_EVENTS WHERE "
                                    "eventType = 75") == "1NCCL,2torch");
}

TEST_CASE("a range that never ended is written at the end without one", "[decode]") {
  SyntheticTrace trace;
  trace.decode(begin(1, 100, "for ever"), begin(2, 110, "done"), end(2, 120));
  trace.decoder().write_counts();
  const auto rows = trace.rows<NvtxRow>();
  REQUIRE(rows.size() == 2);
  CHECK(trace.text(rows[1].textId) == "for ever");
  CHECK(rows[1].start == 100);
  CHECK_FALSE(rows[1].end.has_value());
  CHECK(rows[1].eventType == push_pop);
}

TEST_CASE("a range that was written while it was open is there once when it has ended",
          "[decode]") {
  SyntheticTrace trace;
  trace.decode(begin(1, 100, "long"));
  trace.decoder().write_counts();
  CHECK_FALSE(trace.row<NvtxRow>().end.has_value());
  trace.decode(end(1, 900));
  trace.decoder().write_counts();
  CHECK(trace.row<NvtxRow>().end == 900);
}

TEST_CASE("a range without a name has an empty one", "[decode]") {
  SyntheticTrace trace;
  trace.decode(begin(1, 100, nullptr), end(1, 200));
  CHECK(trace.text(trace.row<NvtxRow>().textId).empty());
}

TEST_CASE("a marker whose instant was lost is kept and counted", "[decode]") {
  SyntheticTrace trace;
  MarkerRecord lost = begin(1, 100, "step");
  lost.timestamp = 0;
  trace.decode(lost, end(1, 300));
  CHECK(trace.row<NvtxRow>().start == -1);
  CHECK(trace.row<NvtxRow>().end == 300);
  CHECK(trace.counts(CUPTI_ACTIVITY_KIND_MARKER).invalidTimestamps == 1);
}

std::vector<EarlyRanges::Range> two_early_ranges() {
  return {{-1, cupti_time(0), 4713, "", "program"}, {-2, cupti_time(50), 4714, "loader", "batch"}};
}

//   NVTX   |--- program -----------|
//             |-- batch --|
//   CUDA          |cuInit
TEST_CASE("a range that was open when the recording began is a row like any other", "[decode]") {
  SyntheticTrace trace;
  trace.decoder().open_early(two_early_ranges());
  const std::vector<callbacks::Event> ends{callbacks::EarlyRangeEnd{cupti_time(700), 4713, -2},
                                           callbacks::EarlyRangeEnd{cupti_time(900), 4713, -1}};
  trace.decoder().decode(ends);
  const auto rows = trace.rows<NvtxRow>();
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].eventType == domain);
  CHECK(rows[0].text == "loader");
  CHECK(trace.text(rows[1].textId) == "batch");
  CHECK(rows[1].start == 50);
  CHECK(rows[1].end == 700);
  CHECK(rows[1].eventType == start_end);
  CHECK(rows[1].endGlobalTid == schema::global_tid(test::pid, 4713));
  CHECK(rows[1].domainId == rows[0].domainId);
  CHECK(trace.text(rows[2].textId) == "program");
  CHECK(rows[2].start == 0);
  CHECK(rows[2].end == 900);
  CHECK(rows[2].eventType == push_pop);
}

TEST_CASE("the end that CUPTI delivers of an early range is not missed", "[decode]") {
  SyntheticTrace trace;
  trace.decoder().open_early(two_early_ranges());
  const std::vector<callbacks::Event> ends{callbacks::EarlyRangeEnd{cupti_time(700), 4714, -2}};
  trace.decoder().decode(ends);
  trace.decode(end(17, 700));
  trace.decoder().finish();
  CHECK(trace.loss("unmatched-range-ends").count == 0);
}

TEST_CASE("an early range that never ends is written open", "[decode]") {
  SyntheticTrace trace;
  trace.decoder().open_early(std::vector<EarlyRanges::Range>{two_early_ranges()[0]});
  trace.decoder().write_counts();
  const auto row = trace.row<NvtxRow>();
  CHECK(row.start == 0);
  CHECK_FALSE(row.end.has_value());
}

TEST_CASE("an early range can be what is captured", "[decode]") {
  request::Capture capture;
  capture.trigger = request::Capture::Trigger::nvtx;
  capture.range = "batch";
  SyntheticTrace trace(capture);
  trace.decoder().open_early(two_early_ranges());
  const std::vector<callbacks::Event> ends{callbacks::EarlyRangeEnd{cupti_time(700), 4714, -2}};
  trace.decoder().decode(ends);
  trace.decoder().write_counts();
  const auto row = trace.row<schema::StretchRow>();
  CHECK(row.start == 50);
  CHECK(row.end == 700);
  CHECK(row.endedBy == "NVTX range batch");
}

//   captured                    |-------------------|
//   ranges      |-a-|   m   |---b---|   |-c-|           |-d-     m: a mark; d: no end
TEST_CASE("records of ranges outside the captured stretch are counted as outside", "[decode]") {
  request::Capture capture;
  capture.trigger = request::Capture::Trigger::command;
  SyntheticTrace trace(capture);
  trace.decoder().begin_stretch(500);
  trace.decode(begin(1, 100, "a"));
  trace.decode(end(1, 200));
  trace.decode(begin(2, 400, "b"));
  trace.decode(end(2, 600));
  trace.decode(begin(3, 700, "c"));
  trace.decode(end(3, 800));
  trace.decode(marker(CUPTI_ACTIVITY_FLAG_MARKER_INSTANTANEOUS, 4, 300, "mark"));
  trace.decoder().end_stretch(1'000, "lapscope ctl");
  trace.decode(begin(5, 1'100, "d"));
  for (int i = 0; i < 2; ++i) trace.decoder().write_counts();
  CHECK(trace.rows<NvtxRow>().size() == 2);
  for (const auto& row : trace.rows<schema::RecordsRow>()) {
    if (row.name != "MARKER") continue;
    CHECK(row.received == 4);
    CHECK(row.outside == 4);
  }
}

}  // namespace

}  // namespace lapscope::decode
