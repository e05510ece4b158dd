#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "analyzer/model/ops.h"

// Random programs, and a simulated machine that runs them character by character. Each op and call
// runs as soon as CUDA's rules allow it, without latency. Tests compare graphs and replays with
// this machine.
namespace lapscope::test {

struct RandomProgram {
  struct Op {
    analyzer::Engine engine = analyzer::Engine::compute;  // kernels overlap, copies do not
    unsigned stream = 0;
    int length = 1;  // in characters
  };
  enum class Kind : std::uint8_t { issue, record, wait, synchronize };
  // A call of the only thread. A synchronizing call ends with the last op of its stream. Other
  // calls last one character.
  struct Call {
    Kind kind = Kind::issue;
    unsigned op = 0;      // only for issue
    unsigned stream = 0;  // for the other kinds
    unsigned event = 0;   // for record and wait; recorded once, before all waits for it
    int gap = 0;          // characters since the previous call
  };
  std::vector<Op> ops;  // named A, B, C and so on; issued in this order
  std::vector<Call> calls;
  bool waits_for_events = true;  // false: ops wait for no event; calls still wait for streams
  bool synchronizes = true;      // if false, synchronizing calls do not wait
  bool issues_at_end = true;     // whether an op is ready at the end of its call, or at the begin
};

// The times of ops and calls, in characters of the drawing.
struct ProgramRun {
  std::vector<int> op_ready;  // when it was issued and all ops that it waits for had ended
  std::vector<int> op_start;
  std::vector<int> op_end;
  std::vector<int> call_start;
  std::vector<int> call_end;
};

RandomProgram random_program(std::mt19937& random);

ProgramRun run_by_counting(const RandomProgram& program);

// Returns, for each op, the ops that must end before it starts. Ignores waits for a free engine.
std::vector<std::vector<unsigned>> ops_ahead(const RandomProgram& program);

// Draws a program in the format of tests/analyzer/support/program.h.
std::string drawing_of(const RandomProgram& program, const ProgramRun& run);

}  // namespace lapscope::test
