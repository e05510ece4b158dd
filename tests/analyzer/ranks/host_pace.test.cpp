#include "analyzer/ranks/host_pace.h"

#include <map>
#include <string>

#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

// A line is a thread of the process. A run of letters is a call:
//
//   L  launches a communication kernel   C  launches another kernel
//   S  synchronizes                      F  frees memory
//   Q  queries an event                  q  calls another function that queries
//   g  asks for the last error
//
// Returns host_times() of the launches L, in the order of their begins.
std::vector<Ns> times(std::initializer_list<std::string_view> threads) {
  const std::map<char, CallKind> kinds = {{'L', CallKind::launch},      {'C', CallKind::launch},
                                          {'S', CallKind::synchronize}, {'Q', CallKind::query},
                                          {'q', CallKind::query},       {'F', CallKind::release},
                                          {'g', CallKind::other}};
  Trace trace;
  std::map<Ns, std::uint32_t> launches;
  for (const std::string_view picture : threads) {
    const auto first = static_cast<std::uint32_t>(trace.calls.size());
    for (const test::Run& run : test::runs_in(picture)) {
      if (run.letter == 'L') {
        launches[run.interval.start] = static_cast<std::uint32_t>(trace.calls.size());
      }
      trace.calls.start.push_back(run.interval.start);
      trace.calls.end.push_back(run.interval.end);
      trace.calls.name.push_back(static_cast<std::uint32_t>(run.letter));
      trace.calls.kind.push_back(kinds.at(run.letter));
    }
    const auto last = static_cast<std::uint32_t>(trace.calls.size());
    const auto tid = static_cast<std::int64_t>(trace.calls.threads.size() + 1);
    trace.calls.threads.push_back({(std::int64_t{9} << 24) + tid, first, last, last});
  }
  std::vector<std::uint32_t> calls;
  for (const auto& [start, call] : launches) calls.push_back(call);
  return host_times(trace, calls);
}

TEST_CASE("a host works on its own between its launches", "[ranks]") {
  CHECK(times({"LL.....LL.L"}) == std::vector<Ns>{0, 7, 10});
}

TEST_CASE("waits for the device are no own time of the host", "[ranks]") {
  //           0         1         2
  //           012345678901234567890
  CHECK(times({"LL..SSSSSSSS.LL..L"}) == std::vector<Ns>{0, 13 - 8, 17 - 8});
  CHECK(times({"LL..FFFFFFFF.LL..L"}) == std::vector<Ns>{0, 13 - 8, 17 - 8});
}

TEST_CASE("a row of queries is a wait", "[ranks]") {
  CHECK(times({"LL.Qq.Q.qQ.LL.."}) == std::vector<Ns>{0, 11 - 7});
  CHECK(times({"LL.Qg.Qg.Q.LL.."}) == std::vector<Ns>{0, 11 - 7});
  CHECK(times({"LL.Q.......LL.."}) == std::vector<Ns>{0, 11});
  CHECK(times({"LL.Qg......LL.."}) == std::vector<Ns>{0, 11});
  // The call between the queries takes longer than a query.
  CHECK(times({"LL.Qggg.Q..LL.."}) == std::vector<Ns>{0, 11});
  // The second thread issues no kernel.
  CHECK(times({"LL.........LL..",  //
               "..Q.Q.Q.Q.Q...."}) == std::vector<Ns>{0, 11});
}

// The median launch takes 2 ns. The second launch takes 8 ns, so it may have waited for 6 ns.
TEST_CASE("a launch that takes longer than usual may wait for room in its queue", "[ranks]") {
  CHECK(times({"LL.LLLLLLLL.LL.LL"}) == std::vector<Ns>{0, 3, 12 - 6, 15 - 6});
}

// Thread 1 waits for the device, and thread 2 launches. The wait counts for the process.
TEST_CASE("a process waits if one of its threads waits", "[ranks]") {
  CHECK(times({"LL.SSSSSSSS..........",  //
               "............CC.LL.LL."}) == std::vector<Ns>{0, 15 - 8, 18 - 8});
}

TEST_CASE("a launch that is not known adds nothing", "[ranks]") {
  Trace trace;
  trace.calls.start = {4, 9};
  trace.calls.end = {5, 10};
  trace.calls.name = {0, 0};
  trace.calls.kind = {CallKind::launch, CallKind::launch};
  trace.calls.threads = {{std::int64_t{9} << 24, 0, 2, 2}};
  const std::vector<std::uint32_t> calls = {no_index, 0, no_index, 1};
  CHECK(host_times(trace, calls) == std::vector<Ns>{0, 0, 0, 5});
  CHECK(host_times(trace, std::vector<std::uint32_t>{no_index}) == std::vector<Ns>{0});
}

}  // namespace
}  // namespace lapscope::analyzer
