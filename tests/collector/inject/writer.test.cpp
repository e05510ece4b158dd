#include "collector/inject/writer.h"

#include <atomic>

#include "tests/catch.h"
#include "tests/collector/support/child.h"
#include "tests/collector/support/rows.h"

namespace lapscope::inject {
namespace {

using test::TemporaryFolder;
using Clock = std::chrono::steady_clock;

// A fake libcupti without records. Its flush can hang, like the real one.
std::atomic<bool> flush_hangs{false};
std::atomic<int> flushes{0};

CUptiResult flush(std::uint32_t) {
  ++flushes;
  while (flush_hangs) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return CUPTI_SUCCESS;
}
CUptiResult no_record(std::uint8_t*, std::size_t, CUpti_Activity**) {
  return CUPTI_ERROR_MAX_LIMIT_REACHED;
}
std::atomic<std::size_t> dropped_records{0};
CUptiResult take_dropped(CUcontext, std::uint32_t, std::size_t* dropped) {
  *dropped = dropped_records.exchange(0);
  return CUPTI_SUCCESS;
}

cupti::CuptiApi idle_cupti() {
  flushes = 0;
  cupti::CuptiApi api;
  api.activity_flush_all = flush;
  api.activity_get_next_record = no_record;
  api.activity_get_num_dropped_records = take_dropped;
  return api;
}

Options options_for(const TemporaryFolder& folder) {
  Options options;
  options.output = folder / "t.sqlite";
  options.session = "0123";
  options.flush_period = std::chrono::milliseconds(5);
  return options;
}

void start(Writer& writer, const cupti::CuptiApi* cupti, const TracingStart& tracing = {}) {
  writer.start();
  writer.arm(cupti, tracing);
}

// The period is 200 ms. In the worst case, a record is made just after the begin of a flush:
//
//   flushes     |#|     |#|     |########|
//   a record            ^ made           ^ committed, at most 200 ms later
TEST_CASE(
    "a record is committed within a period, even if the next flush takes half a period longer",
    "[inject]") {
  using std::chrono::milliseconds;
  constexpr milliseconds period(200);
  CHECK(wait_between_flushes(period, milliseconds(0)) == period / 2);
  for (int took = 0; took <= 300; ++took) {
    INFO(took);
    const auto wait = wait_between_flushes(period, milliseconds(took));
    CHECK(wait >= period / 4);
    CHECK(wait <= period / 2);
    if (took <= 50) CHECK(wait + milliseconds(took) + period / 2 <= period);
  }
}

TEST_CASE("a program whose activities fill no buffer is flushed but leaves no file", "[inject]") {
  const TemporaryFolder folder;
  const cupti::CuptiApi api = idle_cupti();
  BufferPool pool;
  pool.acquire(true);
  Writer writer(options_for(folder), pool);
  start(writer, &api);
  CHECK(test::eventually([] { return flushes > 3; }));
  writer.stop(std::chrono::seconds(5));
  CHECK(folder.names().empty());
}

TEST_CASE("CUPTI is not flushed before it has asked for a buffer", "[inject]") {
  const TemporaryFolder folder;
  const cupti::CuptiApi api = idle_cupti();
  BufferPool pool;
  Writer writer(options_for(folder), pool);
  start(writer, &api);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  writer.stop(std::chrono::seconds(5));
  CHECK(flushes == 0);
}

TEST_CASE("stopping takes no longer than what is left to do", "[inject]") {
  const TemporaryFolder folder;
  const cupti::CuptiApi api = idle_cupti();
  BufferPool pool;
  Options options = options_for(folder);
  options.flush_period = std::chrono::hours(1);
  Writer writer(options, pool);
  start(writer, &api);
  const auto begin = Clock::now();
  writer.stop(std::chrono::seconds(10));
  CHECK(Clock::now() - begin < std::chrono::seconds(5));
  writer.stop(std::chrono::seconds(10));  // a second call must work
}

TEST_CASE("a writer that was never armed stops at once and leaves no file", "[inject]") {
  const TemporaryFolder folder;
  BufferPool pool;
  Writer writer(options_for(folder), pool);
  writer.start();
  const auto begin = Clock::now();
  writer.stop(std::chrono::seconds(10));
  CHECK(Clock::now() - begin < std::chrono::seconds(5));
  CHECK(folder.names().empty());
}

TEST_CASE("stopping gives up on a flush that hangs", "[inject]") {
  const TemporaryFolder folder;
  static const cupti::CuptiApi api = idle_cupti();
  static BufferPool* const pool = new BufferPool;
  // Nobody destroys the writer, because the thread that hangs uses it.
  static Writer* const writer = new Writer(options_for(folder), *pool);
  pool->acquire(true);
  flush_hangs = true;
  start(*writer, &api);
  REQUIRE(test::eventually([] { return flushes > 0; }));
  const auto begin = Clock::now();
  writer->stop(std::chrono::milliseconds(50));
  CHECK(Clock::now() - begin < std::chrono::seconds(5));
  flush_hangs = false;
}

TEST_CASE("a problem is written down without libcupti", "[inject]") {
  const TemporaryFolder folder;
  BufferPool pool;
  Writer writer(options_for(folder), pool);
  TracingStart tracing;
  tracing.problem = "it rained";
  start(writer, nullptr, tracing);
  writer.stop(std::chrono::seconds(5));
  schema::Database database = schema::Database::immutable(folder / "t.sqlite");
  CHECK(database.query_text("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'problem'") ==
        "it rained");
  CHECK(database.query_text("SELECT value FROM LAPSCOPE_CAPTURE WHERE name = 'session'") == "0123");
  CHECK(folder.names() == std::vector<std::string>{"t.sqlite"});
}

TEST_CASE("a buffer without records is given back", "[inject]") {
  const TemporaryFolder folder;
  const cupti::CuptiApi api = idle_cupti();
  BufferPool pool;
  Writer writer(options_for(folder), pool);
  start(writer, &api);
  // The loop needs twice as many buffers as the pool has, so the writer must return buffers.
  for (std::size_t i = 0; i < 2 * BufferPool::prepared; ++i) {
    std::uint8_t* buffer = pool.acquire(true);
    REQUIRE(buffer);
    writer.push(buffer, 0);
  }
  writer.stop(std::chrono::seconds(5));
  CHECK(folder.names().empty());
}

// A writer of an armed process. It calls on() when a capture begins.
struct ArmedWriter {
  explicit ArmedWriter(std::function<void()> on = [] {}) {
    writer.start();
    writer.arm_for_captures(cupti,
                            {.on =
                                 [on = std::move(on)](const request::Request&) {
                                   on();
                                   return TracingStart{};
                                 },
                             .off = [] {}},
                            events);
  }
  ~ArmedWriter() { writer.stop(std::chrono::seconds(5)); }
  ArmedWriter(const ArmedWriter&) = delete;
  ArmedWriter& operator=(const ArmedWriter&) = delete;

  void capture() {
    writer.begin_capture({});
    writer.end_capture("test");
  }

  static Options armed(const TemporaryFolder& folder) {
    Options options = options_for(folder);
    options.request.capture.trigger = request::Capture::Trigger::command;
    return options;
  }

  const TemporaryFolder folder;
  const cupti::CuptiApi cupti = idle_cupti();
  BufferPool pool;
  callbacks::EventQueue events;
  Writer writer{armed(folder), pool};
};

TEST_CASE("what was lost before a capture is not a loss of the capture", "[inject]") {
  std::atomic<std::size_t> at_begin{1};
  ArmedWriter armed([&] { at_begin = dropped_records.load(); });
  dropped_records = 7;
  armed.capture();
  CHECK(at_begin == 0);
}

TEST_CASE("after a capture, the memory of buffers that it needed is given back", "[inject]") {
  ArmedWriter armed;
  std::vector<std::uint8_t*> buffers;
  while (buffers.size() <= BufferPool::prepared) buffers.push_back(armed.pool.acquire(true));
  for (std::uint8_t* buffer : buffers) armed.pool.release(buffer);
  *buffers.back() = 1;  // fresh pages are zero
  armed.capture();
  CHECK(*buffers.back() == 0);
}

TEST_CASE("an output that cannot be made is no crash", "[inject]") {
  const TemporaryFolder folder;
  BufferPool pool;
  Options options = options_for(folder);
  options.output = folder / "none/t.sqlite";
  Writer writer(options, pool);
  TracingStart tracing;
  tracing.problem = "it rained";
  start(writer, nullptr, tracing);
  writer.stop(std::chrono::seconds(5));
  CHECK(folder.names().empty());
}

}  // namespace
}  // namespace lapscope::inject
