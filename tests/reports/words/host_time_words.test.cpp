#include "reports/words/host_time_words.h"

#include "reports/words/findings.h"
#include "tests/catch.h"

namespace lapscope::reports {
namespace {

using analyzer::FindingResult;
using analyzer::HostActivity;
using analyzer::HostFunction;
using analyzer::HostKind;
using analyzer::HostPart;
using analyzer::HostWork;
using analyzer::ThreadState;

constexpr std::int64_t ms = 1'000'000;

HostFunction function(HostKind kind, const char* name, const char* file, std::int64_t line,
                      std::int64_t ns) {
  HostFunction one{kind, name, file, line, ThreadState::running, 0, {ns, ns, ns, 10}};
  return one;
}

HostFunction all_of(HostKind kind, std::int64_t ns) { return function(kind, "", "", 0, ns); }

TEST_CASE("what the host did is said with its function, line and share of an iteration") {
  const HostWork loading{
      {all_of(HostKind::data_loading, 1110 * ms)},
      {function(HostKind::user, "step", "train.py", 9, 1200 * ms),
       function(HostKind::data_loading, "Images.__getitem__", "src/data.py", 27, 1000 * ms)},
      1480 * ms,
      10,
      70};
  CHECK(words_of(loading) ==
        "the thread that issues the work makes the batches: Images.__getitem__ at data.py:27, "
        "111.00 ms of 148.00 ms of host code an iteration");

  const HostWork dispatching{{all_of(HostKind::dispatch, 300 * ms)},
                             {function(HostKind::dispatch, "Net.forward", "net.py", 5, 200 * ms)},
                             340 * ms,
                             10,
                             8480};
  CHECK(words_of(dispatching) ==
        "Python issues operators one by one, 848 ops an iteration: Net.forward at net.py:5, "
        "30.00 ms of 34.00 ms of host code an iteration");

  HostWork held{{all_of(HostKind::lock, 3 * ms)},
                {function(HostKind::lock, "infer", "server.py", 41, 3 * ms)},
                4 * ms,
                0,
                3};
  held.functions[0].holder = (std::int64_t{7} << 24) | 4711;
  CHECK(words_of(held) ==
        "it waits for a lock or another thread: infer at server.py:41 (held by thread 4711), "
        "3.00 ms of 4.00 ms of host code");
}

TEST_CASE("savings are said for an iteration, as the work is") {
  HostWork work{{all_of(HostKind::user, 100 * ms), all_of(HostKind::optimizer, 40 * ms)},
                {},
                200 * ms,
                10,
                70,
                150 * ms};
  work.kinds[0].saving_ns = 90 * ms;
  work.kinds[1].saving_ns = 30 * ms;
  CHECK(words_of(work) ==
        "code of the program runs, 10.00 ms of 20.00 ms of host code an iteration; besides, "
        "optimizer 4.00 ms (fixing that saves 3.00 ms); with no host code at all between the "
        "calls, 15.00 ms less");
}

TEST_CASE("the first screen has what most of it is in one line") {
  HostWork work{
      {all_of(HostKind::data_loading, 1110 * ms)},
      {function(HostKind::data_loading, "Images.__getitem__", "src/data.py", 27, 1000 * ms)},
      1480 * ms,
      10,
      70};
  CHECK(short_words_of(work) ==
        "data loading 75 %: Images.__getitem__ at data.py:27, 111.00 ms/iteration");
  work.instances = 1;
  work.kinds[0].kind = work.functions[0].kind = HostKind::user;
  work.functions[0].caller = "prepare";
  CHECK(short_words_of(work) ==
        "the program's own code 75 %: Images.__getitem__ at data.py:27 ← prepare, 1.11 s");
}

TEST_CASE("the fix is that of the kind of work, and the usual one of the program's own code") {
  FindingResult finding;
  finding.code = "host-compute";
  finding.what.kind = analyzer::Doing::Kind::host_code;
  const std::string usual = fix_of(finding);
  finding.host_work = HostWork{{all_of(HostKind::user, ms)}, {}, ms, 0, 1};
  CHECK(fix_of(finding) == usual);
  for (std::size_t kind = 0; kind < analyzer::host_kinds; ++kind) {
    finding.host_work->kinds[0].kind = static_cast<HostKind>(kind);
    const std::string fix = fix_of(finding);
    CAPTURE(name_of(finding.host_work->kinds[0].kind));
    CHECK_FALSE(words_of(finding.host_work->kinds[0].kind).empty());
    // The first sentence must fit on one line of the first screen.
    CHECK(fix.find('.') != std::string::npos);
    if (fix != usual) CHECK(fix.substr(0, fix.find(". ")).size() <= 72);
  }
}

TEST_CASE("functions of a thread are listed with share, doubt and state, the smallest together") {
  analyzer::ScopeResult scope;
  CHECK(host_time_table(scope, 2).rows.empty());
  HostActivity time;
  time.ns = 100;
  time.samples = 100;
  time.interval_ns = 10 * ms;
  time.threads = {{(std::int64_t{7} << 24) | 12, 5, 100, 100, {}, {100, 100}}};
  const auto part = [&](HostKind kind, const char* name, ThreadState state, std::int64_t ns) {
    HostPart one{kind, state, name, "src/a.py", 3, "", time.threads[0].global_tid};
    one.share = {ns, 0, 0, ns};
    time.parts.push_back(one);
  };
  part(HostKind::user, "f", ThreadState::running, 60);
  part(HostKind::lock, "g", ThreadState::lock, 30);
  part(HostKind::user, "h", ThreadState::running, 6);
  part(HostKind::user, "i", ThreadState::running, 4);
  scope.host_time = time;
  const WordTable table = host_time_table(scope, 2);
  CHECK(table.caption == "host time between calls (100 samples, one every 10.00 ms a thread)");
  scope.host_time->recorded_ns = 40;
  CHECK(host_time_table(scope, 2).caption ==
        "host time between calls (40.0 % recorded from begin to end, 100 samples, one every 10.00 "
        "ms a thread)");
  scope.host_time->samples = 0;
  CHECK(host_time_table(scope, 2).caption ==
        "host time between calls (40.0 % recorded from begin to end)");
  using Row = std::vector<std::string>;
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0] == Row{"60 ns", "60.0 %", "± 8.0 %", "the program's own code", "f", "a.py:3",
                             "runs", "thread 12"});
  CHECK(table.rows[1][6] == "waits for a lock or thread");
  CHECK(table.rows[2] == Row{"10 ns", "10.0 %", "", "2 more", "", "", "", "thread 12"});
}

TEST_CASE("collections of garbage are counted by generation, in a finding about them too") {
  CHECK(words_of(std::vector<analyzer::HostCollections>{}).empty());
  const std::vector<analyzer::HostCollections> collections = {{0, 40, 41}, {2, 3, 3}};
  CHECK(words_of(collections) ==
        "Collections of garbage of Python: 40 to 41 of generation 0, 3 of generation 2.");
  HostWork work{{all_of(HostKind::garbage_collection, ms)}, {}, 4 * ms, 0, 1, 0, collections};
  CHECK(words_of(work) ==
        "Python collects garbage, 1.00 ms of 4.00 ms of host code (40 to 41 of generation 0, 3 of "
        "generation 2)");
  work.kinds[0].kind = HostKind::user;
  CHECK(words_of(work).find("generation") == std::string::npos);
}

TEST_CASE("threads that had no processor are named where that was a large part") {
  HostActivity time;
  time.threads = {{1, 0, 0, 0, {}, {}, 1000, 900, 40}, {2, 0, 0, 0, {}, {}, 1000, 600, 300}};
  CHECK(waiting_for_processor(time) ==
        "thread 2 was ready to run and had no processor for 30.0 % of that.");
}

}  // namespace
}  // namespace lapscope::reports
