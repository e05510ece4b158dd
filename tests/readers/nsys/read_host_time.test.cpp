#include <map>

#include "tests/catch.h"
#include "tests/readers/host_parts.h"
#include "tests/readers/nsys/exported.h"

// What a thread does between its CUDA calls, in synthetic exports.
namespace lapscope::analyzer {
namespace {

using test::ExportFile;
using test::host_time;
using test::ms;
using test::parts_of;
using Lines = std::vector<std::string>;

constexpr std::int64_t calls = 11;

// Writes a launch of 1 ms every 10 ms, and so ten intervals of 9 ms between calls.
void write_loop(ExportFile& file) {
  for (std::int64_t i = 0; i < calls; ++i) {
    const std::int64_t at = i * 10 * ms;
    file.kernel("k", at + ms, at + 2 * ms, file.call("cudaLaunchKernel_v7000", at, at + ms));
  }
}

constexpr const char* host_tables =
    "CREATE TABLE OSRT_API (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,"
    "  nameId INTEGER, returnValue INTEGER, nestingLevel INTEGER, callchainId INTEGER);"
    "CREATE TABLE OSRT_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER,"
    "  unresolved INTEGER, originalIP INTEGER, stackDepth INTEGER, PRIMARY KEY (id, stackDepth));"
    "CREATE TABLE SCHED_EVENTS (start INTEGER, cpu INTEGER, isSchedIn INTEGER, globalTid INTEGER,"
    "  threadState INTEGER, threadBlock INTEGER);"
    "CREATE TABLE COMPOSITE_EVENTS (id INTEGER PRIMARY KEY, start INTEGER, cpu INTEGER,"
    "  threadState INTEGER, globalTid INTEGER, cpuCycles INTEGER);"
    "CREATE TABLE SAMPLING_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER,"
    "  unresolved INTEGER, specialEntry INTEGER, originalIP INTEGER, stackDepth INTEGER,"
    "  PRIMARY KEY (id, stackDepth));"
    "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT,"
    "  textId INTEGER, domainId INTEGER, globalTid INTEGER);"
    "CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER,"
    "  textId INTEGER, commHandle INTEGER, rootRank INTEGER, size INTEGER);"
    "INSERT INTO StringIds VALUES (900, 'poll'), (901, 'read'), (902, 'sort'), (903, 'parse'),"
    "  (904, 'main'), (905, 'MPI_Barrier'), (906, 'pthread_mutex_lock'), (907, '/home/a/app'),"
    "  (908, '0x7f0012'), (909, '/usr/lib/libz.so'), (910, '[Broken backtraces]'),"
    "  (911, 'Waiting for GIL'), (912, 'mmap');";

// Collects rows for the thread that calls CUDA. They must be added in the order of time.
class Rows {
 public:
  // Adds a sample. `symbols` has the ids of its frames, innermost first.
  Rows& sample(std::int64_t at, std::initializer_list<int> symbols, int cycles = 1) {
    const std::string id = std::to_string(++samples_);
    sql_ += "INSERT INTO COMPOSITE_EVENTS VALUES (" + id + ", " + std::to_string(at) +
            ", 0, 1, @, " + std::to_string(cycles) + ");";
    int depth = 0;
    for (const int symbol : symbols) {
      sql_ += "INSERT INTO SAMPLING_CALLCHAINS VALUES (" + id + ", " + std::to_string(symbol) +
              ", 907, NULL, NULL, 1, " + std::to_string(depth++) + ");";
    }
    return *this;
  }
  Rows& call(int name, std::int64_t start, std::int64_t end, int nesting = 0, int chain = 0) {
    sql_ += "INSERT INTO OSRT_API VALUES (" + std::to_string(start) + ", " + std::to_string(end) +
            ", 31, @, " + std::to_string(name) + ", 0, " + std::to_string(nesting) + ", " +
            std::to_string(chain) + ");";
    return *this;
  }
  Rows& scheduled(std::int64_t at, bool is_in, const char* state = "0") {
    sql_ += "INSERT INTO SCHED_EVENTS VALUES (" + std::to_string(at) + ", 0, " +
            (is_in ? "1" : "0") + ", @, " + state + ", NULL);";
    return *this;
  }
  Rows& sql(const std::string& text) {
    sql_ += text;
    return *this;
  }

  Trace read() const {
    return test::read_export(test::NsysRelease::r2026, [this](ExportFile& file) {
      write_loop(file);
      file.sql(host_tables);
      std::string statements = sql_;
      for (auto at = statements.find('@'); at != std::string::npos; at = statements.find('@')) {
        statements.replace(at, 1, "(SELECT globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME LIMIT 1)");
      }
      file.sql("BEGIN;" + statements + "COMMIT;");
    });
  }

 private:
  std::string sql_;
  std::int64_t samples_ = 0;
};

// Makes a sample every 100 us, so 100 samples in 10 ms: 10 in the call, 63 in sort and 27 in parse.
Rows two_functions() {
  Rows rows;
  for (std::int64_t i = 0; i < calls - 1; ++i) {
    for (std::int64_t k = 0; k < 100; ++k) {
      rows.sample(i * 10 * ms + k * 100'000 + 50'000, {k < 73 ? 902 : 903, 904});
    }
  }
  return rows;
}

TEST_CASE("samples divide the time between calls by function") {
  const Trace trace = two_functions().read();
  CHECK(trace.host_samples.interval_ns == 100'000);
  CHECK(parts_of(trace) == Lines{"sort user running 63000", "parse user running 27000"});
  const auto time = host_time(trace);
  CHECK(time->samples == 900);
  CHECK(time->recorded_ns == 0);
  CHECK(time->parts[0].share.least_ns < 63 * ms);
  REQUIRE_FALSE(trace.host_samples.stacks.empty());
  CHECK(trace.names.text(trace.host_samples.stacks.chain(0)[0].module) == "/home/a/app");
}

TEST_CASE("a frame without a name keeps its module, and one that is no frame is left out") {
  const Trace trace =
      Rows()
          .sample(2 * ms, {902, 910})
          .sql("INSERT INTO SAMPLING_CALLCHAINS VALUES (1, 908, 909, 1, NULL, 1, 7);")
          .read();
  const auto chain = trace.host_samples.stacks.chain(trace.host_samples.chain.at(0));
  REQUIRE(chain.size() == 2);
  CHECK(trace.names.text(chain[0].function) == "sort");
  CHECK(chain[1].function == 0);
  CHECK(trace.names.text(chain[1].module) == "/usr/lib/libz.so");
}

// Each of the ten intervals of 9 ms has a call of 5.4 ms that takes a lock. All samples outside of
// these calls are in the function `sort`.
TEST_CASE("a call of the operating system counts with its length, and samples in it do not") {
  Rows rows;
  for (std::int64_t i = 0; i < calls - 1; ++i) {
    const std::int64_t at = i * 10 * ms + ms;
    rows.call(906, at + 1'800'000, at + 7'200'000).call(912, at + 2 * ms, at + 3 * ms, 1);
    rows.sample(at + 4 * ms, {903, 904});
    for (std::int64_t k = 0; k < 100; ++k) {
      const bool is_in_lock = k >= 20 && k < 80;
      if (!is_in_lock) rows.sample(at + k * 90'000 + 45'000, {902, 904});
    }
    rows.scheduled(at + 2 * ms, false).scheduled(at + 7 * ms, true);
  }
  const Trace trace = rows.read();
  CHECK(parts_of(trace) == Lines{"pthread_mutex_lock lock lock 54000", "sort user running 36000"});
  CHECK(host_time(trace)->recorded_ns == 54 * ms);
}

TEST_CASE("a read is input and output, at the function that reads where its stack was recorded") {
  Rows rows;
  rows.sql(
      "INSERT INTO OSRT_CALLCHAINS VALUES (1, 901, 909, NULL, 1, 0), (1, 903, 907, NULL, 1, 1),"
      "  (1, 904, 907, NULL, 1, 2);");
  rows.call(901, 2 * ms, 5 * ms, 0, 1).call(901, 12 * ms, 16 * ms);
  CHECK(parts_of(rows.read()) == Lines{"? unknown unknown 83000",
                                       "read logging_and_io reading 4000",
                                       "parse<read logging_and_io reading 3000"});
}

// In each of the ten intervals, the thread is on a processor for 3 of 9 ms, with two samples.
TEST_CASE("samples count only for the time on a processor, if that is recorded") {
  Rows rows;
  for (std::int64_t i = 0; i < calls - 1; ++i) {
    const std::int64_t at = i * 10 * ms + ms;
    rows.sample(at + ms, {902, 904}).sample(at + 2 * ms, {902, 904});
    rows.scheduled(at + 3 * ms, false).scheduled(at + 9 * ms, true);
  }
  CHECK(parts_of(rows.read()) == Lines{"? unknown off_processor 60000", "sort user running 30000"});
}

TEST_CASE("what it waited for off its processor is told by some releases") {
  Rows rows;
  rows.sample(2 * ms, {902}).sample(3 * ms, {902});
  rows.scheduled(4 * ms, false, "3").scheduled(6 * ms, true);
  rows.scheduled(7 * ms, false, "1").scheduled(8 * ms, true, "2");
  std::map<ThreadState, Ns> ns;
  const auto time = host_time(rows.read());
  for (const HostPart& part : time->parts) {
    if (part.function.empty()) ns[part.state] += part.share.ns;
  }
  CHECK(ns == std::map<ThreadState, Ns>{{ThreadState::uninterruptible, 2 * ms},
                                        {ThreadState::running, ms}});
}

// Each interval of 9 ms has samples during 2 ms, every 100 us. The 100 us before the first sample
// and the 100 us after the last sample count as known, too. All other time is unknown.
TEST_CASE("if the scheduler is not recorded, time far from all samples is unknown") {
  Rows rows;
  for (std::int64_t i = 0; i < calls - 1; ++i) {
    for (std::int64_t k = 0; k <= 20; ++k) {
      rows.sample(i * 10 * ms + 4 * ms + k * 100'000, {902, 904});
    }
  }
  CHECK(parts_of(rows.read()) == Lines{"? unknown unknown 68000", "sort user running 22000"});
}

TEST_CASE("for a thread without samples, records of the scheduler tell when it ran") {
  Rows rows;
  rows.scheduled(0, true).scheduled(3 * ms, false).scheduled(5 * ms, true).scheduled(8 * ms, false);
  CHECK(parts_of(rows.read()) ==
        Lines{"? unknown unknown 83000", "? unknown running 5000", "? unknown off_processor 2000"});
}

TEST_CASE("what is recorded when the scheduler switches is no sample of the processor") {
  CHECK(Rows().sample(2 * ms, {902}, 0).read().host_samples.size() == 0);
  CHECK(Rows().sample(2 * ms, {902}, 4'000'000).read().host_samples.size() == 1);
}

TEST_CASE("waiting for Python's lock, and MPI, are more than the calls that they are made of") {
  Rows rows;
  rows.sql(
      "INSERT INTO NVTX_EVENTS (start, end, eventType, textId, domainId, globalTid) VALUES"
      "  (2000000, 4000000, 59, 911, 3, @);");
  rows.sql("INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (6000000, 9000000, @, 905, 0, 0, 0);");
  rows.call(900, 3 * ms, 5 * ms).call(900, 7 * ms, 8 * ms);
  CHECK(parts_of(rows.read()) == Lines{"? unknown unknown 84000", "MPI_Barrier other unknown 3000",
                                       "? lock interpreter_lock 2000",
                                       "poll unknown polling 1000"});
}

TEST_CASE("an export without such records says nothing of the host's time") {
  CHECK_FALSE(host_time(Rows().read()).has_value());
}

TEST_CASE("a finding names what was sampled") {
  const CausesResult causes = test::causes_of(two_functions().read());
  REQUIRE_FALSE(causes.findings.empty());
  const FindingResult& finding = causes.findings.front();
  CHECK(finding.code == "host-compute");
  REQUIRE(finding.host_work.has_value());
  CHECK(finding.host_work->about().kind == HostKind::user);
  CHECK(finding.host_work->functions.front().function == "sort");
}

TEST_CASE("parts sum to the time between calls whatever overlaps") {
  Rows rows = two_functions();
  for (std::int64_t i = 0; i < 40; ++i) {
    const std::int64_t at = (i * 7919) % 100 * ms;
    rows.call(i % 2 == 0 ? 900 : 906, at, at + (i % 5) * ms / 2);
    rows.scheduled(at + i, i % 3 == 0);
  }
  host_time(rows.read());
}

}  // namespace
}  // namespace lapscope::analyzer
