#include <map>
#include <random>
#include <set>

#include "analyzer/fixes/fix.h"
#include "analyzer/independence/independence.h"
#include "analyzer/replay/replay.h"
#include "tests/analyzer/support/graph_tables.h"
#include "tests/analyzer/support/program.h"
#include "tests/analyzer/support/random_program.h"
#include "tests/analyzer/support/rounds.h"
#include "tests/catch.h"

namespace lapscope::analyzer {
namespace {

using test::Program;
using test::RandomProgram;
using Kind = RandomProgram::Kind;
using Pairs = std::set<std::pair<unsigned, unsigned>>;  // the second op waits for the first

// Makes a program: rounds of a loop in stream 0, other ops in stream 1, and events and waits
// between them.
RandomProgram random_loop(std::mt19937& random) {
  static constexpr Engine in = Engine::h2d, out = Engine::d2h, kernel = Engine::compute;
  static const std::vector<Engine> rounds[] = {
      {in, kernel, out}, {in, kernel}, {kernel, out}, {kernel, kernel}};
  const std::vector<Engine>& round = rounds[random() % std::size(rounds)];
  RandomProgram program;
  unsigned events = 0;
  const auto issue = [&](Engine engine, unsigned stream) {
    const auto op = static_cast<unsigned>(program.ops.size());
    program.ops.push_back({engine, stream, 1 + static_cast<int>(random() % 5)});
    program.calls.push_back({Kind::issue, op, stream});
  };
  for (unsigned i = 0; i < 4; ++i) {
    for (const Engine engine : round) {
      issue(engine, 0);
      if (random() % 3 != 0 || events == 5) continue;
      const auto from = static_cast<unsigned>(random() % 2);
      program.calls.push_back({Kind::record, 0, from, events});
      program.calls.push_back({Kind::wait, 0, 1 - from, events++});
      if (random() % 2 == 0 && program.ops.size() < 12) issue(kernel, 1 - from);
    }
    if (random() % 8 == 0) program.calls.push_back({Kind::synchronize, 0, 0});
    if (program.ops.size() > 9) break;
  }
  return program;
}

// Returns the pairs of ops whose order comes from an event between streams or from a wait of the
// host.
Pairs ordered_otherwise(const RandomProgram& program) {
  // The keys of `issued` and `awaited` are streams. The keys of `recorded` are events.
  std::map<unsigned, std::set<unsigned>> issued, awaited, recorded;
  std::set<unsigned> seen;  // ended ops
  Pairs pairs;
  for (const RandomProgram::Call& call : program.calls) {
    if (call.kind == Kind::issue) {
      const unsigned stream = program.ops[call.op].stream;
      for (const unsigned before : seen) pairs.insert({before, call.op});
      for (const unsigned before : awaited[stream]) {
        if (program.ops[before].stream != stream) pairs.insert({before, call.op});
      }
      issued[stream].insert(call.op);
    } else if (call.kind == Kind::record) {
      recorded[call.event] = issued[call.stream];
      recorded[call.event].merge(std::set<unsigned>(awaited[call.stream]));
    } else if (call.kind == Kind::wait) {
      awaited[call.stream].merge(std::set<unsigned>(recorded[call.event]));
    } else {
      seen.merge(std::set<unsigned>(issued[call.stream]));
      seen.merge(std::set<unsigned>(awaited[call.stream]));
    }
  }
  return pairs;
}

TEST_CASE("what is split keeps the orders that events and the host make") {
  unsigned split = 0;
  for (unsigned seed = 0; seed < test::rounds(1000); ++seed) {
    std::mt19937 random(seed);
    const RandomProgram what = random_loop(random);
    const std::string drawing = drawing_of(what, run_by_counting(what));
    Program program(drawing);
    Ops& ops = program.trace.devices[0].ops;
    for (std::size_t op = 0; op < ops.size(); ++op) {
      ops.bytes[op] = ops.kind[op] == OpKind::kernel ? 0 : 1000;
      ops.name[op] = ops.name[0];
    }
    const Graph graph = test::graph_of(program.trace);
    const auto task = [&](unsigned op) {
      return task_of(program, graph, std::string(1, static_cast<char>('A' + op)));
    };
    const auto independent =
        split_streams.where_independent(program.trace, graph, Independence(program.trace));
    split += independent.has_value();
    for (const Edits& edits :
         {independent.value_or(Edits(graph)), split_streams.edits(program.trace, graph, 0)}) {
      const Replayed times = replay(edited(edits));
      for (const auto& [before, behind] : ordered_otherwise(what)) {
        INFO("seed " << seed << "\n" << drawing << before << " before " << behind);
        REQUIRE(times.tasks[task(behind)].start >= times.tasks[task(before)].end);
      }
    }
  }
  REQUIRE(split > test::rounds(300));
}

}  // namespace
}  // namespace lapscope::analyzer
