#include "analyzer/scope/range_work.h"

#include <algorithm>
#include <random>
#include <set>
#include <sstream>

#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t process = std::int64_t{1} << 24;

// A trace from a drawing. Each line is a lane: its kind, its thread and its picture. A character is
// 10 ns. The kinds of lanes are:
// - calls: each call issues the op of its letter. A call begins 1 ns after the start of its first
//   character, and ends 1 ns before the end of its last character.
// - ranges: a letter s is a requested range.
// - shared: start/end ranges.
// - other: ranges of another domain.
class Drawn {
 public:
  explicit Drawn(std::string_view drawing) {
    std::istringstream lanes{std::string(drawing)};
    struct Call {
      std::int64_t tid;
      Interval interval;
      char letter;
    };
    std::vector<Call> calls;
    for (std::string kind; lanes >> kind;) {
      std::int64_t thread = 0;
      std::string picture;
      lanes >> thread >> picture;
      const std::int64_t tid = process + thread;
      for (const test::Run& run : test::runs_in(picture)) {
        const Interval drawn{run.interval.start * 10, run.interval.end * 10};
        if (kind == "calls") {
          calls.push_back({tid, {drawn.start + 1, drawn.end - 1}, run.letter});
        } else {
          trace.ranges.push_back({drawn, tid, static_cast<std::uint32_t>(run.letter),
                                  kind == "other" ? 1U : 0U, kind == "shared"});
        }
      }
    }
    std::stable_sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) {
      return std::pair(a.tid, a.interval.start) < std::pair(b.tid, b.interval.start);
    });
    Ops ops;
    for (const Call& call : calls) {
      auto& threads = trace.calls.threads;
      const auto number = static_cast<std::uint32_t>(trace.calls.start.size());
      if (threads.empty() || threads.back().global_tid != call.tid) {
        threads.push_back({call.tid, number, number, number});
      }
      threads.back().last = threads.back().end = number + 1;
      trace.calls.start.push_back(call.interval.start);
      trace.calls.end.push_back(call.interval.end);
      test::add_op(ops, {number * 10, number * 10 + 5}, Engine::compute);
      ops.issue.back() = number;
      letters += call.letter;
    }
    trace.devices.push_back(test::device_with(ops));
  }

  RangeWork work(RangeThreads threads = RangeThreads::helpers) const {
    std::vector<NvtxRange> asked;
    for (const NvtxRange& range : trace.ranges) {
      if (range.name == 's') asked.push_back(range);
    }
    return RangeWorkFinder(trace, threads).work_of(asked).at(0);
  }

  // Returns the letters of the ops of the requested range: those of the opening thread, then those
  // of helpers.
  std::string members(RangeThreads threads = RangeThreads::helpers) const {
    std::string text;
    for (const std::uint32_t op : work(threads).ops) text += letters[op];
    return text;
  }

  Trace trace;
  std::string letters;  // by op
};

TEST_CASE("a range has the ops whose calls it encloses") {
  const Drawn drawn(
      "ranges 1 .sss.\n"
      "calls  1 abcde\n");
  REQUIRE(drawn.members() == "bcd");
  REQUIRE(drawn.work().issuers == Issuers{3, 0, 0, 0, 0});
}

TEST_CASE("a call that reaches over the range's end is not in it") {
  const Drawn drawn(
      "ranges 1 .sss.\n"
      "calls  1 ...bb\n");
  REQUIRE(drawn.members().empty());
}

TEST_CASE("a thread without a range of its own helps whatever range is open") {
  const Drawn drawn(
      "ranges 1 .sssss.\n"
      "calls  1 .a...b.\n"
      "calls  2 ccddee.\n"
      "calls  3 .f....g\n");
  REQUIRE(drawn.members() == "abdef");  // half of c is outside
  REQUIRE(drawn.work().issuers == Issuers{2, 3, 2, 0, 0});
  REQUIRE(drawn.members(RangeThreads::own) == "ab");
}

TEST_CASE("four workers do all the work of a thread that only waits for them") {
  const Drawn drawn(
      "ranges 1 ssssss\n"
      "calls  2 .a.b..\n"
      "calls  3 .c.d..\n"
      "calls  4 ..e.f.\n"
      "calls  5 ..g.h.\n");
  REQUIRE(drawn.members() == "abcdefgh");
  REQUIRE(drawn.work().issuers == Issuers{0, 8, 4, 0, 0});
  REQUIRE(drawn.members(RangeThreads::own).empty());
}

TEST_CASE(
    "where a loader has its own range open while the range's thread goes on, its ops are its") {
  const Drawn drawn(
      "ranges 1 ssssssssss\n"
      "calls  1 abcdefghij\n"
      "ranges 2 .LLL..LLL.\n"
      "calls  2 .x.y.z.w..\n");
  REQUIRE(drawn.members() == "abcdefghijz");
  REQUIRE(drawn.work().issuers == Issuers{10, 1, 1, 0, 0});
}

TEST_CASE("autograd's thread opens ranges under emit_nvtx, and the range's thread waits for it") {
  const Drawn drawn(
      "ranges 1 ssssssss.ssssssss\n"
      "ranges 1 F...............O\n"
      "calls  1 a......b.c......d\n"
      "ranges 2 ..BB.C....BB.C...\n"
      "calls  2 ..x..y....z..w...\n");
  REQUIRE(drawn.members() == "abcdxyzw");
  REQUIRE(drawn.work().issuers == Issuers{4, 4, 1, 0, 0});
}

TEST_CASE("what a thread does now and then while the other waits is not decided, and left out") {
  const Drawn drawn(
      "ranges 1 sssssssssss\n"
      "calls  1 a..b..cd..e\n"
      "ranges 2 .LL.LLLL.L.\n"
      "calls  2 .x..y.z..w.\n");
  REQUIRE(drawn.members() == "abcde");
  REQUIRE(drawn.work().issuers == Issuers{5, 0, 0, 4, 1});
}

TEST_CASE("whether a thread that issues nothing waits is not decided") {
  const Drawn drawn(
      "ranges 1 sssss\n"
      "ranges 2 .LLL.\n"
      "calls  2 .x.yz\n");
  REQUIRE(drawn.members() == "z");
  REQUIRE(drawn.work().issuers == Issuers{0, 1, 1, 2, 1});
}

TEST_CASE("ranges of another domain are no ranges of its own") {
  const Drawn drawn(
      "ranges 1 sssss\n"
      "calls  1 abcde\n"
      "other  2 LLLLL\n"
      "calls  2 .x.y.\n");
  REQUIRE(drawn.members() == "abcdexy");
}

TEST_CASE("a start/end range is the process's, whatever other ranges its threads have open") {
  const Drawn drawn(
      "shared 1 .ssss\n"
      "calls  1 abcde\n"
      "ranges 2 LLLLL\n"
      "calls  2 x.y..\n");
  REQUIRE(drawn.members() == "bcdey");
  REQUIRE(drawn.members(RangeThreads::own) == "bcde");
}

TEST_CASE("an op in the ranges of several threads counts once, as its opener's if it is one") {
  const Drawn drawn(
      "ranges 1 ssss\n"
      "ranges 2 ssss\n"
      "calls  1 a..b\n"
      "calls  2 c..d\n"
      "calls  3 .ef.\n");
  REQUIRE(drawn.members() == "abcdef");
  REQUIRE(drawn.work().issuers == Issuers{4, 2, 1, 0, 0});
}

// Draws threads that make random calls and open random ranges.
std::string random_drawing(std::mt19937& random) {
  std::string drawing;
  const auto pick = [&random](unsigned below) { return static_cast<unsigned>(random() % below); };
  const unsigned threads = 1 + pick(4);
  for (unsigned thread = 1; thread <= threads; ++thread) {
    const std::string number = " " + std::to_string(thread) + " ";
    for (unsigned lane = pick(4); lane > 0; --lane) {
      constexpr const char* kinds[] = {"ranges", "ranges", "ranges", "shared", "other"};
      drawing += kinds[pick(5)] + number;
      for (unsigned i = 0; i < 30; i += 3) {
        drawing += std::string(3, "..ssL"[pick(5)]);
      }
      drawing += '\n';
    }
    drawing += "calls" + number;
    const unsigned one_in = 2 + pick(3) * 6;  // some threads hardly ever call
    for (unsigned i = 0; i < 30; ++i) drawing += i % 2 == 0 && pick(one_in) == 0 ? 'a' : '.';
    drawing += '\n';
  }
  return drawing;
}

bool is_in_union(const Trace& trace, const Interval& call, auto&& counts) {
  std::vector<Interval> open;
  for (const NvtxRange& range : trace.ranges) {
    if (range.name == 's' && counts(range)) open.push_back(range.interval);
  }
  return IntervalSet::union_of(std::move(open)).contains(call);
}

TEST_CASE("whose an op is, is as the rule says it op by op, in whatever order ranges stand") {
  std::size_t helped = 0;
  std::size_t undecided = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    const std::string drawing = random_drawing(random);
    INFO("seed " << seed << '\n' << drawing);
    Drawn drawn(drawing);
    const RangeWork all = drawn.work();
    const RangeWork own = drawn.work(RangeThreads::own);
    REQUIRE(all.issuers.opener == own.issuers.opener);
    REQUIRE(static_cast<std::size_t>(own.issuers.opener) == own.ops.size());
    REQUIRE(static_cast<std::size_t>(all.issuers.opener + all.issuers.helpers) == all.ops.size());
    REQUIRE(std::includes(all.ops.begin(), all.ops.end(), own.ops.begin(), own.ops.end()));
    const Trace& trace = drawn.trace;
    for (std::uint32_t op = 0; op < drawn.letters.size(); ++op) {
      const std::int64_t tid = trace.calls.threads[trace.calls.thread_of(op)].global_tid;
      const Interval call = trace.calls.interval(op);
      const bool is_opener =
          is_in_union(trace, call, [&](const NvtxRange& range) { return range.global_tid == tid; });
      REQUIRE(std::binary_search(own.ops.begin(), own.ops.end(), op) == is_opener);
      bool must = is_opener;
      bool may = is_opener;
      for (const std::int64_t domain : {0, 1}) {
        const bool has_own =
            std::any_of(trace.ranges.begin(), trace.ranges.end(), [&](const NvtxRange& range) {
              return !range.is_process_wide && range.global_tid == tid && range.domain == domain &&
                     range.interval.start <= call.start && call.start < range.interval.end;
            });
        const bool is_open = is_in_union(
            trace, call, [&](const NvtxRange& range) { return range.domain == domain; });
        const bool is_shared = is_in_union(trace, call, [&](const NvtxRange& range) {
          return range.domain == domain && range.is_process_wide;
        });
        may |= is_open;
        must |= is_shared || (is_open && !has_own);
      }
      const bool is_member = std::binary_search(all.ops.begin(), all.ops.end(), op);
      if (must) REQUIRE(is_member);
      if (!may) REQUIRE_FALSE(is_member);
    }
    std::shuffle(drawn.trace.ranges.begin(), drawn.trace.ranges.end(), random);
    REQUIRE(drawn.work().ops == all.ops);
    REQUIRE(drawn.work().issuers == all.issuers);
    helped += static_cast<std::size_t>(all.issuers.helpers);
    undecided += static_cast<std::size_t>(all.issuers.undecided);
  }
  REQUIRE(helped > 1000);
  REQUIRE(undecided > 100);
}

}  // namespace
}  // namespace lapscope::analyzer
