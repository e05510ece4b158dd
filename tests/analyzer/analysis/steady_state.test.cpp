#include "analyzer/analysis/steady_state.h"

#include <algorithm>
#include <sstream>

#include "analyzer/analysis/analyze.h"
#include "analyzer/analysis/resolve_scopes.h"
#include "tests/analyzer/support/picture.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

constexpr std::int64_t process = std::int64_t{1} << 24;

// A trace drawn as lanes: a kind, a thread and a picture. A character is 10 ns.
//
//   calls 1     aa.b.b.     calls; each issues an op, which runs during the whole call
//   step 1      ##.#.#.     NVTX ranges; the n-th is called "step n"
//   lib:all 1   ######.     a range of another domain
//   open:all 1  ####...     a range of another domain that is never closed
//   start 1     s......     cudaProfilerStart
//   stop 1      ......s     cudaProfilerStop
//   load 1      l......     cuModuleLoad
class Drawn {
 public:
  explicit Drawn(std::string_view drawing) {
    std::istringstream lanes{std::string(drawing)};
    for (std::string kind; lanes >> kind;) {
      std::int64_t thread = 0;
      std::string picture;
      lanes >> thread >> picture;
      int number = 0;
      for (const test::Run& run : test::runs_in(picture)) {
        const Interval drawn{run.interval.start * 10, run.interval.end * 10};
        add(kind, process + thread, drawn, run.letter, ++number);
      }
    }
    finish();
  }

  Trace trace;
  std::string letters;  // letters of the ops

 private:
  struct Call {
    std::int64_t tid;
    Interval interval;
    std::string function;
    char letter;  // letter of the call's op; '.' if it has none
  };

  std::uint32_t name_of(const std::string& text) {
    for (std::uint32_t name = 0; name < trace.names.size(); ++name) {
      if (trace.names.text(name) == text) return name;
    }
    const auto id = static_cast<std::int64_t>(trace.names.size());
    trace.names.add(id, text);
    return trace.names.index_of(id);
  }

  void add(const std::string& kind, std::int64_t tid, Interval drawn, char letter, int number) {
    if (kind == "calls") {
      calls_.push_back({tid, {drawn.start + 1, drawn.end - 1}, "cudaLaunchKernel", letter});
    } else if (kind == "start" || kind == "stop") {
      calls_.push_back(
          {tid, drawn, kind == "start" ? "cudaProfilerStart" : "cudaProfilerStop", '.'});
    } else if (kind == "load") {
      calls_.push_back({tid, drawn, "cuModuleLoad", '.'});
    } else {
      const auto colon = kind.find(':');
      if (kind.starts_with("open:")) drawn.end = latest_time;
      const bool is_own = colon == std::string::npos;
      const std::string name =
          is_own ? kind + " " + std::to_string(number) : kind.substr(colon + 1);
      trace.ranges.push_back({drawn, tid, name_of(name), is_own ? 0U : 1U});
    }
  }

  void finish() {
    std::stable_sort(trace.ranges.begin(), trace.ranges.end(), [](const auto& a, const auto& b) {
      return a.interval.start != b.interval.start ? a.interval.start < b.interval.start
                                                  : a.interval.end > b.interval.end;
    });
    std::stable_sort(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) {
      return std::pair(a.tid, a.interval.start) < std::pair(b.tid, b.interval.start);
    });
    std::vector<std::pair<std::uint32_t, char>> issued;
    for (const Call& call : calls_) {
      auto& threads = trace.calls.threads;
      const auto number = static_cast<std::uint32_t>(trace.calls.size());
      if (threads.empty() || threads.back().global_tid != call.tid) {
        threads.push_back({call.tid, number, number, number});
      }
      threads.back().last = threads.back().end = number + 1;
      trace.calls.start.push_back(call.interval.start);
      trace.calls.end.push_back(call.interval.end);
      trace.calls.name.push_back(name_of(call.function));
      trace.calls.kind.push_back(call_kind(call.function));
      if (call.letter != '.') issued.emplace_back(number, call.letter);
    }
    std::stable_sort(issued.begin(), issued.end(), [this](const auto& a, const auto& b) {
      return trace.calls.start[a.first] < trace.calls.start[b.first];
    });
    Ops ops;
    for (const auto& [call, letter] : issued) {
      test::add_op(ops, {trace.calls.start[call] - 1, trace.calls.end[call] + 1}, Engine::compute,
                   static_cast<std::uint32_t>(letter));
      ops.issue.back() = call;
      ops.name.back() = name_of(std::string("kernel ") + letter);
      letters += letter;
    }
    trace.devices.push_back(test::device_with(ops));
  }

  std::vector<Call> calls_;
};

AnalyzeOptions automatic() {
  AnalyzeOptions options;
  options.focus = Focus::automatic;
  options.find_causes = false;
  return options;
}

struct Found {
  std::string what = "the whole";  // the kind of the steady state, and its range
  std::string ops;                 // letters of the ops in the scope
  std::int64_t warm_up = 0;
};

Found found_in(const Drawn& drawn, const AnalyzeOptions& options = automatic()) {
  const Context context(drawn.trace, options);
  Found found;
  if (!context.steady) return found;
  const SteadyState& steady = *context.steady;
  found.what = std::string(name_of(steady.by)) + " " +
               (steady.sequence > 0 ? std::to_string(steady.sequence) + " ops" : steady.range);
  found.warm_up = context.steady->warm_up;
  const ResolvedScope& scope = context.scopes.back();
  REQUIRE(scope.kind == ScopeKind::steady);
  for (std::size_t i = 0; i < scope.scope.ops.size(); ++i) {
    found.ops += drawn.letters[scope.scope.ops[i]];
  }
  return found;
}

TEST_CASE("what the profiler brackets is the steady state, whatever else repeats") {
  const Found found = found_in(Drawn(R"(
    calls 1  a.b.c.c.c.c.c.d
    start 1  ...s...........
    stop  1  .......s.......
    step  1  ....#.#.#.#.#..
  )"));
  CHECK(found.what == "profiler ");
  CHECK(found.ops == "cc");
}

TEST_CASE("brackets without GPU work are none") {
  const Found found = found_in(Drawn(R"(
    calls 1  ....c.c.c.c.c.d
    start 1  s..............
    stop  1  ..s............
    step  1  ....#.#.#.#.#..
  )"));
  CHECK(found.what == "iterations step *");
}

TEST_CASE("else it is the loop, with what is issued between its iterations") {
  const Found found = found_in(Drawn(R"(
    calls 1  aa.b.bl.b.b.b.d
    step  1  ...#.#..#.#.#..
  )"));
  CHECK(found.what == "iterations step *");
  CHECK(found.ops == "bblbbb");
  CHECK(found.warm_up == 0);
}

TEST_CASE("what other threads issue during the loop is of it, in ranges of their own too") {
  const Found found = found_in(Drawn(R"(
    calls 1  a..b.b.b.b.b.b.b.d
    step  1  ...#.#.#.#.#.#.#..
    calls 2  .l..l...l........l
    fetch 2  .#..#...#........#
  )"));
  CHECK(found.ops == "blbblbbbb");
}

// The first iteration takes ten times as long as the others.
TEST_CASE("the warm-up of a loop is left out") {
  const Found found = found_in(Drawn(R"(
    calls 1  w.........b.b.b.b.b
    step  1  ##########.........
    step  1  ..........#.#.#.#.#
  )"));
  CHECK(found.ops == "bbbbb");
  CHECK(found.warm_up == 1);
}

// The program saves its result long after the loop. The last iteration does not contain this time.
TEST_CASE("what follows a loop does not hide its warm-up") {
  const Found found = found_in(Drawn(R"(
    calls 1  w.........w.........b.b.b........................d
    step  1  ##########..........#.#.#........................
    step  1  ..........##########.............................
  )"));
  CHECK(found.ops == "bbb");
  CHECK(found.warm_up == 2);
}

TEST_CASE("a loop that a sequence of ops shows is found without ranges") {
  const Found found = found_in(Drawn(R"(
    calls 1  x.y.z.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.a.b.q
  )"));
  CHECK(found.what == "iterations 2 ops");
  CHECK(found.ops == "ababababababababab");
}

TEST_CASE("a loop of less than half of the ops is not what the program is for, unless named") {
  const Drawn drawn(R"(
    calls 1  a.c.d.e.f.g.h.b.b.b.b
    step  1  ..............#.#.#.#
    main  1  #############........
  )");
  CHECK(found_in(drawn).what == "range main *");
  AnalyzeOptions options = automatic();
  options.iterations = "step *";
  CHECK(found_in(drawn, options).what == "iterations step *");
  CHECK(found_in(drawn, options).ops == "bbbb");
  options.iterations = "nothing";
  CHECK(found_in(drawn, options).what == "the whole");
}

TEST_CASE("else it is the range in no other that holds most of what ranges hold") {
  const Found found = found_in(Drawn(R"(
    calls 1  a.s...tt.f.e.o..tt.f.e.o..r
    setup 1  ..#........................
    epoch 1  ......########..########...
    inner 1  .........###................
  )"));
  CHECK(found.what == "range epoch *");
  CHECK(found.ops == "tfeotfeo");
}

TEST_CASE("a range that lies in one of another name even once is not in no other") {
  const Found found = found_in(Drawn(R"(
    calls 1  ffff.g.f.h.
    sort  1  ####...#...
    main  1  .....#####.
  )"));
  CHECK(found.what == "range main *");
}

TEST_CASE("stages that hold less than half each are none") {
  CHECK(found_in(Drawn(R"(
    calls 1  aaa.bbb.ccc
    one   1  ###........
    two   1  ....###....
    three 1  ........###
  )"))
            .what == "the whole");
}

TEST_CASE("a range with hardly any work is none") {
  CHECK(found_in(Drawn(R"(
    calls 1  aaaaaaaaaaaaaaaaaaaaaaa.b
    save  1  ........................#
  )"))
            .what == "the whole");
}

TEST_CASE("what a library marks counts if that is most of the work, and hides nothing") {
  CHECK(found_in(Drawn(R"(
    calls   1  aaaaaa.b.c
    lib:sum 1  .......#..
  )"))
            .what == "the whole");
  CHECK(found_in(Drawn(R"(
    calls   1  a.bbbbbb.c
    lib:sum 1  ..######..
  )"))
            .what == "range sum");
  CHECK(found_in(Drawn(R"(
    calls    1  a.bbbbbb.c
    open:all 1  #.........
    main     1  ..######..
  )"))
            .what == "range main *");
  CHECK(found_in(Drawn(R"(
    calls    1  a.bbbbbb.c
    open:all 1  #.........
  )"))
            .what == "the whole");
}

TEST_CASE("what a library marks does not count if it is communication", "[steady]") {
  const Drawn drawn(R"(
    calls   1  a.nnnnnn.c
    lib:sum 1  ..######..
  )");
  AnalyzeOptions options = automatic();
  CHECK(Context(drawn.trace, options).steady.has_value());
  options.communication = {"kernel n"};
  CHECK_FALSE(Context(drawn.trace, options).steady.has_value());

  const Drawn with_work(R"(
    calls    1  a.bnnnnnnb.c
    lib:step 1  ..########..
  )");
  CHECK(Context(with_work.trace, options).steady.has_value());
}

TEST_CASE("what is named comes instead, or beside it where both are asked for") {
  const Drawn drawn(R"(
    calls 1  a.b.b.b.b.b.d
    step  1  ..#.#.#.#.#..
  )");
  AnalyzeOptions options = automatic();
  options.ranges = {"step 1"};
  CHECK_FALSE(Context(drawn.trace, options).steady.has_value());
  options.focus = Focus::steady;
  CHECK(Context(drawn.trace, options).steady.has_value());
  options.focus = Focus::whole;
  CHECK_FALSE(Context(drawn.trace, options).steady.has_value());
  options = automatic();
  options.window = Interval{0, 50};
  CHECK_FALSE(Context(drawn.trace, options).steady.has_value());
}

TEST_CASE("what was before the steady state, and after it, is summed up") {
  const Drawn drawn(R"(
    calls 1  .........bbbb...d
    load  1  lll.l............
    main  1  .........####....
  )");
  const Report report = analyze(drawn.trace, automatic());
  const RangeResult* steady = steady_state_of(report.devices.at(0));
  REQUIRE(steady != nullptr);
  CHECK(steady->scope.window == Interval{90, 130});
  CHECK(steady->steady->before.ns == 90);
  REQUIRE(steady->steady->before.parts.size() == 1);
  CHECK(steady->steady->before.parts[0].code == "module-load");
  CHECK(steady->steady->before.parts[0].ns == 40);
  CHECK(steady->steady->after.ns == 40);
  CHECK(steady->engines.size() == 1);
  CHECK(&judged_of(report.devices[0]) == &steady->scope);
}

TEST_CASE("a device whose steady state is not known is judged as a whole") {
  const Report report = analyze(Drawn("calls 1 a.b.c").trace, automatic());
  CHECK(report.devices.at(0).sought_steady);
  CHECK(steady_state_of(report.devices[0]) == nullptr);
  CHECK(&judged_of(report.devices[0]) == &report.devices[0].scope);
}

}  // namespace
}  // namespace lapscope::analyzer
