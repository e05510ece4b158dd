#include "reports/words/findings.h"
#include "tests/catch.h"
#include "tests/readers/nsys/exported.h"

// Records of the host other than CUDA calls: calls of the operating system and of MPI, times in
// which a thread does not run, and samples.
namespace lapscope::analyzer {
namespace {

using test::ExportFile;
using test::ms;
using Kind = HostState::Kind;

// Writes two kernels, 10 ms apart, and no other CUDA call:
//
//   thread 1  [launch]                    [launch]
//   device            AAAA                        BBBB
//   ms        0        1  2               12       13
void write_two_kernels(ExportFile& file) {
  const auto launch = [&file](std::int64_t at) {
    file.kernel("k", at + ms, at + 2 * ms, file.call("cudaLaunchKernel_v7000", at, at + ms / 100));
  };
  launch(0);
  launch(12 * ms);
}

constexpr const char* tables =
    "CREATE TABLE OSRT_API (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,"
    "  nameId INTEGER, returnValue INTEGER, nestingLevel INTEGER, callchainId INTEGER);"
    "CREATE TABLE SCHED_EVENTS (start INTEGER, cpu INTEGER, isSchedIn INTEGER, globalTid INTEGER);"
    "CREATE TABLE COMPOSITE_EVENTS (id INTEGER PRIMARY KEY, start INTEGER, cpu INTEGER,"
    "  threadState INTEGER, globalTid INTEGER, cpuCycles INTEGER);"
    "CREATE TABLE SAMPLING_CALLCHAINS (id INTEGER, symbol INTEGER, module INTEGER,"
    "  unresolved INTEGER, originalIP INTEGER, stackDepth INTEGER, PRIMARY KEY (id, stackDepth));"
    "CREATE TABLE MPI_COLLECTIVES_EVENTS (start INTEGER, end INTEGER, globalTid INTEGER,"
    "  textId INTEGER, commHandle INTEGER, rootRank INTEGER, size INTEGER);"
    "INSERT INTO StringIds VALUES (900, 'poll'), (901, 'read'), (902, 'sort'),"
    "  (903, '0xffff'), (904, 'main'), (905, 'MPI_Barrier'), (906, 'pthread_mutex_lock');";

// Replaces each @ in the statement by the id of the thread that calls CUDA.
std::string of_thread(std::string statement) {
  for (auto at = statement.find('@'); at != std::string::npos; at = statement.find('@')) {
    statement.replace(at, 1, "(SELECT globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME LIMIT 1)");
  }
  return statement;
}

Trace read(const std::string& rows) {
  return test::read_export(test::NsysRelease::r2026, [&rows](ExportFile& file) {
    write_two_kernels(file);
    file.sql(tables + of_thread(rows));
  });
}

std::string host_advice(const Trace& trace) {
  const CausesResult causes = test::causes_of(trace);
  const Advice* advice = test::advice_of(causes, "host-time");
  return advice == nullptr ? "" : reports::sentences_of(*advice, causes);
}

TEST_CASE("calls of the operating system are read, of threads that call CUDA, outermost ones") {
  const Trace trace = read(
      "INSERT INTO OSRT_API VALUES (3000000, 8000000, 31, @, 900, 0, 0, 0),"
      "  (3100000, 3200000, 31, @, 901, 0, 1, 0), (1, 2, 31, 4711, 901, 0, 0, 0),"
      "  (9000000, 8000000, 31, @, 901, 0, 0, 0);");
  REQUIRE(trace.host_states.size() == 1);
  REQUIRE(trace.host_states[0].size() == 1);
  CHECK(trace.host_states[0][0].kind == Kind::os_call);
  CHECK(trace.names.text(trace.host_states[0][0].name) == "poll");
  CHECK(trace.host_states[0][0].interval == Interval{3 * ms, 8 * ms});
}

// The GPU waits for 11 ms. The thread is off its processor for 1 ms in `poll`, and later for 1 ms
// outside of calls.
//
//   thread 1           ..[poll 5 ms].[barrier 2 ms]......
//   off the processor       ##                       ##
TEST_CASE("the host time for which the GPU waited is listed by function") {
  const std::string text = host_advice(
      read("INSERT INTO OSRT_API VALUES (2000000, 7000000, 31, @, 900, 0, 0, 0);"
           "INSERT INTO MPI_COLLECTIVES_EVENTS VALUES (8000000, 10000000, @, 905, 0, 0, 0);"
           "INSERT INTO SCHED_EVENTS VALUES (4000000, 0, 0, @), (5000000, 0, 1, @),"
           "  (10500000, 0, 0, @), (11500000, 0, 1, @);"));
  CHECK(text ==
        "For 85 % of the time the GPU waits for what the host does between its CUDA calls. Of "
        "that the host is 45 % in poll, 18 % in MPI_Barrier, 9 % off the processor.");
}

TEST_CASE("a lock is told as one") {
  const std::string text =
      host_advice(read("INSERT INTO OSRT_API VALUES (2000000, 11000000, 31, @, 906, 0, 0, 0);"));
  CHECK(text.find("82 % in pthread_mutex_lock (a lock that another thread holds)") !=
        std::string::npos);
}

TEST_CASE("samples name the innermost function that has a name") {
  const std::string text = host_advice(
      read("INSERT INTO COMPOSITE_EVENTS VALUES (1, 3000000, 0, 1, @, 9), (2, 6000000, 0, 1, @, 9),"
           "  (3, 9000000, 0, 1, @, 9), (4, 13500000, 0, 1, @, 9), (5, 4000000, 0, 1, 4711, 9);"
           "INSERT INTO SAMPLING_CALLCHAINS VALUES (1, 902, 0, 0, 1, 0), (1, 904, 0, 0, 1, 1),"
           "  (2, 903, 0, 1, 1, 0), (2, 902, 0, 0, 1, 1), (3, 904, 0, 0, 1, 0),"
           "  (4, 904, 0, 0, 1, 0), (5, 904, 0, 0, 1, 0);"));
  CHECK(text.find("Of 3 samples of the processor taken then, 67 % in sort, 33 % in main.") !=
        std::string::npos);
}

TEST_CASE("without such records nothing is said of the host's time") {
  CHECK(host_advice(read("")).empty());
}

}  // namespace
}  // namespace lapscope::analyzer
